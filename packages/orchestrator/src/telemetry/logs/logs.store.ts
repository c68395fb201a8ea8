import { type Queries, rowInsert, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { type DownloadedLog, LOGS, type LogRow } from "../../db/tables/logs.table.ts";
import { statement } from "../../db/tables.ts";

type LogLine = Omit<LogRow, "created">;

const { created: _shared, ...LINE_KINDS } = LOGS.kinds;

interface Batch {
  readonly created: string;
  readonly lines: readonly LogLine[];
  /** Some may be there already; they stay as they are. */
  readonly mayBeKnown: boolean;
}

const insertLines = ({ skipsKnown }: { readonly skipsKnown: boolean }) =>
  rowInsert<LogLine, Pick<LogRow, "created">>({
    table: "logs",
    shared: { created: "time" },
    columns: LINE_KINDS,
    skipsKnown,
  });

// To look for known lines costs PostgreSQL something, so it is done only for those who bring ids
// along.
const insertNew = insertLines({ skipsKnown: false });
const insertMissing = insertLines({ skipsKnown: true });

/** Writes any number of lines at once. */
export function insertLogs(tx: Transaction, { created, lines, mayBeKnown }: Batch): void {
  const insert = mayBeKnown ? insertMissing : insertNew;
  insert(tx, { created }, lines);
}

/** A place among the lines of a run: behind the line with this time and id. */
export interface LogPosition {
  readonly timestamp: string;
  readonly id: string;
}

/** Before the first line. */
export const FIRST_LOG: LogPosition = {
  timestamp: "",
  id: "00000000-0000-0000-0000-000000000000",
};

const selectOfFlowRun = statement<LogPosition & { flow_run_id: string; limit: number }>()((db, p) =>
  db
    .selectFrom("logs")
    .select(["id", "timestamp", "level", "flow_run_id", "task_run_id", "message"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where(sql<boolean>`(timestamp, id) > (${p.timestamp}, ${p.id})`)
    .orderBy("timestamp")
    .orderBy("id")
    .limit(p.limit),
);

/** The lines of a flow run behind a place, in order of time. */
export async function selectFlowRunLogs(
  queries: Queries,
  flowRunId: string,
  { after, limit }: { readonly after: LogPosition; readonly limit: number },
): Promise<DownloadedLog[]> {
  const { timestamp, id } = after;
  return queries.all(selectOfFlowRun, { flow_run_id: flowRunId, timestamp, id, limit });
}

const selectSizesOfFlowRun = statement<LogPosition & { flow_run_id: string; limit: number }>()(
  (db, p) =>
    db
      .selectFrom("logs")
      .select(sql<number>`octet_length(message)`.as("bytes"))
      .where("workspace_id", "=", p.workspace_id)
      .where("flow_run_id", "=", p.flow_run_id)
      .where(sql<boolean>`(timestamp, id) > (${p.timestamp}, ${p.id})`)
      .orderBy("timestamp")
      .orderBy("id")
      .limit(p.limit),
);

/** How many bytes the messages of these lines have, in the same order. */
export async function selectFlowRunLogSizes(
  queries: Queries,
  flowRunId: string,
  { after, limit }: { readonly after: LogPosition; readonly limit: number },
): Promise<number[]> {
  const { timestamp, id } = after;
  const request = { flow_run_id: flowRunId, timestamp, id, limit };
  return (await queries.all(selectSizesOfFlowRun, request)).map(({ bytes }) => bytes);
}

const selectFlowRunName = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("name")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findFlowRunName(queries: Queries, id: string): Promise<string | null> {
  const row = await queries.get(selectFlowRunName, { id });
  return row?.name ?? null;
}
