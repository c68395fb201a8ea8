import type { StatusPage } from "@orchestrator/contract";
import {
  type JsonText,
  pick,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import {
  STATUS_PAGE_CHANGEABLE,
  STATUS_PAGE_COLUMNS,
  STATUS_PAGE_FIELDS,
  type StatusPageRow,
} from "../db/tables/status-pages.table.ts";
import { statement } from "../db/tables.ts";

const insert = statement<StatusPageRow>()((db, p) =>
  db
    .insertInto("status_pages")
    .values({ workspace_id: p.workspace_id, ...pick(p, STATUS_PAGE_COLUMNS) })
    .onConflict((conflict) => conflict.columns(["workspace_id", "slug"]).doNothing()),
);

/** Tells whether the slug was still free. */
export async function insertStatusPage(tx: Transaction, row: StatusPageRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("status_pages")
    .select(recordSql(dialect, { fields: STATUS_PAGE_FIELDS, table: "status_pages" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findStatusPage(
  queries: Queries,
  id: string,
): Promise<JsonText<StatusPage> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

const lockById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("status_pages")
    .select(STATUS_PAGE_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockStatusPage(tx: Transaction, id: string): Promise<StatusPageRow | null> {
  return (await tx.get(lockById, { id })) ?? null;
}

const update = statement<Omit<StatusPageRow, "created_at">>()((db, p) =>
  db
    .updateTable("status_pages")
    .set(pick(p, STATUS_PAGE_CHANGEABLE))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new slug is taken. */
export async function updateStatusPageRow(tx: Transaction, row: StatusPageRow): Promise<void> {
  await tx.run(update, row);
}

const deleteStatusPageRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("status_pages").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);
const removeReports = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("status_reports")
    .where("workspace_id", "=", p.workspace_id)
    .where("page_id", "=", p.id),
);

/** With all that was reported on it. */
export async function removeStatusPage(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeReports, { id });
  await tx.run(deleteStatusPageRow, { id });
}

const selectPublished = statement<{ published: boolean }>()((db, p) =>
  db
    .selectFrom("status_pages")
    .select(STATUS_PAGE_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("published", "=", p.published)
    .orderBy("slug"),
);

export function listPublishedPages(queries: Queries): Promise<StatusPageRow[]> {
  return queries.all(selectPublished, { published: true });
}
