// Runs of deployments, started by a program or by a flow.

import type { DeploymentFlowRunCreate, FlowRun } from "@orchestrator/contract";
import { RunStoppedError } from "../errors.ts";
import { idFor, newId } from "../ids.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import { openSession, type ReportSession } from "../report/session.ts";
import { KEEP_RESULT } from "../run/executed-run.ts";
import { jsonOf } from "../run/flow-run.ts";
import { findScope, nextCall, type RunScope } from "../scope/context.ts";
import { timestampOf } from "../time.ts";
import { type FlowRunHandle, followRun } from "./run-handle.ts";

export interface StartOptions {
  /** Of the run. @default made up by the server */
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** @default at once */
  readonly startAt?: Date | undefined;
  /** Of the runs that wait in a queue the higher goes first, from -1000 to 1000. @default 0 */
  readonly priority?: number | undefined;
  readonly jobVariables?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Two starts of a flow with one key are one run. @default within a flow made from the place of
   * the call
   */
  readonly idempotencyKey?: string | undefined;
}

type AnyFlow = (...args: never[]) => Promise<unknown>;
type UntypedFlow = (parameters?: Readonly<Record<string, unknown>>) => Promise<unknown>;
type FirstOf<Args> = Args extends readonly [(infer First)?, ...unknown[]]
  ? NonNullable<First>
  : never;

/** What a run of a deployment may be given; the deployment may have the rest. */
export type StartParameters<Started extends AnyFlow> = Partial<FirstOf<Parameters<Started>>>;
export type ResultOf<Started extends AnyFlow> = Awaited<ReturnType<Started>>;

const STARTED_BY = "orchestrator.started-by";
const ENDED_BADLY: ReadonlySet<string | null> = new Set(["FAILED", "CRASHED", "CANCELLED"]);

/**
 * Starts a run of a deployment, which is named as `flow/deployment`. Within a flow, the start is
 * durable: a flow that executes again gets the same run, unless that ended badly.
 *
 * @example const run = await startDeployment<typeof report>("report/nightly", { region: "eu" });
 */
export async function startDeployment<Started extends AnyFlow = UntypedFlow>(
  deployment: string,
  parameters?: StartParameters<Started>,
  options: StartOptions = {},
): Promise<FlowRunHandle<ResultOf<Started>>> {
  const scope = findScope();
  const key = options.idempotencyKey ?? keyOfPlace(deployment, scope);
  const session = sessionOf(scope);
  const signal = scope?.signal;
  const at = deployment.lastIndexOf("/");
  if (at < 1 || at === deployment.length - 1) {
    throw new TypeError(`A deployment is named as flow/deployment, not ${deployment}`);
  }
  const patience = { seconds: session.settings.deliverySeconds, signal };
  const { id } = await retryUntilAnswered(
    () =>
      session.client.deployments.readByName(deployment.slice(0, at), deployment.slice(at + 1), {
        signal,
      }),
    patience,
  );
  const body = bodyOf(parameters ?? {}, options, scope);
  const create = (idempotency_key: string): Promise<FlowRun> => {
    const keyed = { ...body, idempotency_key };
    return retryUntilAnswered(() => session.client.deployments.createFlowRun(id, keyed), patience);
  };
  const isOfPlace = options.idempotencyKey === undefined && scope?.flowRun != null;
  const run = isOfPlace ? await runOfPlace(create, key, scope) : await create(key);
  return followRun({ session, run, signal });
}

/**
 * A run that ended badly is not reused by a later execution: like a failed task, it is made again.
 */
async function runOfPlace(
  create: (key: string) => Promise<FlowRun>,
  key: string,
  { flowRun, taskRun }: RunScope,
): Promise<FlowRun> {
  const executions = (flowRun?.runCount ?? 1) + (taskRun?.attempt ?? 1) - 1;
  for (let execution = 1; ; execution += 1) {
    const run = await create(execution === 1 ? key : `${key}/${execution}`);
    if (execution >= executions || !ENDED_BADLY.has(run.state_type)) return run;
  }
}

/** The same whenever the flow executes again, and of each start outside of a flow another. */
function keyOfPlace(deployment: string, scope: RunScope | null): string {
  if (scope?.flowRun == null) return newId();
  const number = nextCall(scope, ` start ${deployment}`);
  return idFor(`${scope.flowRun.id}/${scope.callPath}start ${deployment}-${number}`);
}

function sessionOf(scope: RunScope | null): ReportSession {
  if (scope?.flow == null) return openSession();
  if (scope.flow.session !== null) return scope.flow.session;
  throw new RunStoppedError(
    "A run that no server knows cannot start a deployment: in a test, use testFlow of @orchestrator/sdk/testing",
  );
}

function bodyOf(
  parameters: object,
  { name, tags, startAt, priority, jobVariables }: StartOptions,
  scope: RunScope | null,
): DeploymentFlowRunCreate {
  const starter = scope?.flowRun?.id;
  return {
    parameters: jsonOf(parameters as Readonly<Record<string, unknown>>),
    labels: { [KEEP_RESULT]: "true", ...(starter !== undefined && { [STARTED_BY]: starter }) },
    ...(name !== undefined && { name }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(priority !== undefined && { priority }),
    ...(jobVariables !== undefined && { job_variables: jsonOf(jobVariables) }),
    ...(startAt !== undefined && {
      state: {
        type: "SCHEDULED" as const,
        state_details: { scheduled_time: timestampOf(startAt.getTime() * 1000) },
      },
    }),
  };
}
