// How long each status held, of many monitors in one question each.

import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { idRows, idTable, listedIds, type Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { RollupRow } from "../../db/tables/rollups.table.ts";
import type { TrackRow } from "../../db/tables/tracks.table.ts";
import { statement } from "../../db/tables.ts";
import type { SpanOf } from "../../results/rollups/tracks.store.ts";
import type { RollupRange, StatusTimes, TimeRange } from "../stats/stats.rules.ts";

interface Wanted {
  readonly ids: string;
}

const tracks = statement<Wanted>()((db, p, dialect) =>
  db
    .selectFrom("monitor_tracks")
    .select(["monitor_id", "status", "since", "counted_until", "valid_until"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.ids)),
);

export type Track = Pick<
  TrackRow,
  "monitor_id" | "status" | "since" | "counted_until" | "valid_until"
>;

export async function findTracksOfMany(
  queries: Queries,
  ids: readonly string[],
): Promise<readonly Track[]> {
  return queries.all(tracks, { ids: idRows(ids) });
}

interface PieceOfMany extends Wanted {
  readonly size: RollupRow["size"];
  readonly from: string;
  readonly until: string;
}

const sumTimes = statement<PieceOfMany>()((db, p, dialect) =>
  db
    .selectFrom("result_rollups")
    .select([
      "monitor_id",
      sql<number>`cast(coalesce(sum(up_us), 0) as bigint)`.as("up"),
      sql<number>`cast(coalesce(sum(degraded_us), 0) as bigint)`.as("degraded"),
      sql<number>`cast(coalesce(sum(down_us), 0) as bigint)`.as("down"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.ids))
    .where("size", "=", p.size)
    .where("start", ">=", p.from)
    .where("start", "<", p.until)
    .groupBy("monitor_id"),
);

const asText = ({ from, until }: TimeRange) => ({
  from: formatMicros(from),
  until: formatMicros(until),
});

export async function readTimesOfMany(
  queries: Queries,
  ids: readonly string[],
  piece: RollupRange,
): Promise<ReadonlyMap<string, StatusTimes>> {
  const { size } = piece;
  const rows = await queries.all(sumTimes, { ids: idRows(ids), size, ...asText(piece) });
  return new Map(rows.map(({ monitor_id, ...times }) => [monitor_id, times]));
}

interface RangeOfMany extends Wanted {
  readonly from: string;
  readonly until: string;
}

/**
 * Spans do not overlap: those that end within the range, and of each monitor the first that ends
 * behind it.
 */
const spans = statement<RangeOfMany>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .innerJoin("status_spans", "status_spans.monitor_id", "listed.id")
    .select(["monitor_id", "started", "ended", "status"])
    .where("workspace_id", "=", p.workspace_id)
    .where("ended", ">", p.from)
    .where(
      sql<boolean>`ended <= coalesce((select min(later.ended) from status_spans later where later.monitor_id = listed.id and later.ended > ${p.until}), ${p.until})`,
    )
    .where("started", "<", p.until),
);

export async function listSpansOfMany(
  queries: Queries,
  ids: readonly string[],
  range: TimeRange,
): Promise<SpanOf[]> {
  const rows = await queries.all(spans, { ids: idRows(ids), ...asText(range) });
  return rows.map(({ monitor_id, started, ended, status }) => ({
    monitor_id,
    status,
    from: parseMicros(started),
    until: parseMicros(ended),
  }));
}
