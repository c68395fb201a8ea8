import { isAppError } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";

/**
 * Does the work for each run that was found; one that fails, or is gone by now, holds up no other.
 * Counts those done.
 */
export async function oneByOne<Run extends { readonly id: string }>(
  { log }: Pick<OrchestratorContext, "log">,
  { runs, signal }: { readonly runs: readonly Run[]; readonly signal: AbortSignal },
  work: (run: Run) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (const run of runs) {
    if (signal.aborted) break;
    try {
      if (await work(run)) done += 1;
    } catch (error) {
      if (isAppError(error, "not_found")) continue;
      // Nothing else will work either: let the loop back off.
      if (isAppError(error, "unavailable")) throw error;
      log.error({ err: error, run: run.id }, "A run could not be looked after");
    }
  }
  return done;
}

/** Each takes a connection, where there are such, and others need some too. */
const FEW = 4;

/**
 * The same where the order does not matter and each is a small write: SQLite commits together those
 * that are made at the same time.
 */
export async function fewAtOnce<Run extends { readonly id: string }>(
  ctx: Pick<OrchestratorContext, "log">,
  { runs, signal }: { readonly runs: readonly Run[]; readonly signal: AbortSignal },
  work: (run: Run) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (let first = 0; first < runs.length && !signal.aborted; first += FEW) {
    const few = runs.slice(first, first + FEW);
    // All have ended before anything is said: whoever stops the loop closes the database.
    const ended = await Promise.allSettled(
      few.map((run) => oneByOne(ctx, { runs: [run], signal }, work)),
    );
    for (const one of ended) {
      if (one.status === "rejected") throw one.reason;
      done += one.value;
    }
  }
  return done;
}
