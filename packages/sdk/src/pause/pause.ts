// A run that waits for a person: where it is (pause), or by ending and being carried out anew
// (suspend).

import { PauseTimeoutError, RunStoppedError } from "../errors.ts";
import { checkValue, type SchemaLike, toJsonSchema } from "../parameters/parameter-schema.ts";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { proposeState } from "../run/propose.ts";
import { type FlowRunInfo, nextCall, type RunScope, scopeInFlow } from "../scope/context.ts";
import type { FlowScope } from "../scope/flow-scope.ts";
import { sleepOrAbort, timestampIn } from "../time.ts";

export interface PauseOptions {
  /** After so long without an answer the run fails. @default 3600 */
  readonly timeoutSeconds?: number | undefined;
  /**
   * By which the pause is known when the run is executed again. @default made from the task that
   * pauses and how many it had before
   */
  readonly key?: string | undefined;
}

export interface InputOptions<Value> extends PauseOptions {
  /** What the answer must look like; it is also the form that people fill in. */
  readonly schema: SchemaLike<Value>;
  /** Says, in Markdown, what is asked for. */
  readonly description?: string | undefined;
  /**
   * Whether the process waits, or ends and the run is carried out anew with the answer; that needs
   * a deployment. @default "pause"
   */
  readonly how?: "pause" | "suspend" | undefined;
}

const TIMEOUT_SECONDS = 3600;
const POLL_MS = 1000;
const TAKEN = 409;

/** Stops here until somebody resumes the run. */
export async function pauseFlowRun(options: PauseOptions = {}): Promise<void> {
  await stopHere("pause", options, null);
}

/**
 * Ends this execution; when somebody resumes the run it is carried out anew, and passes this place.
 * What was finished before is not done again.
 */
export async function suspendFlowRun(options: PauseOptions = {}): Promise<void> {
  await stopHere("suspend", options, null);
}

/** Stops here until somebody gives the answer. */
export async function waitForInput<Value>(options: InputOptions<Value>): Promise<Value> {
  const { schema, description, how = "pause" } = options;
  const question = { schema: toJsonSchema(schema), description: description ?? null };
  const answer = await stopHere(how, options, question);
  return checkValue(schema, answer, "The answer");
}

interface Question {
  readonly schema: object;
  readonly description: string | null;
}

async function stopHere(
  how: "pause" | "suspend",
  { timeoutSeconds = TIMEOUT_SECONDS, key }: PauseOptions,
  question: Question | null,
): Promise<unknown> {
  const scope = scopeInFlow(how === "pause" ? "pauseFlowRun" : "suspendFlowRun");
  const { flow, flowRun, signal } = scope;
  const { session } = flow;
  if (session === null)
    throw new RunStoppedError(
      "A run that no server knows cannot be paused: in a test, use testFlow of @orchestrator/sdk/testing",
    );
  const name = how === "pause" ? "Paused" : "Suspended";
  const pauseKey = key ?? keyOfPlace(how, scope);
  const keyset = keysOf(name, pauseKey);
  if (question !== null) await ask(session, flowRun, { question, keyset });
  await session.flush(session.settings.deliverySeconds * 1000);
  const pause_timeout = timestampIn(timeoutSeconds);
  const verdict = await proposeState(session.client, {
    flowRunId: flowRun.id,
    state: {
      type: "PAUSED",
      name,
      state_details: {
        pause_timeout,
        pause_reschedule: how === "suspend",
        pause_key: pauseKey,
        ...(question !== null && { run_input_keyset: keyset }),
      },
    },
    patienceSeconds: session.settings.deliverySeconds,
    signal,
  });
  if (verdict.kind === "aborted") throw new Error(`The run cannot be paused: ${verdict.reason}`);
  // A run that is executed again passes the places where it was paused before.
  if (verdict.kind === "accepted") {
    if (how === "suspend") throw new RunStoppedError(`The run ${flowRun.name} is suspended`);
    flow.pauses.add(pauseKey);
    try {
      await untilResumed(session, flowRun, { pause_timeout, signal });
    } catch (error) {
      if (error instanceof PauseTimeoutError) leaveSoon(flow);
      throw error;
    } finally {
      flow.pauses.delete(pauseKey);
    }
  } else if (verdict.state.type !== "RUNNING") {
    throw new RunStoppedError(`The run ${flowRun.name} is ${verdict.state.name}`);
  }
  return question === null ? undefined : readAnswer(session, flowRun, keyset.response);
}

/**
 * Whoever catches the end of the pause cannot complete the run, which the server has failed: the
 * run does not end before it has looked. The task that waits fails first, as that is its own
 * failure.
 */
function leaveSoon({ look, pending }: FlowScope): void {
  const looked = look().catch(() => {}); // without an answer it ends as it would have
  pending.add(looked);
  void looked.then(() => pending.delete(looked));
}

/**
 * Each call of a task counts its own pauses. Its id is the same whenever the run is executed again.
 */
function keyOfPlace(how: string, scope: RunScope): string {
  const number = nextCall(scope, ` ${how}`);
  return scope.taskRun === null ? `${how}-${number}` : `${how}-${scope.taskRun.id}-${number}`;
}

function keysOf(name: string, pauseKey: string) {
  const key = (what: string): string => `${name.toLowerCase()}-${pauseKey}-${what}`;
  return { description: key("description"), response: key("response"), schema: key("schema") };
}

interface InputRequest {
  readonly question: Question;
  readonly keyset: ReturnType<typeof keysOf>;
}

async function ask(
  session: ReportSession,
  { id }: FlowRunInfo,
  { question, keyset }: InputRequest,
): Promise<void> {
  const put = async (key: string, value: string): Promise<void> => {
    try {
      await session.client.flowRuns.createInput(id, { key, value });
    } catch (error) {
      if (!hasStatus(error, TAKEN)) throw error;
    }
  };
  await put(keyset.schema, JSON.stringify(question.schema));
  if (question.description !== null) await put(keyset.description, question.description);
}

async function untilResumed(
  session: ReportSession,
  { id, name }: FlowRunInfo,
  { pause_timeout, signal }: { readonly pause_timeout: string; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const patience = { seconds: session.settings.deliverySeconds, signal };
    const { state, state_type, state_name } = await retryUntilAnswered(
      () => session.client.flowRuns.read(id),
      patience,
    );
    if (state_type === "RUNNING") return;
    // Both are times of the server's clock by now: a person who fails the run before then ends it
    // for another reason.
    if (state?.type === "FAILED" && state.timestamp >= pause_timeout) {
      throw new PauseTimeoutError(`The run ${name} was not resumed in time`);
    }
    if (state_type !== "PAUSED" && state_type !== "CANCELLING") {
      throw new RunStoppedError(`The run ${name} was not resumed: it is ${state_name}`);
    }
    await sleepOrAbort(POLL_MS, signal);
  }
}

async function readAnswer(
  session: ReportSession,
  { id }: FlowRunInfo,
  key: string,
): Promise<unknown> {
  const value: unknown = await session.client.flowRuns.readInput(id, key);
  return typeof value === "string" ? JSON.parse(value) : value;
}
