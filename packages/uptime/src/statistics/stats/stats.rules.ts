// Figures of a range: uptime by time, counts, latencies. Times are microseconds since 1970.

import type { MonitorStats, StatsPoint } from "@orchestrator/contract";
import { AppError, formatMicros } from "@orchestrator/kernel/pure";
import type { RollupSize } from "../../db/tables/rollups.table.ts";
import { mergeHistograms, quantile } from "../../results/rollups/latency-histogram.rules.ts";
import {
  type RollupCounters,
  rollupStart,
  SIZE_MICROS,
  type StatusSpan,
} from "../../results/rollups/rollup.rules.ts";

export interface TimeRange {
  readonly from: number;
  readonly until: number;
}

/** How long each status held. */
export interface StatusTimes {
  readonly up: number;
  readonly degraded: number;
  readonly down: number;
}

export const NO_TIME: StatusTimes = { up: 0, degraded: 0, down: 0 };

export function addStatusTimes(...times: readonly StatusTimes[]): StatusTimes {
  return times.reduce(
    (sum, { up, degraded, down }) => ({
      up: sum.up + up,
      degraded: sum.degraded + degraded,
      down: sum.down + down,
    }),
    NO_TIME,
  );
}

/** How much of what held lies within the range. */
export function statusTimesWithin(
  spans: readonly StatusSpan[],
  { from, until }: TimeRange,
): StatusTimes {
  const times = { up: 0, degraded: 0, down: 0 };
  for (const span of spans) {
    const micros = Math.min(span.until, until) - Math.max(span.from, from);
    if (micros > 0) times[span.status] += micros;
  }
  return times;
}

/** One stretch of a range, and the size of rollups that fill it whole. */
export interface RollupRange extends TimeRange {
  readonly size: RollupSize;
}

function ceilTo(size: RollupSize, micros: number): number {
  return rollupStart(size, micros + SIZE_MICROS[size] - 1);
}

/**
 * Cuts a range into whole rollups, the coarsest that fit; what is less than the finest stays over
 * at both ends.
 */
export function rollupRangesOf(range: TimeRange, sizes: readonly RollupSize[]): RollupRange[] {
  const [size, ...coarser] = sizes;
  if (size === undefined) return [];
  const from = ceilTo(size, range.from);
  const until = rollupStart(size, range.until);
  if (from >= until) return [];
  const inner =
    coarser[0] === undefined
      ? undefined
      : { from: ceilTo(coarser[0], from), until: rollupStart(coarser[0], until) };
  if (inner === undefined || inner.from >= inner.until) return [{ size, from, until }];
  return [
    { size, from, until: inner.from },
    ...rollupRangesOf(inner, coarser),
    { size, from: inner.until, until },
  ].filter((piece) => piece.from < piece.until);
}

/** What the pieces leave over at both ends. */
export function edgesOf(range: TimeRange, pieces: readonly RollupRange[]): TimeRange[] {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return [range];
  return [
    { from: range.from, until: first.from },
    { from: last.until, until: range.until },
  ].filter(({ from, until }) => from < until);
}

const MOST_POINTS = 3000;

/** The width of the points of a series. */
export function stepFor({ from, until }: TimeRange, asked: RollupSize | undefined): RollupSize {
  const length = until - from;
  const fitting =
    length <= 3 * SIZE_MICROS.hour ? "minute" : length <= 14 * SIZE_MICROS.day ? "hour" : "day";
  const step = asked ?? fitting;
  if (length / SIZE_MICROS[step] > MOST_POINTS)
    throw new AppError(
      "invalid",
      `A series has at most ${MOST_POINTS} points: choose a wider step or a shorter range`,
    );
  return step;
}

/** The points of a series, without figures; the first and the last may reach beyond the range. */
export function statsBucketsOf({ from, until }: TimeRange, step: RollupSize): TimeRange[] {
  const buckets: TimeRange[] = [];
  for (let start = rollupStart(step, from); start < until; start += SIZE_MICROS[step])
    buckets.push({ from: start, until: start + SIZE_MICROS[step] });
  return buckets;
}

/** The share of the known time in which the target could be used; never rounded up to 100. */
export function uptimePercent({ up, degraded, down }: StatusTimes): number | null {
  const known = up + degraded + down;
  return known === 0 ? null : Math.floor(((up + degraded) / known) * 1e8) / 1e6;
}

type Figures = Omit<StatsPoint, "from" | "until">;

export function statsFiguresOf(times: StatusTimes, rollups: readonly RollupCounters[]): Figures {
  const sum = (count: (row: RollupCounters) => number): number =>
    rollups.reduce((total, row) => total + count(row), 0);
  const up = sum((row) => row.up_count);
  const degraded = sum((row) => row.degraded_count);
  const down = sum((row) => row.down_count);
  const maintenance = sum((row) => row.maintenance_count);
  return {
    uptime_percent: uptimePercent(times),
    up_seconds: times.up / 1e6,
    degraded_seconds: times.degraded / 1e6,
    down_seconds: times.down / 1e6,
    checks: up + degraded + down + maintenance + sum((row) => row.inconclusive_count),
    up,
    degraded,
    down,
    maintenance,
    elapsed_ms: latenciesOf(rollups),
  };
}

function latenciesOf(rollups: readonly RollupCounters[]): MonitorStats["elapsed_ms"] {
  const measured = rollups.filter((row) => row.latency_max_us !== null);
  const histogram = mergeHistograms(measured.map((row) => row.latency));
  const count = measured.reduce((sum, row) => sum + row.up_count + row.degraded_count, 0);
  const total = measured.reduce((sum, row) => sum + row.latency_us, 0);
  const min = Math.min(...measured.map((row) => row.latency_min_us ?? Number.POSITIVE_INFINITY));
  const max = Math.max(...measured.map((row) => row.latency_max_us ?? 0));
  const at = (share: number): number | null => {
    const micros = quantile(histogram, share);
    return micros === null ? null : toMs(Math.min(Math.max(micros, min), max));
  };
  return {
    average: count === 0 ? null : toMs(total / count),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: count === 0 ? null : toMs(max),
  };
}

const toMs = (micros: number): number => Math.round(micros) / 1000;

export function pointOf(
  { from, until }: TimeRange,
  times: StatusTimes,
  rollups: readonly RollupCounters[],
): StatsPoint {
  return {
    from: formatMicros(from),
    until: formatMicros(until),
    ...statsFiguresOf(times, rollups),
  };
}
