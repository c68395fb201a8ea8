import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

const byNames = statement<{ poolId: string; names: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(["id", "name"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("name", "in", (e) =>
      e
        .selectFrom(
          dialect.rowsFrom({ name: "text" }, p.names).$castTo<{ name: string }>().as("listed"),
        )
        .select("listed.name"),
    )
    .orderBy("priority")
    .orderBy("id"),
);

const all = statement<{ poolId: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .select(["id", "name"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .orderBy("priority")
    .orderBy("id"),
);

/**
 * Those of the names that are queues of the pool, the most urgent first; all of its queues where
 * none is named.
 */
export async function findServedQueues(
  queries: Queries,
  { poolId, names }: { readonly poolId: string; readonly names: readonly string[] },
): Promise<{ readonly id: string; readonly name: string }[]> {
  if (names.length === 0) return queries.all(all, { poolId });
  return queries.all(byNames, { poolId, names: JSON.stringify(names.map((name) => ({ name }))) });
}
