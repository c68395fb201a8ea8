// What a deployment of the file is to be on the server, and what that changes there.

import { dirname, resolve } from "node:path";
import { inspect } from "node:util";
import type { Deployment, DeploymentScheduleCreate, JsonObject } from "@orchestrator/contract";
import { isSameJson, isUnchangedJson } from "@orchestrator/exact-json";
import { orNull } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { concurrencyFields } from "./file-concurrency.ts";
import { type FileDeployment, SAME_ON_SERVER } from "./orchestrator-file.ts";

const DEFAULT_POOL = "default";

/** One deployment, with the fields that the file decides about. */
export interface DeploymentPlan {
  readonly triggers: FileDeployment["triggers"];
  readonly flow: string;
  readonly name: string;
  readonly fields: Fields;
  /** What is there now. */
  readonly stored: Deployment | null;
  /** The names of the fields that are different there. */
  readonly changes: readonly string[];
}

type Fields = Awaited<ReturnType<typeof fieldsOf>>["fields"];

export async function deploymentPlan(
  session: CliSession,
  file: string,
  deployment: FileDeployment,
): Promise<DeploymentPlan> {
  const { flow, fields: wanted } = await fieldsOf(file, deployment);
  const stored = await orNull(session.client.deployments.readByName(flow, deployment.name));
  const schedules = wanted.schedules.map((one) => keepingPause(one, stored?.schedules ?? []));
  const fields = { ...wanted, schedules };
  const changes = stored === null ? [] : changesOf(fields, stored);
  const { name, triggers } = deployment;
  return { flow, name, fields, stored, changes, triggers };
}

/** What the server is sent of a deployment of the file. */
export async function fieldsOf(file: string, deployment: FileDeployment) {
  const { entrypoint, command, tags = [], schedules = [] } = deployment;
  const path = resolve(dirname(file), deployment.path ?? ".");
  const flow = await flowOf(deployment, path);
  const variables: JsonObject = { ...deployment.job_variables, ...(command && { command }) };
  const { paused, work_queue, collision_strategy } = deployment;
  const fields = {
    ...sameOnServer(deployment),
    description: deployment.description ?? flow.description ?? null,
    version: deployment.version ?? flow.version ?? null,
    tags: [...new Set([...flow.tags, ...tags])],
    parameter_openapi_schema: flow.schema,
    schedules: [...schedules],
    entrypoint: entrypoint ?? null,
    // Code that is pulled lies where the steps put it.
    path: deployment.pull === undefined ? path : null,
    pull_steps: [...(deployment.pull ?? [])],
    job_variables: variables,
    work_pool_name: deployment.work_pool ?? DEFAULT_POOL,
    ...(flow.labels !== undefined && { labels: flow.labels }),
    ...(work_queue !== undefined && { work_queue_name: work_queue }),
    ...concurrencyFields(deployment.concurrency, collision_strategy),
    // Whoever paused it by hand wants it to stay so, unless the file says otherwise.
    ...(paused !== undefined && { paused }),
  };
  return { flow: flow.name, fields };
}

type SameKey = keyof typeof SAME_ON_SERVER;
type SameFields = {
  readonly [Key in SameKey]:
    | NonNullable<FileDeployment[Key]>
    | (typeof SAME_ON_SERVER)[Key]["leftOut"];
};

function sameOnServer(deployment: FileDeployment): SameFields {
  const keys = Object.keys(SAME_ON_SERVER) as SameKey[];
  const fields = keys.map((key) => [key, deployment[key] ?? SAME_ON_SERVER[key].leftOut]);
  return Object.fromEntries(fields) as SameFields;
}

interface FlowFacts {
  readonly name: string;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  readonly tags: readonly string[];
  readonly schema: JsonObject;
  readonly labels?: Readonly<Record<string, string>>;
}

const ON_CRASH = "orchestrator.on-crash";
const ANYTHING: JsonObject = { type: "object", properties: {}, additionalProperties: true };

/** What the flow says of itself; a command says nothing. */
async function flowOf(deployment: FileDeployment, folder: string): Promise<FlowFacts> {
  const { entrypoint, flow: name = deployment.name, on_crash } = deployment;
  if (entrypoint === undefined) {
    const labels = on_crash === undefined ? {} : { labels: { [ON_CRASH]: on_crash } };
    return { name, tags: [], schema: ANYTHING, ...labels };
  }
  const { loadFlow, onCrashLabels, toJsonSchema } = await import("@orchestrator/sdk");
  const definition = await loadFlow(entrypoint, folder).catch((error: unknown) => {
    // What goes wrong in the author's file is found by its stack, what is wrong with its name by
    // the message.
    const isPlain = error instanceof Error && error.constructor === Error;
    const reason = isPlain ? error.message : inspect(error);
    throw new UsageError(`${deployment.name} (${entrypoint}): ${reason}`, { cause: error });
  });
  if (deployment.flow !== undefined && deployment.flow !== definition.name) {
    throw new UsageError(
      `${deployment.name}: the flow of ${entrypoint} is called ${definition.name}, and not ${deployment.flow}`,
    );
  }
  const { description, version, tags = [], parameters } = definition.options;
  const schema = toJsonSchema(parameters) as JsonObject;
  const labels = onCrashLabels(definition, on_crash);
  return { name: definition.name, description, version, tags, schema, labels };
}

/** A schedule that was paused by hand stays so, unless the file says otherwise. */
function keepingPause(
  wanted: DeploymentScheduleCreate,
  stored: Deployment["schedules"],
): DeploymentScheduleCreate {
  const { slug = null } = wanted;
  const same = stored.find((old) => (slug === null ? holds(old, wanted) : old.slug === slug));
  return same === undefined ? wanted : { active: same.active, ...wanted };
}

function changesOf(fields: Fields, stored: Deployment): string[] {
  const limit = stored.global_concurrency_limit;
  const before = {
    ...stored,
    concurrency_limit: limit?.limit ?? null,
    concurrency_key: limit?.key?.template ?? null,
  };
  return Object.entries(fields)
    .filter(([name, value]) => {
      const now = before[name as keyof Deployment];
      if (name === "schedules") return !areSameSchedules(fields.schedules, stored.schedules);
      // It has those of its flow as well.
      if (name === "labels") return !holds(now, value);
      if (name === "concurrency_options" && value !== null) return !holds(now, value);
      return !isUnchangedJson(now, value);
    })
    .map(([name]) => name);
}

/** The server fills in what the file leaves out. */
function areSameSchedules(
  wanted: readonly DeploymentScheduleCreate[],
  stored: Deployment["schedules"],
): boolean {
  return (
    wanted.length === stored.length && wanted.every((one) => stored.some((old) => holds(old, one)))
  );
}

function holds(stored: unknown, wanted: unknown): boolean {
  if (
    typeof wanted !== "object" ||
    wanted === null ||
    typeof stored !== "object" ||
    stored === null
  )
    return isSameJson(stored, wanted) || isSameTime(stored, wanted);
  if (Array.isArray(wanted) && wanted.length !== (stored as readonly unknown[]).length)
    return false;
  return Object.entries(wanted).every(([name, value]) =>
    holds((stored as Readonly<Record<string, unknown>>)[name], value),
  );
}

const TIME = /^\d{4}-\d{2}-\d{2}T/;

const isSameTime = (a: unknown, b: unknown): boolean =>
  typeof a === "string" &&
  typeof b === "string" &&
  TIME.test(a) &&
  TIME.test(b) &&
  Date.parse(a) === Date.parse(b);
