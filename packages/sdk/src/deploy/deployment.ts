// A deployment of a flow on the server, made or changed to what its author says.

import type { DeploymentCreate, OnCollision } from "@orchestrator/contract";
import type { OnCrash } from "../options/options.ts";
import { toJsonSchema } from "../parameters/parameter-schema.ts";
import { hasStatus } from "../report/connection.ts";
import type { ReportSession } from "../report/session.ts";
import { type FlowDefinition, flowIdOf } from "../run/flow-run.ts";
import { type DeploymentScheduleOptions, type ScheduleOptions, schedulesOf } from "./schedules.ts";

/** What a deployment may be given, however its runs are carried out. */
export interface DeploymentOptions extends ScheduleOptions {
  readonly name: string;
  /** Several schedules, instead of or besides the one that is given directly. */
  readonly schedules?: readonly DeploymentScheduleOptions[] | undefined;
  /** Unless a run has others. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  /** Whether runs with parameters that do not fit the flow's schema are refused. @default true */
  readonly enforceParameterSchema?: boolean | undefined;
  /** How many of its runs run at once. */
  readonly concurrencyLimit?: number | undefined;
  /** What becomes of a run for which there is no place. @default "ENQUEUE" */
  readonly collisionStrategy?: "ENQUEUE" | "CANCEL_NEW" | undefined;
  /** How many of its runs run at once for each value of a key; in place of the two above. */
  readonly concurrency?: DeploymentConcurrency | undefined;
  readonly isPaused?: boolean | undefined;
  /** What becomes of a run whose process is lost. @default as the flow says */
  readonly onCrash?: OnCrash | undefined;
}

export interface DeploymentConcurrency {
  /** A template such as `"{{ parameters.customer }}"`. @default none: all runs share the slots */
  readonly key?: string | undefined;
  /** How many runs with the same key run at once. @default 1 */
  readonly limit?: number | undefined;
  /** What happens when a run finds no free slot. @default "queue" */
  readonly onCollision?: OnCollision | undefined;
}

type Infrastructure = Pick<
  DeploymentCreate,
  "work_pool_name" | "work_queue_name" | "job_variables" | "entrypoint" | "path" | "pull_steps"
>;

const NOT_THERE = 404;
/** By this label of a deployment the server knows what becomes of its lost runs. */
const ON_CRASH = "orchestrator.on-crash";

/** Answers with the id of the deployment. */
export async function putDeployment(
  session: ReportSession,
  definition: FlowDefinition,
  {
    options,
    infrastructure,
  }: {
    readonly options: DeploymentOptions;
    readonly infrastructure: Infrastructure;
  },
): Promise<string> {
  const { client } = session;
  const flow_id = await flowIdOf(session, definition);
  const fields = { ...fieldsOf(definition, options), ...infrastructure };
  const known = await client.deployments
    .readByName(definition.name, options.name)
    .catch((error: unknown) => {
      if (hasStatus(error, NOT_THERE)) return null;
      throw error;
    });
  if (known === null) {
    return (await client.deployments.create({ name: options.name, flow_id, ...fields })).id;
  }
  await client.deployments.update(known.id, fields);
  return known.id;
}

/** Options that the server has under another spelling; what is left out stays as it is there. */
export const SENT_AS = {
  description: "description",
  version: "version",
  concurrencyLimit: "concurrency_limit",
} as const satisfies Partial<Record<keyof DeploymentOptions, keyof DeploymentCreate>>;

/** A run that keeps no results would begin at its beginning, which nobody has asked for. */
export function onCrashLabels(
  { options: { onCrash, keepResults = true } }: FlowDefinition,
  given: OnCrash | undefined,
): Readonly<Record<string, string>> {
  return { [ON_CRASH]: given ?? onCrash ?? (keepResults ? "resume" : "fail") };
}

function concurrencyOf({ concurrency, concurrencyLimit, collisionStrategy }: DeploymentOptions) {
  if (concurrency === undefined)
    return collisionStrategy === undefined
      ? {}
      : { concurrency_options: { collision_strategy: collisionStrategy } };
  if (concurrencyLimit !== undefined || collisionStrategy !== undefined)
    throw new Error("concurrency takes the place of concurrencyLimit and collisionStrategy");
  const { key = null, limit = 1, onCollision = "queue" } = concurrency;
  return { concurrency_limit: limit, concurrency_key: key, on_collision: onCollision };
}

/** What the server is sent of the options. */
export function fieldsOf(definition: FlowDefinition, options: DeploymentOptions) {
  const { parameters = {}, tags = [] } = options;
  const description = options.description ?? definition.options.description;
  const version = options.version ?? definition.options.version;
  const given = { ...options, description, version };
  const sent = Object.entries(SENT_AS).flatMap(([option, field]) => {
    const value = given[option as keyof typeof SENT_AS];
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    ...(Object.fromEntries(sent) as Pick<DeploymentCreate, (typeof SENT_AS)[keyof typeof SENT_AS]>),
    schedules: schedulesOf(options),
    parameters: parameters as Record<string, never>,
    tags: [...(definition.options.tags ?? []), ...tags],
    parameter_openapi_schema: toJsonSchema(definition.options.parameters) as Record<string, never>,
    enforce_parameter_schema: options.enforceParameterSchema ?? true,
    paused: options.isPaused ?? false,
    labels: onCrashLabels(definition, options.onCrash),
    ...concurrencyOf(options),
  };
}
