import { sleep } from "../time.ts";
import { inScope, type RunScope } from "./context.ts";
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
      body = inScope({ ...scope, signal }, async () => callBody(run, scope));
      return body;
    });
  } catch (error) {
    if (parent.aborted) await settledWithin(body, GRACE_MS);
    throw error;
  }
}

async function callBody({ definition, args }: ExecutedRun, { flow }: RunScope): Promise<unknown> {
  let value: unknown;
  try {
    value = await definition.body(...args);
  } finally {
    // Also when it failed: another attempt must not submit them while these still run.
    while (flow !== null && flow.pending.size > 0) await Promise.all(flow.pending);
  }
  // Nobody has asked for these results, so nobody has heard of the failures.
  const [unseen] = flow?.unseenFailures ?? [];
  if (unseen !== undefined) throw unseen;
  return value;
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const settled = work.then(
    () => {},
    () => {},
  );
  await Promise.race([settled, sleep(ms, done.signal).catch(() => {})]);
  done.abort(new Error("settled"));
}
