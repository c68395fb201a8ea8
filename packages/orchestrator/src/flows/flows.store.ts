import type { Flow } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { FLOWS, type FlowRow } from "../db/tables/flows.table.ts";
import { statement } from "../db/tables.ts";

/** A flow is found by its id or by its name. */
export type FlowKey = { readonly id: string } | { readonly name: string };

const insert = statement<FlowRow>()((db, p) =>
  db
    .insertInto("flows")
    .values(FLOWS.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing()),
);

/** Tells whether the name was still free. */
export async function insertFlow(tx: Transaction, row: FlowRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("flows")
      .select(recordSql(dialect, { fields: FLOWS.fields, table: "flows" }).as("json"))
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const recordById = recordBy("id");
const recordByName = recordBy("name");

export async function findFlow(queries: Queries, key: FlowKey): Promise<JsonText<Flow> | null> {
  const row =
    "id" in key
      ? await queries.get(recordById, { key: key.id })
      : await queries.get(recordByName, { key: key.name });
  return row?.json ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("flows")
    .select(FLOWS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends. */
export async function lockFlow(tx: Transaction, id: string): Promise<FlowRow | null> {
  const row = await tx.get(lock, { id });
  // The database may space JSON its own way; decisions compare it with ours.
  return row === undefined ? null : { ...row, tags: JSON.stringify(JSON.parse(row.tags)) };
}

const setTags = statement<{ id: string; tags: string; updated: string }>()((db, p) =>
  db
    .updateTable("flows")
    .set({ updated: p.updated, tags: p.tags })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function setFlowTags(
  tx: Transaction,
  row: { readonly id: string; readonly tags: string; readonly updated: string },
): Promise<void> {
  await tx.run(setTags, row);
}

const ownLimits = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("concurrency_limits", (join) =>
      join
        .onRef("concurrency_limits.workspace_id", "=", "deployments.workspace_id")
        .on(
          "concurrency_limits.name",
          "=",
          sql<string>`'deployment:' || cast(deployments.id as text)`,
        ),
    )
    .select("concurrency_limits.id")
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.flow_id", "=", p.id)
    .orderBy("concurrency_limits.id"),
);

/**
 * The limits that were made for the flow's deployments; those that others have, too, are not among
 * them.
 */
export async function findOwnLimits(tx: Transaction, id: string): Promise<string[]> {
  return (await tx.all(ownLimits, { id })).map((limit) => limit.id);
}

const deleteFlowRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("flows").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Removes the flow, whose runs have gone, with its deployments. */
export async function removeFlow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteFlowRow, { id });
}
