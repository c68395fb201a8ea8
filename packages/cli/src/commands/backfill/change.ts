import type { Command } from "commander";
import { examples } from "../../io/command.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { EXAMPLE_ID, foundBackfill, leafOfBackfill } from "./find-backfill.ts";
import { progressText } from "./progress-text.ts";

interface CancelOptions {
  readonly cancelRuns?: boolean;
}

/** Asks nothing first: a backfill can be resumed, and a run that was cancelled can be retried. */
export function cancelBackfillCommand(): Command {
  return leafOfBackfill()
    .option("--cancel-runs", "cancel its runs that have not ended, too")
    .addHelpText(
      "after",
      examples(`backfill cancel ${EXAMPLE_ID}`, `backfill cancel ${EXAMPLE_ID} --cancel-runs`),
    )
    .action(async (id: string, { cancelRuns = false }: CancelOptions, command: Command) => {
      const session = sessionOf(command);
      const after = await foundBackfill(session, id, (backfills) =>
        backfills.cancel(id, { cancel_runs: cancelRuns }),
      );
      printDone(session, `Backfill ${id} is ${progressText(after)}`, after);
      if (session.json) return;
      if (after.active_runs > 0)
        say(
          cancelRuns
            ? "Its runs that have not ended are being cancelled"
            : "Its runs that have not ended go on; --cancel-runs cancels them, too",
        );
      say(`Let it go on with: orchestrator backfill resume ${id}`);
    });
}

export function resumeBackfillCommand(): Command {
  return leafOfBackfill()
    .addHelpText("after", examples(`backfill resume ${EXAMPLE_ID}`))
    .action(async (id: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const after = await foundBackfill(session, id, (backfills) => backfills.resume(id));
      printDone(session, `Backfill ${id} is ${progressText(after)}`, after);
    });
}
