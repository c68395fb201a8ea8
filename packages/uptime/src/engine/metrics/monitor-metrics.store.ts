import type { Database } from "@orchestrator/kernel/storage";
import { systemStatement } from "../../db/tables.ts";

// Both are answered by the index that the engine finds its share with, whatever else there is.

const share = systemStatement<{ holder: string; limit: number }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(["id", "name", "tags", "last_check", "last_status", "next_run"])
    .where("run_holder", "=", p.holder)
    .where("enabled", "=", true)
    .orderBy("updated_at")
    .orderBy("id")
    .limit(p.limit),
);

/** Monitors that a process checks: those that were left as they are the longest come first. */
export function listShare({ system }: Database, holder: string, limit: number) {
  return system.all(share, { holder, limit });
}

const size = systemStatement<{ holder: string }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("run_holder", "=", p.holder)
    .where("enabled", "=", true),
);

export async function countShare({ system }: Database, holder: string): Promise<number> {
  return (await system.get(size, { holder }))?.count ?? 0;
}
