import type { OrchestratorContext } from "../../context.ts";
import { FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS } from "../../db/trigram-indexes.ts";

/**
 * Keeps what finds runs by some letters of their names; says once why the database cannot have it.
 */
export function createRunTrigramsTick({
  db,
  log,
}: Pick<OrchestratorContext, "db" | "log">): (signal: AbortSignal) => Promise<void> {
  let told: string | null = null;
  return async (signal) => {
    for (const index of [FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS]) {
      const pass = await db.updateTrigramIndex(index, signal);
      if (pass.state !== "refused" || pass.reason === told) continue;
      told = pass.reason;
      const { table } = index;
      log.warn(
        { table, reason: told },
        "Searches by letters of names go without their index until it can be made",
      );
    }
  };
}
