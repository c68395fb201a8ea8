import { formatMicros, parseMicros, type Queries, type Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import type { Held } from "./rollup.rules.ts";
import type { SpanRow, TrackRow } from "./tracks.table.ts";

const COLUMNS = [
  "monitor_id",
  "status",
  "since",
  "counted_until",
  "valid_until",
  "streak_since",
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

const upsert = statement<TrackRow>()((db, p) =>
  db
    .insertInto("monitor_tracks")
    .values({
      workspace_id: p.workspace_id,
      monitor_id: p.monitor_id,
      status: p.status,
      since: p.since,
      counted_until: p.counted_until,
      valid_until: p.valid_until,
      streak_since: p.streak_since,
      incident_id: p.incident_id,
      certificate_told: p.certificate_told,
      held_back_from: p.held_back_from,
      held_back_until: p.held_back_until,
    })
    .onConflict((conflict) =>
      conflict.column("monitor_id").doUpdateSet((e) => ({
        status: e.ref("excluded.status"),
        since: e.ref("excluded.since"),
        counted_until: e.ref("excluded.counted_until"),
        valid_until: e.ref("excluded.valid_until"),
        streak_since: e.ref("excluded.streak_since"),
        incident_id: e.ref("excluded.incident_id"),
        certificate_told: e.ref("excluded.certificate_told"),
        held_back_from: e.ref("excluded.held_back_from"),
        held_back_until: e.ref("excluded.held_back_until"),
      })),
    ),
);

export async function saveTrack(tx: Transaction, row: TrackRow): Promise<void> {
  await tx.run(upsert, row);
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

export async function keepSpan(
  tx: Transaction,
  monitor_id: string,
  { status, from, until }: Held,
): Promise<void> {
  const span = { monitor_id, status, started: formatMicros(from), ended: formatMicros(until) };
  await tx.run(insertSpan, span);
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
export async function listSpans(queries: Queries, range: Range): Promise<Held[]> {
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
