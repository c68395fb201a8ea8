import { isAppError } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";

/** Does the work for each run that was found; one that fails, or is gone by now, holds up no other. Counts those done. */
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

/** So many writes share a commit, and leave connections to others. */
const FEW = 8;

/** The same where the order does not matter and each is a small write: those that are made at the same time are committed together. */
export async function fewAtOnce<Run extends { readonly id: string }>(
  ctx: Pick<OrchestratorContext, "log">,
  { runs, signal }: { readonly runs: readonly Run[]; readonly signal: AbortSignal },
  work: (run: Run) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (let first = 0; first < runs.length && !signal.aborted; first += FEW) {
    const few = runs.slice(first, first + FEW);
    const counts = await Promise.all(
      few.map((run) => oneByOne(ctx, { runs: [run], signal }, work)),
    );
    for (const count of counts) done += count;
  }
  return done;
}
