import type { Database } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { AT_ONCE } from "../db/migrations/0058-remote-tallies.ts";
import { systemStatement } from "../db/tables.ts";

const addUp = systemStatement<object>()((db) =>
  db.selectNoFrom(sql<number>`add_up_flow_run_changes()`.as("changes")),
);

/**
 * Adds up what writes have noted of the states of runs since, so that a count has few notes to
 * read. For PostgreSQL; tells how many there were.
 */
export async function addUpRunChanges(db: Database, signal?: AbortSignal): Promise<number> {
  for (let all = 0; ; ) {
    const changes = await db.writeSystem(async (tx) => (await tx.get(addUp, {}))?.changes ?? 0);
    all += changes;
    if (changes < AT_ONCE || signal?.aborted) return all;
  }
}
