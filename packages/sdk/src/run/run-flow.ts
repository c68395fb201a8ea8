// The life of a flow run, from RUNNING to its end, as often as it is tried.

import type { StateCreate } from "@orchestrator/contract";
import { asError, errorDetails, errorSummary, RunStoppedError } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";
import type { Hook, RunState } from "../options/options.ts";
import { passesRetryCondition, retryDelaySeconds } from "../options/retry.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { RunScope } from "../scope/context.ts";
import { nowMs, randomFraction, sleepOrAbort } from "../time.ts";
import { completed, type Ending, endingOf } from "./ending.ts";
import { executeBody } from "./execute-body.ts";
import type { ExecutedRun } from "./executed-run.ts";
import { callHook } from "./hooks.ts";
import {
  type Proposal,
  type ProposalResult,
  proposeState,
  withClaim,
  withTransition,
} from "./propose.ts";
import { reportRetryDelay } from "./report-retry-delay.ts";
import { isTaken } from "./watch-cancellation.ts";

interface Finished {
  readonly value: unknown;
  /**
   * Whether the server did not take the end: others may have the run by now, and go on behind what
   * this process has finished.
   */
  readonly isRefused: boolean;
}

/** What has become of the end of an attempt. */
type EndReport = "ended" | "again" | "refused";

/** Executes the run until it has ended; answers with the flow's result, or throws what ended it. */
export async function runFlow(run: ExecutedRun): Promise<Finished> {
  for (let attempt = 1; ; attempt += 1) {
    await begin(run, attempt);
    const scope = run.scopeFor(attempt);
    await tellHook(run, scope, { type: "RUNNING", name: "Running", message: null });
    const ending = await foundOrMade(run, attempt, scope).then(completed, (thrown: unknown) =>
      endingOf(asError(thrown), run.signal),
    );
    const told = await end(run, { attempt, scope, ending });
    if (told === "again") continue;
    if (ending.kind === "completed") return { value: ending.value, isRefused: told === "refused" };
    throw ending.error;
  }
}

/** Goes on behind the calls that have finished before, wherever that was. */
async function foundOrMade(run: ExecutedRun, attempt: number, scope: RunScope): Promise<unknown> {
  const { results, returnPlace } = run;
  if (run.hasEarlierResults || attempt > 1) await results?.load();
  const returned = returnPlace === null ? null : (results?.find(returnPlace) ?? null);
  if (returned !== null) return returned.value;
  const value = await executeBody(run, scope);
  if (returnPlace !== null) await results?.write(returnPlace, value);
  return value;
}

interface Attempt {
  readonly attempt: number;
  readonly scope: RunScope;
  readonly ending: Ending;
}

/**
 * The server decides whether a run may run: it may be cancelled, paused, or somebody else's by now.
 */
async function begin(run: ExecutedRun, attempt: number): Promise<void> {
  if (run.session === null) return;
  const name = attempt > 1 ? "Retrying" : "Running";
  const { infrastructurePid } = run.executor;
  const executor = {
    ...(infrastructurePid !== undefined && { infrastructure_pid: infrastructurePid }),
    heartbeat_interval_seconds: run.settings.heartbeatSeconds,
  };
  const verdict = await propose(run, { type: "RUNNING", name }, { signal: run.signal, executor });
  if (verdict.kind === "accepted" || isRunning(verdict)) return;
  const why =
    verdict.kind === "aborted" ? verdict.reason : `it is ${verdict.state.name}: ${verdict.reason}`;
  throw new RunStoppedError(`The flow run ${run.info.name} cannot run: ${why}`);
}

const isRunning = (verdict: ProposalResult): boolean =>
  verdict.kind === "rejected" && verdict.state.type === "RUNNING";

interface ToldEnd {
  readonly state: RunState;
  /** Null when it is the last. */
  readonly retryAfterSeconds: number | null;
}

interface ProposalOptions {
  readonly signal?: AbortSignal;
  readonly executor?: NonNullable<Proposal["executor"]>;
  readonly isForced?: boolean;
  readonly patienceSeconds?: number;
}

function propose(
  { session, info, claimId, settings }: ExecutedRun,
  state: StateCreate,
  {
    signal,
    executor,
    isForced = false,
    patienceSeconds = settings.deliverySeconds,
  }: ProposalOptions,
): Promise<ProposalResult> {
  if (session === null) throw new RunStoppedError("There is no server to ask");
  return proposeState(session.client, {
    flowRunId: info.id,
    state: withClaim(state, claimId),
    force: isForced,
    ...(executor !== undefined && { executor }),
    patienceSeconds,
    signal,
  });
}

/** Tells of the end of an attempt; says what has become of it. */
async function end(run: ExecutedRun, { attempt, scope, ending }: Attempt): Promise<EndReport> {
  if (ending.kind === "left") return "ended";
  const { state } = ending;
  const error = ending.kind === "completed" ? null : ending.error;
  if (error !== null) {
    const what = ending.kind === "failed" ? errorDetails(error) : state.message;
    scopeLogger(scope).error(`The flow run ended as ${state.name}: ${what}`);
  }
  const retryAfterSeconds = await delayOfRetry(run, { attempt, scope, ending });
  const told = run.session === null ? "again" : await tellEnd(run, { state, retryAfterSeconds });
  // What it would do may be wrong for whoever has the run by now.
  if (told === "refused") return told;
  if (told === "again" && retryAfterSeconds !== null) {
    if (retryAfterSeconds > 0) await sleepOrAbort(retryAfterSeconds * 1000, run.signal);
    return told;
  }
  await tellHook(run, scope, state, error);
  return "ended";
}

/** How long after this end the run is to be tried again; null when it is not. */
async function delayOfRetry(
  { definition: { options }, signal }: ExecutedRun,
  { attempt, scope, ending }: Attempt,
): Promise<number | null> {
  if (ending.kind !== "failed" || signal.aborted) return null;
  const { error } = ending;
  try {
    if (!(await passesRetryCondition(options, error, attempt))) return null;
    return retryDelaySeconds(options, { attempt, error, random: randomFraction() }) || 0;
  } catch (thrown) {
    scopeLogger(scope).error(
      `It is not tried again, as asking when failed: ${errorDetails(thrown)}`,
    );
    return null;
  }
}

/**
 * Everything that the run has told comes first, so that whoever sees the end sees the rest. Says
 * what has become of it.
 */
async function tellEnd(
  run: ExecutedRun,
  { state, retryAfterSeconds: seconds }: ToldEnd,
): Promise<EndReport> {
  const { session, settings, info, claimId } = run;
  if (session === null) return "ended";
  const startMs = nowMs();
  await session.flush(settings.deliverySeconds * 1000);
  const patienceSeconds = Math.max(1, settings.deliverySeconds - (nowMs() - startMs) / 1000);
  const { type, name, message } = state;
  // It is one request however late it is delivered, and about the run only as long as that is not
  // another's.
  const proposal = withTransition(withClaim({ type, name, message }, claimId));
  // The server tries a failed run again as often as its policy says; only force makes a failure
  // final before.
  const isForced = type === "FAILED" && seconds === null;
  const asked = { isForced, patienceSeconds };
  try {
    if (seconds !== null) await reportRetryDelay(run, { seconds, patienceSeconds });
    const verdict = await propose(run, proposal, asked);
    if (verdict.kind === "aborted") {
      if (type === "CANCELLED" && (await isCancelledAnyway(run, patienceSeconds))) return "ended";
      scopeLogger(null).warn(`The end of ${info.name} was not taken: ${verdict.reason}`);
      return "refused";
    }
    if (verdict.kind === "accepted") {
      run.executor.onEnded?.(state);
      return "ended";
    }
    // It goes on in another process, for which this end does not count.
    if (verdict.state.type === "SCHEDULED" && type === "CRASHED") return "refused";
    // It was cancelled in the last moment: that is the only way on from there.
    if (verdict.state.type === "CANCELLING") await propose(run, { type: "CANCELLED" }, asked);
    return verdict.state.type === "SCHEDULED" && seconds !== null ? "again" : "ended";
  } catch (error) {
    session.leave({ flow_run_id: info.id, state: proposal, force: isForced });
    scopeLogger(null).warn(`The end of ${info.name} is left for later: ${errorSummary(error)}`);
    return "ended";
  }
}

/**
 * Whether somebody has put the run to its end before, which gives up the claim without making the
 * run another's.
 */
async function isCancelledAnyway(
  { session, info, claimId }: ExecutedRun,
  seconds: number,
): Promise<boolean> {
  if (session === null) return false;
  const read = () => session.client.flowRuns.read(info.id, { retries: 0 });
  const record = await retryUntilAnswered(read, { seconds }).catch(() => null);
  return record?.state_type === "CANCELLED" && !isTaken(record, claimId);
}

function tellHook(
  { definition }: ExecutedRun,
  scope: RunScope,
  state: RunState,
  error: Error | null = null,
): Promise<void> {
  const { onRunning, onCompletion, onFailure, onCancellation, onCrashed } = definition.options;
  const hooks: Partial<Record<RunState["type"], Hook | undefined>> = {
    RUNNING: onRunning,
    COMPLETED: onCompletion,
    FAILED: onFailure,
    CANCELLED: onCancellation,
    CRASHED: onCrashed,
  };
  return callHook(hooks[state.type], scope, { state, error });
}
