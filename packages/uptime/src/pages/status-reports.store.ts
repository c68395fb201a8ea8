import type { StatusReport } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { STATUS_REPORT_FIELDS, type StatusReportRow } from "../db/tables/status-reports.table.ts";
import { statement } from "../db/tables.ts";

const COLUMNS = [
  "id",
  "page_id",
  "incident_id",
  "created_at",
  "updated_at",
  "resolved_at",
  "title",
  "impact",
  "state",
  "updates",
] as const satisfies readonly (keyof StatusReportRow)[];

const insert = statement<StatusReportRow>()((db, p) =>
  db.insertInto("status_reports").values({
    workspace_id: p.workspace_id,
    id: p.id,
    page_id: p.page_id,
    incident_id: p.incident_id,
    created_at: p.created_at,
    updated_at: p.updated_at,
    resolved_at: p.resolved_at,
    title: p.title,
    impact: p.impact,
    state: p.state,
    updates: p.updates,
  }),
);

export async function insertReport(tx: Transaction, row: StatusReportRow): Promise<void> {
  await tx.run(insert, row);
}

/** A report is found by the page that it is on and its own id. */
export interface ReportKey {
  readonly page_id: string;
  readonly id: string;
}

const record = statement<ReportKey>()((db, p, dialect) =>
  db
    .selectFrom("status_reports")
    .select(
      recordSql(dialect, { fields: STATUS_REPORT_FIELDS, table: "status_reports" }).as("json"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("page_id", "=", p.page_id)
    .where("id", "=", p.id),
);

export async function findReport(
  queries: Queries,
  key: ReportKey,
): Promise<JsonText<StatusReport> | null> {
  return (await queries.get(record, key))?.json ?? null;
}

const lockByKey = statement<ReportKey>()((db, p, dialect) =>
  db
    .selectFrom("status_reports")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("page_id", "=", p.page_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that no update is lost. */
export async function lockReport(tx: Transaction, key: ReportKey): Promise<StatusReportRow | null> {
  return (await tx.get(lockByKey, key)) ?? null;
}

const update = statement<Omit<StatusReportRow, "created_at">>()((db, p) =>
  db
    .updateTable("status_reports")
    .set({
      incident_id: p.incident_id,
      updated_at: p.updated_at,
      resolved_at: p.resolved_at,
      title: p.title,
      impact: p.impact,
      state: p.state,
      updates: p.updates,
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("page_id", "=", p.page_id)
    .where("id", "=", p.id),
);

export async function updateReportRow(tx: Transaction, row: StatusReportRow): Promise<void> {
  await tx.run(update, row);
}

const deleteStatusReportRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("status_reports").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeReport(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteStatusReportRow, { id });
}

const MOST_SHOWN = 50;

const selectRecent = statement<{ page_id: string; since: string }>()((db, p) =>
  db
    .selectFrom("status_reports")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("page_id", "=", p.page_id)
    .where((e) => e.or([e("resolved_at", "is", null), e("resolved_at", ">=", p.since)]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(MOST_SHOWN)),
);

/** Those that are not resolved or were so only lately, the latest first. */
export function listRecentReports(
  queries: Queries,
  recent: { readonly page_id: string; readonly since: string },
): Promise<StatusReportRow[]> {
  return queries.all(selectRecent, recent);
}
