import {
  Automation,
  AutomationCreate,
  ConcurrencyLimitCreate,
  ConcurrencyLimitState,
  Deployment,
  DeploymentCreate,
  DeploymentSchedule,
  DeploymentScheduleCreate,
  Flow,
  FlowCreate,
  Sla,
  SlaCreate,
  TagLimit,
  TagLimitCreate,
  Variable,
  VariableCreate,
  WorkPool,
  WorkPoolCreate,
  WorkQueue,
  WorkQueueCreate,
} from "@orchestrator/contract";
import { lostFields, SAMPLE_ID, sampleOf } from "@orchestrator/contract/testing";
import { expect, test } from "vitest";
import { IdMapping } from "../transfer-context.ts";
import { automationFields } from "./automations.ts";
import { fieldsFor, flowFields, scheduleFor, slaFields } from "./deployments.ts";
import { limitFields, tagLimitFields, variableFields } from "./values.ts";
import { poolFields, queueFields } from "./work.ts";

const ids = new IdMapping();
ids.set(SAMPLE_ID, SAMPLE_ID);
const transfer = { ids, isPausing: false };

const HOSTED = "a key of the hosted product, which the server ignores";
const SPELLING = "another spelling of kind and seconds";
const STARTS_ANEW = "slots in use are not transferred";

type Schema = Parameters<typeof lostFields>[0];

interface Case {
  readonly record: Schema;
  readonly create: Schema;
  readonly fields: (row: never) => object;
  readonly exempt?: Readonly<Record<string, string>>;
}

const CASES: Readonly<Record<string, Case>> = {
  "a variable": { record: Variable, create: VariableCreate, fields: variableFields },
  "a global concurrency limit": {
    record: ConcurrencyLimitState,
    create: ConcurrencyLimitCreate,
    fields: limitFields,
    exempt: { active_slots: STARTS_ANEW, denied_slots: STARTS_ANEW },
  },
  "a tag limit": { record: TagLimit, create: TagLimitCreate, fields: tagLimitFields },
  "a work pool": {
    record: WorkPool,
    create: WorkPoolCreate,
    fields: (row: never) => poolFields(transfer, row),
  },
  "a work queue": {
    record: WorkQueue,
    create: WorkQueueCreate,
    fields: queueFields,
    exempt: { filter: "always null" },
  },
  "a flow": { record: Flow, create: FlowCreate, fields: flowFields },
  "a deployment": {
    record: Deployment,
    create: DeploymentCreate,
    fields: (row: never) => ({
      ...fieldsFor(transfer, row),
      ...fieldsFor(transfer, { ...(row as Deployment), ...OWN_LIMIT }),
    }),
    exempt: {
      schedule: "the first of the schedules",
      version_info: HOSTED,
      branch: HOSTED,
      base: HOSTED,
      root: HOSTED,
    },
  },
  "a schedule": {
    record: DeploymentSchedule,
    create: DeploymentScheduleCreate,
    fields: scheduleFor,
    exempt: { replaces: "for schedules that are there already" },
  },
  "an SLA": {
    record: Sla,
    create: SlaCreate,
    fields: slaFields,
    exempt: {
      owner_resource: "ignored: the address names the owner",
      duration: SPELLING,
      within: SPELLING,
      stale_after: SPELLING,
    },
  },
  "an automation": {
    record: Automation,
    create: AutomationCreate,
    fields: (row: never) => automationFields(transfer, row),
    exempt: { owner_resource: "records do not name the owner" },
  },
};

const limit = (sampleOf(Deployment) as Deployment).global_concurrency_limit;
const OWN_LIMIT = {
  global_concurrency_limit: limit && { ...limit, name: `deployment:${SAMPLE_ID}` },
};

test.each(Object.entries(CASES))("a transfer of %s loses no field", (kind, one) => {
  const row = sampleOf(one.record) as never;
  const { create, exempt = {} } = one;
  const consumer = `transfer of ${kind}`;
  expect(lostFields(create, Object.keys(one.fields(row)), { consumer, exempt })).toEqual([]);
});
