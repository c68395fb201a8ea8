// A run that was started, as its starter follows it.

import type { FlowRun } from "@orchestrator/contract";
import { FlowRunFailedError, ResultNotStoredError } from "../errors.ts";
import type { RunState } from "../options/options.ts";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { unpackValue } from "../results/values.ts";
import { sleepOrAbort } from "../time.ts";

/** A flow run that was started. */
export interface FlowRunHandle<Value = unknown> {
  readonly id: string;
  readonly name: string;
  /** Its page in the web UI; undefined where no server knows the run. */
  readonly url: string | undefined;
  /** Waits until it has ended; its result, or a `FlowRunFailedError` where it has not completed. */
  readonly result: () => Promise<Value>;
  /** Waits until it has ended; the state that it ended in. */
  readonly wait: () => Promise<RunState>;
  /** The state that it is in. */
  readonly status: () => Promise<RunState>;
  /** Asks for its end, which `wait` waits for. A run that has ended stays as it is. */
  readonly cancel: () => Promise<void>;
}

/** Which run of which server is followed, and until when. */
export interface FollowedRun {
  readonly session: ReportSession;
  readonly run: FlowRun;
  /** Ends the waiting. */
  readonly signal: AbortSignal | undefined;
}

const NOT_THERE = 404;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2000;
const SLOWER = 1.5;
const ENDS: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]);
/** Where no process executes the run, there is none to wait for. */
const IDLE: ReadonlySet<string | null> = new Set(["SCHEDULED", "PAUSED"]);

export function followRun<Value>(followed: FollowedRun): FlowRunHandle<Value> {
  const { session, run } = followed;
  const { id, name } = run;
  const wait = () => waitForEnd(followed);
  return {
    id,
    name,
    url: urlOfRun(session, id),
    async result() {
      const state = await wait();
      if (state.type !== "COMPLETED") throw new FlowRunFailedError(run, state);
      return (await readResult(followed)) as Value;
    },
    wait,
    status: async () => stateOf(await readRun(followed)),
    async cancel() {
      const record = await readRun(followed);
      if (ENDS.has(record.state_type ?? "")) return;
      const isIdle = record.infrastructure_pid === null && IDLE.has(record.state_type);
      const state = { type: isIdle ? ("CANCELLED" as const) : ("CANCELLING" as const) };
      await session.client.flowRuns.setState(id, { state });
    },
  };
}

/** The pages are beside the API. */
export function urlOfRun({ url }: ReportSession, id: string): string {
  return url.replace(/\/api(\/.*)?$/, `/runs/${id}`);
}

function readRun({ session, run, signal }: FollowedRun): Promise<FlowRun> {
  const patience = { seconds: session.settings.deliverySeconds, signal };
  return retryUntilAnswered(
    () => session.client.flowRuns.read(run.id, { retries: 0, signal }),
    patience,
  );
}

function stateOf({ state, state_type, state_name }: FlowRun): RunState {
  const type = state_type ?? "PENDING";
  return { type, name: state_name ?? type, message: state?.message ?? null };
}

async function waitForEnd(followed: FollowedRun): Promise<RunState> {
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * SLOWER, MAX_POLL_MS)) {
    const state = stateOf(await readRun(followed));
    if (ENDS.has(state.type)) return state;
    await sleepOrAbort(delayMs, followed.signal);
  }
}

async function readResult({ session, run, signal }: FollowedRun): Promise<unknown> {
  const read = () => session.client.flowRuns.readResult(run.id, { retries: 0, signal });
  const patience = { seconds: session.settings.deliverySeconds, signal };
  try {
    const { value } = await retryUntilAnswered(read, patience);
    return unpackValue(Buffer.from(value, "base64"));
  } catch (error) {
    if (!hasStatus(error, NOT_THERE)) throw error;
    throw new ResultNotStoredError(
      `The flow run ${run.name} has completed, but its result is not stored: flows of this SDK store results of at most 64 KiB, unless they have \`keepResults: false\``,
      { cause: error },
    );
  }
}
