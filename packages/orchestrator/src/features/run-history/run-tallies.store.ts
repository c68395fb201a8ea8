import type { Database } from "@orchestrator/kernel";
import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";

const addUp = systemStatement<object>()((db) =>
  db.selectNoFrom(sql<number>`add_up_flow_run_changes()`.as("changes")),
);

/** Adds up what writes have noted of the states of runs since, so that a count has few notes to read. For PostgreSQL; tells how many there were. */
export async function addUpRunChanges(db: Database): Promise<number> {
  return db.writeSystem(async (tx) => (await tx.get(addUp, {}))?.changes ?? 0);
}
