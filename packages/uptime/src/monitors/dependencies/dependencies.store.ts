import { idRows, listedIds, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { Ancestor, ParentRow } from "../../db/tables/dependencies.table.ts";
import { statement } from "../../db/tables.ts";

const noteChange = statement()((db, p) =>
  db
    .insertInto("dependency_changes")
    .values({ workspace_id: p.workspace_id, count: 1 })
    .onConflict((conflict) =>
      conflict
        .column("workspace_id")
        .doUpdateSet({ count: sql<number>`dependency_changes.count + 1` }),
    ),
);

/**
 * From here to the end of the transaction nobody else changes a dependency, so that what is found
 * stays true.
 */
export async function lockDependencies(tx: Transaction): Promise<void> {
  await tx.run(noteChange, {});
}

const insert = statement<ParentRow>()((db, p) =>
  db
    .insertInto("monitor_parents")
    .values({ workspace_id: p.workspace_id, monitor_id: p.monitor_id, parent_id: p.parent_id }),
);

const removeParents = statement<{ monitor_id: string }>()((db, p) =>
  db
    .deleteFrom("monitor_parents")
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

export async function replaceParents(
  tx: Transaction,
  monitor_id: string,
  parents: readonly string[],
): Promise<void> {
  await tx.run(removeParents, { monitor_id });
  for (const parent_id of parents) await tx.run(insert, { monitor_id, parent_id });
}

const removeEdges = statement<{ parent_id: string }>()((db, p) =>
  db
    .deleteFrom("monitor_parents")
    .where("workspace_id", "=", p.workspace_id)
    .where("parent_id", "=", p.parent_id),
);

export async function removeParent(tx: Transaction, parent_id: string): Promise<void> {
  await tx.run(removeEdges, { parent_id });
}

const selectParents = statement<{ monitor_id: string }>()((db, p) =>
  db
    .selectFrom("monitor_parents")
    .select("parent_id")
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .orderBy("parent_id"),
);

export async function listParents(queries: Queries, monitor_id: string): Promise<string[]> {
  return (await queries.all(selectParents, { monitor_id })).map(({ parent_id }) => parent_id);
}

/** Parents, their parents and so on; `union` also ends where there is a circle. */
const selectAncestors = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .withRecursive("ancestors(child, id)", (r) =>
      r
        .selectFrom("monitor_parents")
        .select(["monitor_id as child", "parent_id as id"])
        .where("workspace_id", "=", p.workspace_id)
        .where("monitor_id", "in", listedIds(dialect, p.ids))
        .union(
          r
            .selectFrom("monitor_parents as edge")
            .innerJoin("ancestors", "ancestors.id", "edge.monitor_id")
            .select(["ancestors.child", "edge.parent_id as id"])
            .where("edge.workspace_id", "=", p.workspace_id),
        ),
    )
    .selectFrom("monitors")
    .innerJoin("ancestors", "ancestors.id", "monitors.id")
    .select(["ancestors.child", "monitors.id", "monitors.name", "enabled", "confirmed_status"])
    .where("monitors.workspace_id", "=", p.workspace_id)
    .orderBy("monitors.id"),
);

/** All that the monitors depend on, near and far. */
export async function listAncestors(
  queries: Queries,
  ids: readonly string[],
): Promise<readonly Ancestor[]> {
  if (ids.length === 0) return [];
  return queries.all(selectAncestors, { ids: idRows(ids) });
}

const selectCircle = statement<{ id: string }>()((db, p) =>
  db
    .withRecursive("ancestors(id)", (r) =>
      r
        .selectFrom("monitor_parents")
        .select("parent_id as id")
        .where("workspace_id", "=", p.workspace_id)
        .where("monitor_id", "=", p.id)
        .union(
          r
            .selectFrom("monitor_parents as edge")
            .innerJoin("ancestors", "ancestors.id", "edge.monitor_id")
            .select("edge.parent_id as id")
            .where("edge.workspace_id", "=", p.workspace_id),
        ),
    )
    .selectFrom("ancestors")
    .select("id")
    .where("id", "=", p.id),
);

/** Whether a monitor is one of its own parents, near or far. */
export async function isInCircle(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(selectCircle, { id })) !== undefined;
}
