import * as contract from "@orchestrator/contract";
import { lostFields } from "@orchestrator/contract/testing";
import type { Fields } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { ARTIFACTS } from "./tables/artifacts.table.ts";
import { AUTOMATIONS } from "./tables/automations.table.ts";
import { BACKFILLS } from "./tables/backfills.table.ts";
import { BLOCK_SCHEMAS } from "./tables/block-schemas.table.ts";
import { BLOCK_TYPES } from "./tables/block-types.table.ts";
import { CONCURRENCY_LIMITS } from "./tables/concurrency-limits.table.ts";
import { DELIVERIES } from "./tables/deliveries.table.ts";
import { DEPLOYMENTS, SCHEDULES } from "./tables/deployments.table.ts";
import { FLOW_RUNS } from "./tables/flow-runs.table.ts";
import { FLOWS } from "./tables/flows.table.ts";
import { LOGS } from "./tables/logs.table.ts";
import { SAVED_SEARCHES } from "./tables/saved-searches.table.ts";
import { SLAS } from "./tables/slas.table.ts";
import { TASK_RUNS } from "./tables/task-runs.table.ts";
import { VARIABLES } from "./tables/variables.table.ts";
import { WEBHOOKS } from "./tables/webhooks.table.ts";
import { WORK_POOLS } from "./tables/work-pools.table.ts";
import { WORK_QUEUES } from "./tables/work-queues.table.ts";
import { WORKERS } from "./tables/workers.table.ts";

type Schema = Parameters<typeof lostFields>[0];

const RECORDS: readonly (readonly [{ name: string; fields: Fields }, Schema])[] = [
  [ARTIFACTS, contract.Artifact],
  [AUTOMATIONS, contract.Automation],
  [BACKFILLS, contract.Backfill],
  [BLOCK_SCHEMAS, contract.BlockSchema],
  [BLOCK_TYPES, contract.BlockType],
  [CONCURRENCY_LIMITS, contract.ConcurrencyLimitState],
  [DELIVERIES, contract.Delivery],
  [DEPLOYMENTS, contract.Deployment],
  [FLOW_RUNS, contract.FlowRun],
  [FLOWS, contract.Flow],
  [LOGS, contract.Log],
  [SAVED_SEARCHES, contract.SavedSearch],
  [SCHEDULES, contract.DeploymentSchedule],
  [SLAS, contract.Sla],
  [TASK_RUNS, contract.TaskRun],
  [VARIABLES, contract.Variable],
  [WEBHOOKS, contract.Webhook],
  [WORK_POOLS, contract.WorkPool],
  [WORK_QUEUES, contract.WorkQueue],
  [WORKERS, contract.Worker],
];

/** Fields that are looked up stand on the wire under names of their own. */
const onWire = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    typeof field === "object" && "from" in field ? Object.keys(field.fields) : name,
  );

test.each(RECORDS)(
  "$name has every field of its record on the wire",
  ({ name, fields }, schema) => {
    expect(lostFields(schema, onWire(fields), { consumer: `the table ${name}` })).toEqual([]);
  },
);

const HOSTED = "a key of the hosted product, which the server ignores";
const BY_NAME = "chooses the queue of the deployment";

test("the table deployments stores every field that callers may change", () => {
  const columns = DEPLOYMENTS.columnsWith("changeable");
  const given = Object.keys(contract.DeploymentUpdate.properties);
  const stored = columns.filter((column) => given.includes(column));
  const exempt = {
    schedule: "a row of the table deployment_schedules",
    schedules: "rows of the table deployment_schedules",
    concurrency_limit: "a row of the table concurrency_limits",
    concurrency_key: "the key of a row of the table concurrency_limits",
    global_concurrency_limit_id: "the column concurrency_limit_id",
    work_pool_name: BY_NAME,
    work_queue_name: BY_NAME,
    version_info: HOSTED,
    branch: HOSTED,
    base: HOSTED,
    root: HOSTED,
  };
  const consumer = "the table deployments";
  expect(lostFields(contract.DeploymentUpdate, stored, { consumer, exempt })).toEqual([]);
});
