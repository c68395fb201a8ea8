import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { pick, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { SpanRow, TrackRow } from "../../db/tables/tracks.table.ts";
import { statement } from "../../db/tables.ts";
import type { StatusSpan } from "./rollup.rules.ts";

const COLUMNS = [
  "monitor_id",
  "status",
  "since",
  "counted_until",
  "valid_until",
  "open_minute",
  "streak_since",
  "confirmed_since",
  "told_status",
  "incident_id",
  "certificate_told",
  "held_back_from",
  "held_back_until",
] as const satisfies readonly (keyof TrackRow)[];

const selectTrack = statement<{ monitor_id: string }>()((db, p) =>
  db
    .selectFrom("monitor_tracks")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

export async function findTrack(queries: Queries, monitor_id: string): Promise<TrackRow | null> {
  return (await queries.get(selectTrack, { monitor_id })) ?? null;
}

/** The same as a list: of one, or of none. */
export function findTracks(queries: Queries, monitor_id: string): Promise<TrackRow[]> {
  return queries.all(selectTrack, { monitor_id });
}

const FIELDS = {
  monitor_id: "id",
  status: "text",
  since: "time",
  counted_until: "time",
  valid_until: "time",
  open_minute: "text",
  streak_since: "time",
  confirmed_since: "time",
  told_status: "text",
  incident_id: "id",
  certificate_told: "time",
  held_back_from: "time",
  held_back_until: "time",
} as const satisfies Record<keyof TrackRow, string>;

const excluded = <Key extends keyof TrackRow>(column: Key) =>
  sql.ref<TrackRow[Key]>(`excluded.${column}`);

const REPLACED = {
  status: excluded("status"),
  since: excluded("since"),
  counted_until: excluded("counted_until"),
  valid_until: excluded("valid_until"),
  open_minute: excluded("open_minute"),
  streak_since: excluded("streak_since"),
  confirmed_since: excluded("confirmed_since"),
  told_status: excluded("told_status"),
  incident_id: excluded("incident_id"),
  certificate_told: excluded("certificate_told"),
  held_back_from: excluded("held_back_from"),
  held_back_until: excluded("held_back_until"),
};

const upsert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("monitor_tracks")
    .columns(["workspace_id", ...COLUMNS])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(FIELDS, p.rows).$castTo<TrackRow>().as("item"))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          ...COLUMNS,
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet(REPLACED)),
);

const upsertOne = statement<TrackRow>()((db, p) =>
  db
    .insertInto("monitor_tracks")
    .values({ workspace_id: p.workspace_id, ...pick(p, COLUMNS) })
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet(REPLACED)),
);

/**
 * One for each monitor. A statement for each where it is a call within this process, one for all
 * where it is a round trip.
 */
export async function saveTracks(tx: Transaction, rows: readonly TrackRow[]): Promise<void> {
  if (!tx.dialect.isRemote) for (const row of rows) tx.enqueue(upsertOne, row);
  else if (rows.length > 0) tx.enqueue(upsert, { rows: JSON.stringify(rows, [...COLUMNS]) });
}

const clearCertificate = statement<{ monitor_id: string }>()((db, p) =>
  db
    .updateTable("monitor_tracks")
    .set({ certificate_told: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

/** The next certificate that ends soon is told of, whatever was told before. */
export async function resetCertificate(tx: Transaction, monitor_id: string): Promise<void> {
  await tx.run(clearCertificate, { monitor_id });
}

const insertSpan = statement<SpanRow>()((db, p) =>
  db
    .insertInto("status_spans")
    .values({
      workspace_id: p.workspace_id,
      monitor_id: p.monitor_id,
      started: p.started,
      ended: p.ended,
      status: p.status,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["monitor_id", "started"])
        .doUpdateSet((e) => ({ ended: e.ref("excluded.ended"), status: e.ref("excluded.status") })),
    ),
);

/** A span of a monitor, in microseconds. */
export interface SpanOf extends StatusSpan {
  readonly monitor_id: string;
}

/** Changes of status are rare: each is a statement. */
export async function insertSpans(tx: Transaction, spans: readonly SpanOf[]): Promise<void> {
  for (const { monitor_id, status, from, until } of spans) {
    const times = { started: formatMicros(from), ended: formatMicros(until) };
    tx.enqueue(insertSpan, { monitor_id, status, ...times });
  }
}

interface Range {
  readonly monitor_id: string;
  readonly from: string;
  readonly until: string;
}

/** Spans do not overlap, so that their ends are in the order of their beginnings. */
const selectEnded = statement<Range>()((db, p) =>
  db
    .selectFrom("status_spans")
    .select(["started", "ended", "status"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where("ended", ">", p.from)
    .where("ended", "<=", p.until)
    .orderBy("ended"),
);

const selectNext = statement<Pick<Range, "monitor_id" | "until">>()((db, p) =>
  db
    .selectFrom("status_spans")
    .select(["started", "ended", "status"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where("ended", ">", p.until)
    .orderBy("ended")
    .limit(sql.lit(1)),
);

/** The spans that have ended and lie at least partly within a range, oldest first. */
export async function listSpans(queries: Queries, range: Range): Promise<StatusSpan[]> {
  const { monitor_id, until: end } = range;
  const ended = await queries.all(selectEnded, range);
  const next = await queries.get(selectNext, { monitor_id, until: end });
  const rows = next !== undefined && next.started < end ? [...ended, next] : ended;
  return rows.map(({ started, ended, status }) => ({
    status,
    from: parseMicros(started),
    until: parseMicros(ended),
  }));
}
