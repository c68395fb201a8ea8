import type { MonitorStats, StatsPoint, StatsQuery } from "@orchestrator/contract";
import { AppError, formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { RollupSize } from "../../db/tables/rollups.table.ts";
import { countIncidents } from "../../incidents/incidents.store.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { findMonitorRow } from "../../monitors/monitors.store.ts";
import { untilMaintenance } from "../../results/rollups/maintenance-time.rules.ts";
import { openMinuteOf } from "../../results/rollups/open-minute.rules.ts";
import {
  MINUTE_RETENTION_MICROS,
  type MinuteCounters,
  type Rollup,
  type RollupCounters,
  rollupStart,
  SIZE_MICROS,
  type StatusSpan,
} from "../../results/rollups/rollup.rules.ts";
import { listRollups } from "../../results/rollups/rollups.store.ts";
import { readSteadily } from "../../results/rollups/steady-reading.ts";
import { type CurrentSpan, currentSpanOf, uncounted } from "../../results/rollups/track.rules.ts";
import { findTracks, listSpans } from "../../results/rollups/tracks.store.ts";
import {
  addStatusTimes,
  edgesOf,
  NO_TIME,
  pointOf,
  type RollupRange,
  rollupRangesOf,
  type StatusTimes,
  statsBucketsOf,
  statsFiguresOf,
  statusTimesWithin,
  stepFor,
  type TimeRange,
  uptimePercent,
} from "./stats.rules.ts";
import { readTimes } from "./times.store.ts";

const { day: DAY } = SIZE_MICROS;
const MICROS_PER_SECOND = 1e6;

/** What the figures of a monitor are worked out from. */
interface Source {
  readonly queries: Queries;
  readonly monitorId: string;
  readonly holding: CurrentSpan | null;
  /** Results that are in no rollup yet. */
  readonly open: MinuteCounters | null;
  readonly now: number;
}

export async function readStats(
  ctx: MaintenanceContext,
  scope: Scope,
  { monitorId, since, until, step }: StatsQuery & { readonly monitorId: string },
): Promise<MonitorStats> {
  const queries = ctx.db.in(scope.workspaceId);
  const monitor = await findMonitorRow(queries, monitorId);
  if (monitor === null) throw new AppError("not_found", "Monitor not found");
  const now = ctx.clock.nowMicros();
  const range = rangeOf({ since, until }, { now, length: DAY });
  const width = stepFor(range, step);
  const windows = await ctx.maintenance.windowsIn(scope.workspaceId);
  const [times, rollups, series, incidents, ...recent] = await readSteadily(
    () => findTracks(queries, monitorId),
    ([track = null]) => {
      const holding = untilMaintenance(currentSpanOf(track), now, { windows, monitor });
      const source = { queries, monitorId, holding, open: openMinuteOf(track), now };
      return Promise.all([
        timesIn(source, range),
        rollupsIn(source, range),
        seriesOf(source, range, width),
        countIncidents(queries, { monitor_id: monitorId, ...asText(range) }),
        ...[DAY, 7 * DAY, 30 * DAY, 90 * DAY].map((length) => timesOfLast(source, length)),
      ]);
    },
  );
  return {
    monitor_id: monitorId,
    ...asText(range),
    ...statsFiguresOf(times, rollups),
    incidents,
    uptime: byRange(recent, uptimePercent),
    downtime_seconds: byRange(recent, ({ down }) => down / MICROS_PER_SECOND),
    step: width,
    series,
  };
}

interface AskedRange {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** The range that is asked for, up to now; of the given length when its beginning is left open. */
export function rangeOf(
  { since, until }: AskedRange,
  { now, length }: { readonly now: number; readonly length: number },
): TimeRange {
  const end = Math.min(until === undefined ? now : parseMicros(until), now);
  const start = since === undefined ? end - length : parseMicros(since);
  if (start >= end)
    throw new AppError("invalid", "The range is empty: `since` must be before `until`");
  return { from: start, until: end };
}

export const asText = ({ from, until }: TimeRange) => ({
  from: formatMicros(from),
  until: formatMicros(until),
});

function timesOfLast(source: Source, length: number): Promise<StatusTimes> {
  return timesIn(source, { from: source.now - length, until: source.now });
}

/** A figure of each of the usual ranges, the shortest first. */
function byRange<Figure>(recent: readonly StatusTimes[], figure: (times: StatusTimes) => Figure) {
  const [day = NO_TIME, week = NO_TIME, month = NO_TIME, quarter = NO_TIME] = recent;
  return {
    "24h": figure(day),
    "7d": figure(week),
    "30d": figure(month),
    "90d": figure(quarter),
  };
}

/**
 * How long each status held within the range, to the microsecond: whole hours and days from
 * rollups, the rest from spans.
 */
export async function timesIn(source: Source, range: TimeRange): Promise<StatusTimes> {
  const { queries, monitorId } = source;
  const pieces = rollupRangesOf(range, ["hour", "day"]);
  const [whole, edges] = await Promise.all([
    Promise.all(pieces.map((piece) => readTimes(queries, monitorId, piece))),
    Promise.all(
      edgesOf(range, pieces).map(async (edge) =>
        statusTimesWithin(await spansIn(source, edge), edge),
      ),
    ),
  ]);
  return addStatusTimes(...whole, ...edges, statusTimesWithin(present(source), range));
}

/** What holds at present, as far as it is in no rollup. */
function present({ holding, now }: Source): StatusSpan[] {
  const held = holding === null ? null : uncounted(holding, now);
  return held === null ? [] : [held];
}

/** What held within the range, as far as it is counted; the present span included. */
async function spansIn(
  { queries, monitorId, holding }: Source,
  range: TimeRange,
): Promise<StatusSpan[]> {
  const spans = await listSpans(queries, { monitor_id: monitorId, ...asText(range) });
  if (holding === null) return spans;
  const { status, since, countedUntil } = holding;
  return [...spans, { status, from: since, until: countedUntil }];
}

/**
 * The counts and latencies of a range, rounded to whole minutes, and to whole hours where the
 * minutes are gone.
 */
export async function rollupsIn(source: Source, range: TimeRange): Promise<RollupCounters[]> {
  const { queries, monitorId, now } = source;
  const finest: RollupSize = range.from < now - MINUTE_RETENTION_MICROS ? "hour" : "minute";
  const length = SIZE_MICROS[finest];
  const rounded = {
    from: rollupStart(finest, range.from),
    until: rollupStart(finest, range.until + length - 1),
  };
  const sizes =
    finest === "minute" ? (["minute", "hour", "day"] as const) : (["hour", "day"] as const);
  const found = await Promise.all(
    rollupRangesOf(rounded, sizes).map((piece) => rowsOf(queries, monitorId, piece)),
  );
  return [...found.flat(), ...openWithin(source, rounded)];
}

function openWithin({ open }: Source, { from, until }: TimeRange): readonly RollupCounters[] {
  const at = open === null ? Number.NaN : parseMicros(open.start);
  return open !== null && at >= from && at < until ? [open] : [];
}

function rowsOf(queries: Queries, monitor_id: string, piece: RollupRange): Promise<Rollup[]> {
  return listRollups(queries, { monitor_id, size: piece.size, ...asText(piece) });
}

async function seriesOf(source: Source, range: TimeRange, step: RollupSize): Promise<StatsPoint[]> {
  const { queries, monitorId } = source;
  const buckets = statsBucketsOf(range, step);
  const whole = { from: buckets[0]?.from ?? 0, until: buckets.at(-1)?.until ?? 0 };
  const rows = await rowsOf(queries, monitorId, { size: step, ...whole });
  const byStart = new Map(rows.map((row) => [parseMicros(row.start), row]));
  // Minutes do not say how long a status held; the spans do.
  const spans = step === "minute" ? await spansIn(source, whole) : [];
  const uncountedTime = present(source);
  return buckets.map((bucket) => {
    const row = byStart.get(bucket.from);
    const counted = step === "minute" ? statusTimesWithin(spans, bucket) : timesOf(row);
    const times = addStatusTimes(counted, statusTimesWithin(uncountedTime, bucket));
    const tallies = [...(row === undefined ? [] : [row]), ...openWithin(source, bucket)];
    return pointOf(bucket, times, tallies);
  });
}

function timesOf(row: Rollup | undefined): StatusTimes {
  return { up: row?.up_us ?? 0, degraded: row?.degraded_us ?? 0, down: row?.down_us ?? 0 };
}
