import { idRows, idTable, type SystemTransaction, type Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement, systemStatement } from "../../../db/tables.ts";
import type { EventKey } from "./waiting-events.store.ts";

const insert = statement<{ ids: string; depth: number; written: string }>()((db, p, dialect) =>
  db
    .insertInto("automation_caused_ids")
    .columns(["workspace_id", "id", "depth", "written"])
    .expression((e) =>
      e
        .selectFrom(idTable(dialect, p.ids))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "listed.id",
          sql<number>`cast(${p.depth} as ${sql.raw(dialect.types.integer)})`.as("depth"),
          sql<string>`cast(${p.written} as text)`.as("written"),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ids that were made while an action was carried out. */
export async function putCausedIds(
  tx: Transaction,
  made: { readonly ids: readonly string[]; readonly depth: number; readonly written: string },
): Promise<void> {
  if (made.ids.length === 0) return;
  await tx.run(insert, { ...made, ids: idRows(made.ids) });
}

const select = systemStatement<{ events: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", id: "id" }, p.events)
        .$castTo<{ workspace_id: string; id: string }>()
        .as("wanted"),
    )
    .innerJoin("automation_caused_ids as caused", (join) =>
      join
        .onRef("caused.workspace_id", "=", "wanted.workspace_id")
        .onRef("caused.id", "=", "wanted.id"),
    )
    .select(["caused.workspace_id", "caused.id", "caused.depth"]),
);

/** Which of the events actions have brought about, and how deep in a chain. */
export async function readDepths(
  tx: SystemTransaction,
  events: readonly EventKey[],
): Promise<(EventKey & { readonly depth: number })[]> {
  if (events.length === 0) return [];
  return tx.all(select, { events: JSON.stringify(events) });
}

const removeOld = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db.deleteFrom("automation_caused_ids").where(
    sql<boolean>`(workspace_id, id) in (select workspace_id, id from automation_caused_ids
      where written < ${p.before} order by written limit ${p.limit})`,
  ),
);

/** Tells how many it has removed. */
export function removeOldCausedIds(
  tx: SystemTransaction,
  which: { readonly before: string; readonly limit: number },
): Promise<number> {
  return tx.run(removeOld, which);
}
