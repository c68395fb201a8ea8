import { errorDetails, RunStoppedError } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";
import { inScope, type RunScope } from "../scope/context.ts";
import type { FlowScope } from "../scope/flow-scope.ts";
import { sleepOrAbort } from "../time.ts";
import type { ExecutedRun } from "./executed-run.ts";
import { withTimeLimit } from "./limited-time.ts";

/** How long a body that was told to stop may take to clean up behind itself. */
const GRACE_MS = 10_000;

/** Calls the flow's function, and waits for all the tasks that it has submitted. */
export async function executeBody(run: ExecutedRun, scope: RunScope): Promise<unknown> {
  const { definition, info, signal: parent } = run;
  const limit = { seconds: definition.options.timeoutSeconds, what: info.name, parent };
  let body: Promise<unknown> = Promise.resolve();
  try {
    return await withTimeLimit(limit, (signal) => {
      const limited = { ...scope, signal };
      body = inScope(limited, async () => callBody(run, limited));
      return body;
    });
  } catch (error) {
    if (parent.aborted) await settledWithin(body, GRACE_MS);
    throw error;
  }
}

async function callBody({ definition, args }: ExecutedRun, scope: RunScope): Promise<unknown> {
  const { flow } = scope;
  let value: unknown;
  try {
    value = await definition.body(...args);
  } catch (error) {
    // Whoever has the run next does not wait for this process, which is to end.
    if (error instanceof RunStoppedError) throw error;
    if (flow !== null && flow.pending.size > 0) tellBeforeWaiting(error, scope, flow.pending.size);
    // Another attempt must not submit them while these still run.
    await untilNonePending(flow);
    throw error;
  }
  await untilNonePending(flow);
  // Nobody has asked for these results, so nobody has heard of the failures.
  const [unseen] = flow?.unseenFailures ?? [];
  if (unseen !== undefined) throw unseen;
  return value;
}

/**
 * The wait may be long, and may end by something else that is told then in the place of the error.
 */
function tellBeforeWaiting(error: unknown, scope: RunScope, underWay: number): void {
  if (scope.signal.aborted) return;
  const what = `The flow failed and waits for what it has submitted (${underWay} under way)`;
  scopeLogger(scope).error(`${what}: ${errorDetails(error)}`);
}

async function untilNonePending(flow: FlowScope | null): Promise<void> {
  while (flow !== null && flow.pending.size > 0) await Promise.all(flow.pending);
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const settled = work.then(
    () => {},
    () => {},
  );
  await Promise.race([settled, sleepOrAbort(ms, done.signal).catch(() => {})]);
  done.abort(new Error("settled"));
}
