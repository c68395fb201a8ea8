import type { CheckResult } from "@orchestrator/contract";
import {
  arraySql,
  idRows,
  listedIds,
  pick,
  type Queries,
  recordSql,
  recordText,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { type CheckStatus, RESULT_FIELDS, type ResultRow } from "../db/tables/results.table.ts";
import { statement } from "../db/tables.ts";

/**
 * The details are a text within the list: as JSON within JSON they would be read once more, and may
 * hold what cannot be.
 */
const COLUMNS = {
  id: "id",
  monitor_id: "id",
  checked_at: "time",
  status: "text",
  message: "text",
  elapsed_ms: "real",
  details: "text",
  origin: "text",
  inconclusive: "flag",
  maintenance: "flag",
} as const satisfies Record<keyof ResultRow, string>;

const insert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("check_results")
    .columns([
      "workspace_id",
      "id",
      "monitor_id",
      "checked_at",
      "status",
      "message",
      "elapsed_ms",
      "origin",
      "inconclusive",
      "maintenance",
      "details",
    ])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(COLUMNS, p.rows).$castTo<ResultRow>().as("item"))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "item.id",
          "item.monitor_id",
          "item.checked_at",
          "item.status",
          "item.message",
          "item.elapsed_ms",
          "item.origin",
          "item.inconclusive",
          "item.maintenance",
          sql<string>`cast(item.details as ${sql.raw(dialect.types.json)})`.as("details"),
        ]),
    ),
);

const insertOne = statement<ResultRow>()((db, p) =>
  db.insertInto("check_results").values({
    workspace_id: p.workspace_id,
    ...pick(p, Object.keys(COLUMNS) as (keyof ResultRow)[]),
  }),
);

/**
 * A statement for each where it is a call within this process, one for all where it is a round
 * trip.
 */
export async function insertResults(tx: Transaction, rows: readonly ResultRow[]): Promise<void> {
  if (!tx.dialect.isRemote) for (const row of rows) tx.enqueue(insertOne, row);
  else if (rows.length > 0) tx.enqueue(insert, { rows: JSON.stringify(rows) });
}

const byIds = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("check_results")
    .select([
      "id",
      recordSql(dialect, { fields: RESULT_FIELDS, table: "check_results" }).as("json"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** Those of them that are on record, by their ids. */
export async function findCheckResults(
  queries: Queries,
  asked: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, CheckResult>> {
  const rows = await queries.all(byIds, { ids: idRows(asked.map(({ id }) => id)) });
  return new Map(rows.map(({ id, json }) => [id, JSON.parse(json) as CheckResult]));
}

const latest = statement<{ monitor_id: string }>()((db, p, dialect) =>
  db
    .selectFrom("check_results")
    .select(recordSql(dialect, { fields: RESULT_FIELDS, table: "check_results" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where(
      "checked_at",
      "<=",
      db
        .selectFrom("monitors")
        .select("last_check")
        .where("monitors.workspace_id", "=", p.workspace_id)
        .where("monitors.id", "=", p.monitor_id),
    )
    .orderBy("checked_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(1)),
);

/** None from a clock that was ahead: the last check is the newest by a clock that is right. */
export async function findLatestResult(
  queries: Queries,
  monitor_id: string,
): Promise<CheckResult | null> {
  const row = await queries.get(latest, { monitor_id });
  return row === undefined ? null : (JSON.parse(row.json) as CheckResult);
}

export interface Cursor {
  readonly checkedAt: string;
  readonly id: string;
}

export interface ResultSelection {
  readonly monitorId: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly statuses: readonly CheckStatus[];
  /** Where the page before has ended. */
  readonly after: Cursor | null;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

export interface ResultPage {
  /** The results as a JSON array. */
  readonly json: string;
  readonly count: number;
  /** The last of them. */
  readonly last: Cursor | null;
}

/** One page of the results of a monitor. */
export async function listResults(
  queries: Queries,
  selection: ResultSelection,
): Promise<ResultPage> {
  const { dialect } = queries;
  const { where, values, bind } = restrict(queries, selection);
  const { order, limit, offset } = selection;
  const record = recordText(dialect, { fields: RESULT_FIELDS, table: "check_results" });
  // The time is of a fixed width, so the greatest or the least of these texts is that of the last
  // row.
  const rows = `select ${record} as record, checked_at || ' ' || cast(id as text) as mark from check_results where ${where} order by checked_at ${order}, id ${order} limit ${bind(limit)} offset ${bind(offset)}`;
  const text = arraySql(dialect, rows).replace(
    "select ",
    `select count(*) as count, ${order === "asc" ? "max" : "min"}(mark) as last, `,
  );
  const page = await queries.select<{ json: string; count: number; last: string | null }>({
    sql: text,
    values,
  });
  const [checkedAt, id] = page?.last?.split(" ") ?? [];
  const last = checkedAt === undefined || id === undefined ? null : { checkedAt, id };
  return { json: page?.json ?? "[]", count: page?.count ?? 0, last };
}

/** Whether the selection has a result, behind its cursor. */
export async function hasResults(queries: Queries, selection: ResultSelection): Promise<boolean> {
  const { where, values } = restrict(queries, selection);
  const { order } = selection;
  // In order, or PostgreSQL expects to meet one soon by reading the whole table.
  const text = `select 1 as one from check_results where ${where} order by checked_at ${order}, id ${order} limit 1`;
  return (await queries.select({ sql: text, values })) !== undefined;
}

function restrict(queries: Queries, selection: ResultSelection) {
  const { dialect, workspaceId } = queries;
  const values: unknown[] = [];
  const bind = (value: unknown): string => dialect.parameter(values.push(value));
  const { monitorId, since, until, statuses, after, order } = selection;
  const conditions = [`workspace_id = ${bind(workspaceId)}`, `monitor_id = ${bind(monitorId)}`];
  if (since !== null) conditions.push(`checked_at >= ${bind(since)}`);
  if (until !== null) conditions.push(`checked_at <= ${bind(until)}`);
  if (after !== null)
    conditions.push(
      `(checked_at, id) ${order === "asc" ? ">" : "<"} (${bind(after.checkedAt)}, ${bind(after.id)})`,
    );
  if (statuses.length > 0) {
    conditions.push(dialect.isOneOf("status", "text", bind(dialect.list(statuses))));
    // Said in the words of the index.
    if (!statuses.includes("up")) conditions.push("status <> 'up'");
  }
  return { where: conditions.join(" and "), values, bind };
}
