// The life of a task run: found finished, found in the cache, or carried out, again if need be.

import {
  asError,
  CancelledError,
  errorDetails,
  errorSummary,
  PauseTimeoutError,
  RunStoppedError,
  RunTimeoutError,
} from "../errors.ts";
import { withTagSlots } from "../limits/tag-slots.ts";
import { scopeLogger } from "../logging/logger.ts";
import type { RunState } from "../options/options.ts";
import { passesRetryCondition, retryDelaySeconds } from "../options/retry.ts";
import { storableText } from "../report/storable-text.ts";
import { storageFrom } from "../results/block-storage.ts";
import { readCached, writeCached } from "../results/result-cache.ts";
import { localStorage, type ResultStorage } from "../results/result-storage.ts";
import type { FoundResult, RunResults } from "../results/run-results.ts";
import { type CallPlace, placeOfCall } from "../results/values.ts";
import { inScope, type RunScope } from "../scope/context.ts";
import { whileRunning } from "../scope/flow-scope.ts";
import { TaskPool } from "../scope/pool.ts";
import { readSettings } from "../settings.ts";
import { nowMs, randomFraction, sleepOrAbort, timestampIn, timestampOf } from "../time.ts";
import { callHook } from "./hooks.ts";
import { withTimeLimit } from "./limited-time.ts";
import { reportedTask, type TaskCall } from "./task-call.ts";
import { type ReportedState, TaskRunReporter } from "./task-run-reporter.ts";

const POOL_SIZE = 16;

/** Everything that one execution of a task run needs. */
interface TaskExecution {
  readonly call: TaskCall;
  readonly args: readonly unknown[];
  readonly scope: RunScope;
  readonly name: string;
  readonly report: TaskRunReporter | null;
  /** Where the result is stored for another execution of the run. */
  readonly kept: Kept | null;
  /** Whether a bad end has been told. */
  hasEndedBadly: boolean;
}

interface Kept {
  readonly results: RunResults;
  readonly place: CallPlace;
}

export function runTask(
  call: TaskCall,
  args: readonly unknown[],
  scope: RunScope,
  announced: TaskRunReporter | null = null,
): Promise<unknown> {
  const reported = reportedTask(call, args, scope.flowRun?.runCount ?? 0);
  const report =
    announced ?? (scope.flow === null ? null : new TaskRunReporter(scope.flow, reported));
  announced?.rename(reported.name);
  const { name } = reported;
  const kept = keptAt(call, args, scope);
  return finishTask({ call, args, scope, name, report, kept, hasEndedBadly: false });
}

function keptAt(call: TaskCall, args: readonly unknown[], { flow }: RunScope): Kept | null {
  const isKept = call.definition.options.keepResult ?? flow?.isResultKept ?? false;
  if (!isKept || flow === null || flow.results === null) return null;
  return { results: flow.results, place: placeOfCall(nameOfCall(call), args) };
}

const nameOfCall = ({ definition, dynamicKey }: TaskCall): string =>
  `${definition.name}/${dynamicKey}`;

/** Tells the server that a task waits for its turn. */
export function announceTask(
  call: TaskCall,
  args: readonly unknown[],
  { flow, flowRun }: RunScope,
): TaskRunReporter | null {
  // What has finished before does not begin again, unless its arguments differ.
  const hasFinished = flow?.results?.has(placeOfCall(nameOfCall(call), []).key) === true;
  if (flow === null || hasFinished) return null;
  const report = new TaskRunReporter(flow, reportedTask(call, args, flowRun?.runCount ?? 0));
  report.tell({ type: "PENDING", name: "Pending" });
  return report;
}

/** Tells the server that a task will not have its turn, as what it needs has failed. */
export function reportNotReady(
  report: TaskRunReporter,
  thrown: unknown,
  signal: AbortSignal,
): void {
  if (isLeft(thrown, signal)) return;
  const state = endOf(asError(thrown), signal);
  const message = `What it needs failed: ${state.message}`;
  if (state.type === "CANCELLED") report.tell({ ...state, message: state.message ?? "" });
  else report.tell({ type: "PENDING", name: "NotReady", message });
}

/**
 * Whatever goes wrong on the way, such as a cancellation before the next attempt, is an end of the
 * run; one that somebody else has ended or taken away is left as it is.
 */
async function finishTask(execution: TaskExecution): Promise<unknown> {
  const { signal } = execution.scope;
  try {
    signal.throwIfAborted();
    return await foundOrMade(execution);
  } catch (thrown) {
    if (!execution.hasEndedBadly && !isLeft(thrown, signal)) {
      await endBadly(execution, asError(thrown), thrown);
    }
    throw thrown;
  }
}

/**
 * Whether the task did not fail, but its flow run was ended, taken away or suspended: it may be
 * carried out anew under the same id. A pause whose time is over is the task's own failure, though
 * it ended the run.
 */
function isLeft(thrown: unknown, signal: AbortSignal): boolean {
  if (thrown instanceof PauseTimeoutError) return false;
  return thrown instanceof RunStoppedError || signal.reason instanceof RunStoppedError;
}

async function foundOrMade(execution: TaskExecution): Promise<unknown> {
  const { call, scope, kept } = execution;
  const finished = kept?.results.find(kept.place) ?? null;
  if (finished !== null) reportReused(execution, finished);
  const make = () => cachedOrMade(execution);
  const { value } = finished ?? { value: await whileRunning(scope.flow, call.callPath, make) };
  return remember(scope, call.taskRunId, value);
}

/** A rerun shows the task runs that it does not repeat. */
function reportReused({ call, kept, report }: TaskExecution, found: FoundResult): void {
  const { taskRunId } = found;
  if (kept === null || taskRunId === null || taskRunId === call.taskRunId) return;
  const message = `The result of the task run ${taskRunId} is reused`;
  const event = report?.eventOf({ type: "COMPLETED", name: "Cached", message }) ?? null;
  if (event !== null) kept.results.reuse(kept.place, found, event);
}

function remember(scope: RunScope, taskRunId: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null) scope.flow?.origins.set(value, taskRunId);
  return value;
}

async function cachedOrMade(execution: TaskExecution): Promise<unknown> {
  const { call, args, scope } = execution;
  const { cacheKey, cacheSeconds, refreshCache = false } = call.definition.options;
  const key = typeof cacheKey === "function" ? await cacheKey(...args) : (cacheKey ?? null);
  if (key === null) return makeWithSlots(execution);
  const storage = storageOf(execution);
  const cached = refreshCache ? null : await readCached({ storage, key });
  if (cached !== null) {
    // Keys may hold anything, but this event is all that is told of the task run.
    const details = { cache_key: storableText(key) };
    await complete(execution, cached.value, { type: "COMPLETED", name: "Cached", details });
    return cached.value;
  }
  const value = await makeWithSlots(execution);
  const expiresMs = cacheSeconds === undefined ? null : nowMs() + cacheSeconds * 1000;
  await tryToKeep(execution, async () => {
    if (await writeCached({ storage, key }, value, expiresMs)) return;
    scopeLogger(scope).warn(`The result of ${execution.name} cannot be kept for its cache key`);
  });
  return value;
}

/** The result counts once it is stored: nothing that follows from it begins before. */
async function complete(
  execution: TaskExecution,
  value: unknown,
  state: ReportedState & { readonly type: "COMPLETED" },
): Promise<void> {
  const { kept, report } = execution;
  if (kept === null) report?.tell(state);
  else {
    const event = report?.eventOf(state) ?? null;
    await tryToKeep(execution, () => kept.results.finish(kept.place, value, event));
  }
  await tellHook(execution, { type: state.type, name: state.name, message: null }, null);
}

/**
 * The task has completed, and been told to have: a result that cannot be kept is only made anew
 * next time.
 */
async function tryToKeep({ scope, name }: TaskExecution, keep: () => unknown): Promise<void> {
  try {
    await keep();
  } catch (error) {
    if (error instanceof RunStoppedError) throw error;
    scopeLogger(scope).warn(`The result of ${name} cannot be kept: ${errorSummary(error)}`);
  }
}

function storageOf({ call, scope }: TaskExecution): ResultStorage {
  const { resultStorage } = call.definition.options;
  if (resultStorage !== undefined) return storageFrom(resultStorage);
  return scope.flow?.storage ?? localStorage(`${readSettings().home}/results`);
}

function makeWithSlots(execution: TaskExecution): Promise<unknown> {
  const { call, scope } = execution;
  const { tags = [] } = call.definition.options;
  const session = scope.flow?.session ?? null;
  if (session === null || tags.length === 0) return make(execution);
  const holder = { type: "task_run" as const, id: call.taskRunId };
  return withTagSlots({ session, tags, holder, signal: scope.signal }, () => make(execution));
}

/** Tries as often as the task says. */
async function make(execution: TaskExecution): Promise<unknown> {
  const { call, report, scope } = execution;
  const { options } = call.definition;
  for (let attempt = 1; ; attempt += 1) {
    const taskScope = scopeOfAttempt(execution, attempt);
    const running = { type: "RUNNING", name: attempt === 1 ? "Running" : "Retrying" } as const;
    report?.tell(running);
    await tellHook(execution, { ...running, message: null }, null);
    try {
      const value = await attemptTask(execution, taskScope);
      await complete(execution, value, { type: "COMPLETED", name: "Completed" });
      return value;
    } catch (thrown) {
      if (isLeft(thrown, scope.signal)) throw thrown;
      const error = asError(thrown);
      const isStopped = scope.signal.aborted || error instanceof PauseTimeoutError;
      if (isStopped || !(await passesRetryCondition(options, error, attempt))) {
        await endBadly(execution, error, thrown);
        throw thrown;
      }
      const seconds = retryDelaySeconds(options, { attempt, error, random: randomFraction() });
      await awaitRetry(execution, { error, seconds });
    }
  }
}

/** Also a task that was called outside of any flow knows that it runs. */
function scopeOfAttempt({ call, scope, name }: TaskExecution, attempt: number): RunScope {
  const { definition, taskRunId, callPath } = call;
  const { name: taskName, options } = definition;
  return {
    ...scope,
    taskRun: { id: taskRunId, name, taskName, attempt, tags: options.tags ?? [] },
    callCounts: new Map(),
    callPath,
    pool: new TaskPool(POOL_SIZE),
  };
}

function attemptTask({ call, args, name }: TaskExecution, scope: RunScope): Promise<unknown> {
  const { definition } = call;
  const { options } = definition;
  const body = scope.flow?.session?.bodyOf?.(definition) ?? definition.body;
  const limit = { seconds: options.timeoutSeconds, what: name, parent: scope.signal };
  return withTimeLimit(limit, (signal) => inScope({ ...scope, signal }, async () => body(...args)));
}

async function awaitRetry(
  execution: TaskExecution,
  { error, seconds }: { readonly error: Error; readonly seconds: number },
): Promise<void> {
  const { report, scope, name } = execution;
  scopeLogger(scopeOfTask(execution)).warn(
    `${name} failed and is tried again in ${Number(seconds.toFixed(2))} s: ${errorSummary(error)}`,
  );
  report?.tell({
    type: "SCHEDULED",
    name: "AwaitingRetry",
    message: errorSummary(error),
    details: { scheduled_time: seconds > 0 ? timestampIn(seconds) : timestampOf(nowMs() * 1000) },
  });
  if (seconds > 0) await sleepOrAbort(seconds * 1000, scope.signal);
}

async function endBadly(execution: TaskExecution, error: Error, thrown: unknown): Promise<void> {
  execution.hasEndedBadly = true;
  const state = endOf(error, execution.scope.signal);
  execution.report?.tell({ ...state, message: state.message ?? "" });
  if (state.type === "FAILED") {
    const log = scopeLogger(scopeOfTask(execution));
    log.error(`${execution.name} failed: ${errorDetails(thrown)}`);
  }
  await tellHook(execution, state, error);
}

function endOf(error: Error, signal: AbortSignal): RunState {
  const message = errorSummary(error);
  if (signal.aborted && signal.reason instanceof CancelledError) {
    return { type: "CANCELLED", name: "Cancelled", message };
  }
  if (error instanceof RunTimeoutError) return { type: "FAILED", name: "TimedOut", message };
  return { type: "FAILED", name: "Failed", message };
}

/** Where what is said about the task belongs, whichever attempt it is. */
function scopeOfTask({ call, scope, name }: TaskExecution): RunScope {
  const { taskRunId: id, definition } = call;
  const tags = definition.options.tags ?? [];
  return { ...scope, taskRun: { id, name, taskName: definition.name, attempt: 0, tags } };
}

function tellHook(execution: TaskExecution, state: RunState, error: Error | null): Promise<void> {
  const { onRunning, onCompletion, onFailure, onCancellation } = execution.call.definition.options;
  const hooks: Partial<Record<RunState["type"], typeof onRunning | undefined>> = {
    RUNNING: onRunning,
    COMPLETED: onCompletion,
    FAILED: onFailure,
    CANCELLED: onCancellation,
  };
  const hook = hooks[state.type];
  if (hook === undefined) return Promise.resolve();
  return callHook(hook, scopeOfTask(execution), { state, error });
}
