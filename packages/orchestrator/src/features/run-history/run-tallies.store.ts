import type { Database } from "@orchestrator/kernel";
import { sql } from "kysely";
import { AT_ONCE } from "../../db/migrations/0058-remote-tallies.ts";
import { systemStatement } from "../../db/tables.ts";

const addUp = systemStatement<object>()((db) =>
  db.selectNoFrom(sql<number>`add_up_flow_run_changes()`.as("changes")),
);

/** So many leave enough behind for every count to stumble over, and the database itself would clean up within a minute only. */
const MANY = 10_000;

/** Not where somebody else does it already. */
const cleanUp = systemStatement<object>()((db) => ({
  compile: () => sql`vacuum (skip_locked) flow_run_changes`.compile(db),
}));

/** Adds up what writes have noted of the states of runs since, so that a count has few notes to read. For PostgreSQL; tells how many there were. */
export async function addUpRunChanges(db: Database, signal?: AbortSignal): Promise<number> {
  for (let all = 0; ; ) {
    const changes = await db.writeSystem(async (tx) => (await tx.get(addUp, {}))?.changes ?? 0);
    all += changes;
    if (changes === AT_ONCE && !signal?.aborted) continue;
    if (all >= MANY) await db.system.all(cleanUp, {});
    return all;
  }
}
