// Where a flow run comes from: made for a call, made for a call within another run, or made by a
// deployment.

import type { CallOptions } from "@orchestrator/client";
import type { FlowRun, FlowRunPolicy } from "@orchestrator/contract";
import { NoServerError } from "../errors.ts";
import { idFor, newId } from "../ids.ts";
import type { FlowOptions } from "../options/options.ts";
import { nameOfRun } from "../options/run-name.ts";
import { isUnreachable } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import type { FlowRunInfo, RunScope } from "../scope/context.ts";
import { nextCall } from "../scope/context.ts";

export type Parameters = Readonly<Record<string, unknown>>;

export interface FlowDefinition {
  readonly name: string;
  readonly options: FlowOptions;
  readonly body: (...args: readonly unknown[]) => unknown;
}

/** Whoever starts a flow without a server wants to hear so soon. */
const FEW_RETRIES: CallOptions = { retries: 2 };

const flowIds = new WeakMap<ReportSession, Map<string, string>>();

/** The id of the flow on the server, which is asked once. */
export async function flowIdOf(
  session: ReportSession,
  { name, options }: FlowDefinition,
  call: CallOptions = {},
): Promise<string> {
  const known = flowIds.get(session) ?? new Map<string, string>();
  flowIds.set(session, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  const { id } = await session.client.flows.create({ name, tags: [...(options.tags ?? [])] }, call);
  known.set(name, id);
  return id;
}

/** JSON has no Infinity. */
export const FOR_EVER = 2_147_483_647;

/**
 * How often the server lets the run be tried, and after how long where that is known beforehand.
 */
export function policyOf({ options }: FlowDefinition): FlowRunPolicy {
  const { retries = 0 } = options;
  return { retries: Math.min(retries, FOR_EVER), retry_delay: fixedRetryDelayOf(options) ?? 0 };
}

/** Whole seconds that are the same before every attempt; null when they are not. */
export function fixedRetryDelayOf({
  retryDelaySeconds = 0,
  retryJitter = 0,
}: FlowOptions): number | null {
  if (typeof retryDelaySeconds !== "number" || retryJitter !== 0) return null;
  return Number.isInteger(retryDelaySeconds) ? retryDelaySeconds : null;
}

/** Makes the run of a call that nobody has asked for before. */
export async function createOwnRun(
  session: ReportSession,
  definition: FlowDefinition,
  parameters: Parameters,
): Promise<FlowRun> {
  try {
    const flow_id = await flowIdOf(session, definition, FEW_RETRIES);
    const run = { flow_id, ...newRun(definition, parameters) };
    return await session.client.flowRuns.create(run, FEW_RETRIES);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const advice =
      "start one with `orchestrator server start`, say where it is with ORCHESTRATOR_API_URL, or set ORCHESTRATOR_OFFLINE=allow to run without one";
    // Whoever sees this on a terminal needs no more than what went wrong first.
    throw new NoServerError(`No server at ${session.url}: ${advice}`, { cause: firstCause(error) });
  }
}

function firstCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? firstCause(error.cause) : error;
}

function newRun(definition: FlowDefinition, parameters: Parameters) {
  const { options } = definition;
  const { runName, version, tags = [] } = options;
  return {
    state: { type: "PENDING" as const },
    parameters: jsonOf(parameters),
    tags: [...tags],
    empirical_policy: policyOf(definition),
    idempotency_key: newId(),
    ...(version !== undefined && { flow_version: version }),
    ...(runName !== undefined && { name: nameOfRun(runName, [parameters]) }),
  };
}

/** The place of a call of a flow among those of the same name. */
export function childKey(scope: RunScope, { name }: FlowDefinition): string {
  return `${scope.callPath}${nextCall(scope, name)}`;
}

export interface ChildCall {
  readonly parameters: Parameters;
  readonly parent: FlowRunInfo;
  readonly callKey: string;
  /** Whether an earlier execution of the parent may have made this call. */
  readonly isRepeated: boolean;
  /** Whether an earlier run of the same call goes on. */
  readonly goesOn: (earlier: FlowRun) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * A run within another run: a task run stands for it in there. When the parent is executed again,
 * the run that the call had goes on. A server that is away is waited for, as the parent runs
 * already.
 */
export async function createChildRun(
  session: ReportSession,
  definition: FlowDefinition,
  { parameters, parent, callKey, isRepeated, goesOn, signal }: ChildCall,
): Promise<FlowRun> {
  const { client, settings } = session;
  const patience = { seconds: settings.deliverySeconds, signal };
  const { name } = definition;
  const standIn = {
    id: idFor(`${parent.id}/${name}/${callKey}`),
    name,
    flow_run_id: parent.id,
    task_key: name,
    dynamic_key: callKey,
    state: { type: "PENDING" as const },
  };
  const { id } = await retryUntilAnswered(() => client.taskRuns.create(standIn), patience);
  if (isRepeated) {
    const earlier = {
      flow_runs: { parent_task_run_id: { any_: [id] } },
      sort: "EXPECTED_START_TIME_DESC" as const,
      limit: 1,
    };
    const [run] = await retryUntilAnswered(() => client.flowRuns.list(earlier), patience);
    if (run !== undefined && (await goesOn(run))) return run;
  }
  const flow_id = await retryUntilAnswered(() => flowIdOf(session, definition), patience);
  const run = { flow_id, ...newRun(definition, parameters), parent_task_run_id: id };
  return retryUntilAnswered(() => client.flowRuns.create(run), patience);
}

/** What the server keeps of parameters; what JSON has no word for becomes text. */
export function jsonOf(parameters: Parameters): Record<string, never> {
  const text = JSON.stringify(parameters, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return JSON.parse(text) as Record<string, never>;
}
