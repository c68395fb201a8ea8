import {
  idRows,
  idTable,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { AutomationChainFiringRow } from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";
import type { Chain } from "../../firings/chain.rules.ts";
import type { WaitingEventKey } from "./waiting-events.store.ts";

const insert = statement<Chain & { ids: string; written: string }>()((db, p, dialect) =>
  db
    .insertInto("automation_caused_ids")
    .columns(["workspace_id", "id", "depth", "root", "written"])
    .expression((e) =>
      e
        .selectFrom(idTable(dialect, p.ids))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "listed.id",
          sql<number>`cast(${p.depth} as ${sql.raw(dialect.types.integer)})`.as("depth"),
          sql<string>`cast(${p.root} as ${sql.raw(dialect.types.id)})`.as("root"),
          sql<string>`cast(${p.written} as text)`.as("written"),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ids that were made while an action was carried out. */
export async function putCausedIds(
  tx: Transaction,
  made: Chain & { readonly ids: readonly string[]; readonly written: string },
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
    .select(["caused.workspace_id", "caused.id", "caused.depth", "caused.root"]),
);

/** Which of the events actions have brought about. */
export async function readChains(
  tx: Pick<SystemTransaction, "all">,
  events: readonly WaitingEventKey[],
): Promise<(WaitingEventKey & { readonly chain: Chain })[]> {
  if (events.length === 0) return [];
  const found = await tx.all(select, { events: JSON.stringify(events) });
  return found.map(({ workspace_id, id, depth, root }) => ({
    workspace_id,
    id,
    chain: { depth, root: root ?? id },
  }));
}

const selectFirings = systemStatement<{ roots: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ workspace_id: "id", root: "id" }, p.roots)
        .$castTo<{ workspace_id: string; root: string }>()
        .as("wanted"),
    )
    .innerJoin("automation_chain_firings as chain", (join) =>
      join
        .onRef("chain.workspace_id", "=", "wanted.workspace_id")
        .onRef("chain.root", "=", "wanted.root"),
    )
    .select(["chain.workspace_id", "chain.root", "chain.direct", "chain.caused"]),
);

/** How often the automations that go back to these events have been made to fire by others. */
export async function readChainFirings(
  tx: SystemTransaction,
  roots: readonly { readonly workspace_id: string; readonly root: string }[],
): Promise<(Omit<AutomationChainFiringRow, "written"> & { readonly workspace_id: string })[]> {
  if (roots.length === 0) return [];
  return tx.all(selectFirings, { roots: JSON.stringify(roots) });
}

const upsertFirings = statement<{ rows: string; written: string }>()((db, p, dialect) =>
  db
    .insertInto("automation_chain_firings")
    .columns(["workspace_id", "root", "direct", "caused", "written"])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom({ root: "id", direct: "integer", caused: "integer" }, p.rows)
            .$castTo<AutomationChainFiringRow>()
            .as("row"),
        )
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "row.root",
          "row.direct",
          "row.caused",
          sql<string>`cast(${p.written} as text)`.as("written"),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "root"]).doUpdateSet({
        direct: sql<number>`automation_chain_firings.direct + excluded.direct`,
        caused: sql<number>`automation_chain_firings.caused + excluded.caused`,
        written: sql<string>`excluded.written`,
      }),
    ),
);

/** Adds to the counts that are stored. */
export async function addChainFirings(
  tx: Transaction,
  rows: readonly Omit<AutomationChainFiringRow, "written">[],
  written: string,
): Promise<void> {
  await tx.run(upsertFirings, { rows: JSON.stringify(rows), written });
}

const removeOld = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db.deleteFrom("automation_caused_ids").where(
    sql<boolean>`(workspace_id, id) in (select workspace_id, id from automation_caused_ids
      where written < ${p.before} order by written limit ${p.limit})`,
  ),
);

const removeOldFirings = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db.deleteFrom("automation_chain_firings").where(
    sql<boolean>`(workspace_id, root) in (
      select workspace_id, root from automation_chain_firings
      where written < ${p.before} order by written limit ${p.limit})`,
  ),
);

/** Tells how many it has removed, of that of which it was more. */
export async function removeOldChains(
  tx: SystemTransaction,
  which: { readonly before: string; readonly limit: number },
): Promise<number> {
  const ids = await tx.run(removeOld, which);
  return Math.max(ids, await tx.run(removeOldFirings, which));
}
