// A call that waits, known to the server: in this process for a while, then without one. It goes on
// behind the call wherever the run is executed next.

import type { FlowRunWait, FlowRunWaitCreate } from "@orchestrator/contract";
import { RunStoppedError } from "../errors.ts";
import { isLapsedClaim } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import type { FlowRunInfo, RunScope } from "../scope/context.ts";
import type { FlowScope } from "../scope/flow-scope.ts";
import { nowMs, sleepOrAbort } from "../time.ts";

const FIRST_POLL_MS = 100;
const POLL_MS = 1000;

export interface WaitingScope extends RunScope {
  readonly flow: FlowScope;
  readonly flowRun: FlowRunInfo;
}

export interface RegisteredWait {
  readonly session: ReportSession;
  readonly wait: FlowRunWaitCreate;
  /** How long a process waits. */
  readonly suspendAfterSeconds: number;
}

/** Resolves when the wait has ended; ends the execution where that takes long. */
export async function untilWaitEnds(
  scope: WaitingScope,
  request: RegisteredWait,
): Promise<FlowRunWait> {
  const { flow, signal } = scope;
  const { key } = request.wait;
  flow.waits.set(key, scope.callPath);
  try {
    const suspendMs = nowMs() + request.suspendAfterSeconds * 1000;
    let canSuspend = scope.flowRun.deploymentId !== null;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, POLL_MS)) {
      const found = await readWait(scope, request);
      if (found.outcome !== null) return found;
      const endMs = nowMs() + found.remaining_seconds * 1000;
      const isSleep = found.event === null;
      const isLong = canSuspend && endMs > suspendMs;
      // Of a sleep it is known from the beginning that it is long.
      if (isLong && (isSleep || nowMs() >= suspendMs) && isIdle(flow))
        canSuspend = await suspendRun(scope, request);
      else await sleepOrAbort(isSleep && !isLong ? Math.max(1, endMs - nowMs()) : pollMs, signal);
    }
  } finally {
    flow.waits.delete(key);
  }
}

async function readWait(
  { flow, flowRun, signal }: WaitingScope,
  { session, wait }: RegisteredWait,
): Promise<FlowRunWait> {
  const body = { ...wait, claim: flow.claim };
  const patience = { seconds: session.settings.deliverySeconds, signal };
  try {
    return await retryUntilAnswered(
      () => session.client.flowRuns.wait(flowRun.id, body, { retries: 0 }),
      patience,
    );
  } catch (error) {
    if (!isLapsedClaim(error)) throw error;
    throw new RunStoppedError("The run was offered to others");
  }
}

/** Whether nothing is under way but what waits: it would be done again. */
function isIdle({ running, waits }: FlowScope): boolean {
  const waiting = [...waits.values()];
  return [...running].every((path) => waiting.some((place) => place.startsWith(path)));
}

/** Ends the execution, unless a wait has ended by now. Says whether to ask again later. */
async function suspendRun(
  { flow, flowRun, signal }: WaitingScope,
  { session }: RegisteredWait,
): Promise<boolean> {
  const { deliverySeconds: seconds } = session.settings;
  await session.flush(seconds * 1000);
  const suspension = { keys: [...flow.waits.keys()], claim_id: flow.claim?.claim_id ?? null };
  const { status, state } = await retryUntilAnswered(
    () => session.client.flowRuns.suspend(flowRun.id, suspension, { retries: 0 }),
    { seconds, signal },
  );
  if (status === "REJECT") return true;
  // What else is under way in this process ends as well.
  await flow.look().catch(() => {});
  signal.throwIfAborted();
  if (status === "ACCEPT")
    throw new RunStoppedError(`The run ${flowRun.name} is suspended: ${state?.message}`);
  return false;
}
