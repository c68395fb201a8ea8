// What results add to the rollups. Everything here is in microseconds since 1970.

import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import { ROLLUP_SIZES, type RollupRow, type RollupSize } from "../../db/tables/rollups.table.ts";
import { countLatency } from "./latency-histogram.rules.ts";

export const SIZE_MICROS: Readonly<Record<RollupSize, number>> = {
  minute: 60_000_000,
  hour: 3_600_000_000,
  day: 86_400_000_000,
};

/** How long minutes are kept. After that the hours must do. */
export const MINUTE_RETENTION_MICROS = 7 * SIZE_MICROS.day;

interface Start {
  at: number;
  text: string;
}

/** Nearly all results of a moment are of the same minute, hour and day. */
const lastStarts: Readonly<Record<RollupSize, Start>> = {
  minute: { at: Number.NaN, text: "" },
  hour: { at: Number.NaN, text: "" },
  day: { at: Number.NaN, text: "" },
};

/** The beginning of the minute, hour or day that a moment lies in, as text. */
export function startText(size: RollupSize, micros: number): string {
  const at = rollupStart(size, micros);
  const last = lastStarts[size];
  if (last.at !== at) {
    last.text = formatMicros(at);
    last.at = at;
  }
  return last.text;
}

export function rollupStart(size: RollupSize, micros: number): number {
  return Math.floor(micros / SIZE_MICROS[size]) * SIZE_MICROS[size];
}

/** A status that held from one moment to another. */
export interface StatusSpan {
  readonly status: CheckStatus;
  readonly from: number;
  readonly until: number;
}

/** What one rollup grows by. */
export interface RollupIncrement {
  readonly size: RollupSize;
  readonly start: string;
  readonly tally: RollupCounters | null;
  readonly heldMicros: number;
  readonly heldStatus: CheckStatus | null;
}

export interface CountedResult {
  readonly status: CheckStatus;
  readonly inconclusive: boolean;
  readonly maintenance: boolean;
  readonly elapsedMicros: number;
  readonly at: number;
}

/** Sizes that say how long a status held. */
const TIMED_SIZES = ["hour", "day"] as const satisfies readonly RollupSize[];

/**
 * Every rollup that grows: those that a minute of results lies in, and those that the time lies in.
 */
export function incrementsOf(
  minute: MinuteCounters | null,
  held: StatusSpan | null,
): RollupIncrement[] {
  if (minute === null && held === null) return NOTHING;
  const additions = new Map<string, RollupIncrement>();
  const at = minute === null ? 0 : parseMicros(minute.start);
  for (const size of minute === null ? [] : ROLLUP_SIZES) {
    const start = startText(size, at);
    additions.set(size + start, { size, start, tally: minute, heldMicros: 0, heldStatus: null });
  }
  for (const size of held === null ? [] : TIMED_SIZES)
    for (const { start, micros } of spread(held as StatusSpan, size)) {
      const key = size + start;
      const before = additions.get(key) ?? { size, start, tally: null };
      additions.set(key, {
        ...before,
        heldMicros: micros,
        heldStatus: (held as StatusSpan).status,
      });
    }
  return [...additions.values()];
}

const NOTHING: RollupIncrement[] = [];

function* spread({ from, until }: StatusSpan, size: RollupSize) {
  const length = SIZE_MICROS[size];
  for (let start = rollupStart(size, from); start < until; start += length) {
    const micros = Math.min(until, start + length) - Math.max(from, start);
    yield { start: startText(size, start), micros };
  }
}

type Grown = Omit<RollupRow, "latency">;

/** A rollup with its histogram read, to be added to. */
export type Rollup = { -readonly [Key in keyof Grown]: Grown[Key] } & {
  readonly latency: Record<string, number>;
};

export type RollupKey = Pick<RollupRow, "monitor_id" | "size" | "start">;

/** What some results add up to, without how long a status held. */
export type RollupCounters = Omit<Rollup, keyof RollupKey | "up_us" | "degraded_us" | "down_us">;

/** The results that began in one minute. */
export interface MinuteCounters extends RollupCounters {
  readonly start: string;
}

export function emptyCounters(): RollupCounters {
  return {
    up_count: 0,
    degraded_count: 0,
    down_count: 0,
    inconclusive_count: 0,
    maintenance_count: 0,
    latency_us: 0,
    latency_min_us: null,
    latency_max_us: null,
    latency: {},
  };
}

export function emptyRollup({ monitor_id, size, start }: RollupKey): Rollup {
  return { monitor_id, size, start, up_us: 0, degraded_us: 0, down_us: 0, ...emptyCounters() };
}

/** In place, as all that follows: copies were a good part of the cost of a result. */
export function addTo(row: Rollup, { tally, heldMicros, heldStatus }: RollupIncrement): void {
  if (tally !== null) addTally(row, tally);
  if (heldStatus !== null) row[`${heldStatus}_us`] += heldMicros;
}

function addTally(to: RollupCounters, more: RollupCounters): void {
  to.up_count += more.up_count;
  to.degraded_count += more.degraded_count;
  to.down_count += more.down_count;
  to.inconclusive_count += more.inconclusive_count;
  to.maintenance_count += more.maintenance_count;
  addLatencies(to, more);
  for (const bucket in more.latency)
    to.latency[bucket] = (to.latency[bucket] ?? 0) + (more.latency[bucket] ?? 0);
}

export function countResult(
  tally: RollupCounters,
  { status, inconclusive, maintenance, elapsedMicros }: CountedResult,
): void {
  if (maintenance) tally.maintenance_count += 1;
  else if (inconclusive) tally.inconclusive_count += 1;
  else {
    tally[`${status}_count`] += 1;
    // How long a failure took says nothing about how fast the target is.
    if (status === "down") return;
    addLatencies(tally, {
      latency_us: elapsedMicros,
      latency_min_us: elapsedMicros,
      latency_max_us: elapsedMicros,
    });
    countLatency(tally.latency, elapsedMicros);
  }
}

type Latencies = Pick<RollupCounters, "latency_us" | "latency_min_us" | "latency_max_us">;

function addLatencies(to: Latencies, more: Readonly<Latencies>): void {
  const { latency_us, latency_min_us: min, latency_max_us: max } = more;
  to.latency_us += latency_us;
  if (min !== null) to.latency_min_us = Math.min(to.latency_min_us ?? min, min);
  if (max !== null) to.latency_max_us = Math.max(to.latency_max_us ?? max, max);
}
