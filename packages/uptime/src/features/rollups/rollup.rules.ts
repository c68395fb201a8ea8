// What one result adds to the rollups. Everything here is in microseconds since 1970.

import { formatMicros } from "@orchestrator/kernel";
import type { CheckStatus } from "../results/results.table.ts";
import { countLatency } from "./latency-histogram.rules.ts";
import { ROLLUP_SIZES, type RollupRow, type RollupSize } from "./rollups.table.ts";

export const SIZE_MICROS: Readonly<Record<RollupSize, number>> = {
  minute: 60_000_000,
  hour: 3_600_000_000,
  day: 86_400_000_000,
};

/** How long minutes are kept. After that the hours must do. */
export const MINUTES_KEPT_MICROS = 7 * SIZE_MICROS.day;

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

function startText(size: RollupSize, at: number): string {
  const last = lastStarts[size];
  if (last.at !== at) {
    last.text = formatMicros(at);
    last.at = at;
  }
  return last.text;
}

export function startOf(size: RollupSize, micros: number): number {
  return Math.floor(micros / SIZE_MICROS[size]) * SIZE_MICROS[size];
}

/** A status that held from one moment to another. */
export interface Held {
  readonly status: CheckStatus;
  readonly from: number;
  readonly until: number;
}

/** What a result adds to one rollup. */
export interface Addition {
  readonly size: RollupSize;
  readonly start: string;
  readonly counted: Counted | null;
  readonly heldMicros: number;
  readonly heldStatus: CheckStatus | null;
}

export interface Counted {
  readonly status: CheckStatus;
  readonly inconclusive: boolean;
  readonly maintenance: boolean;
  readonly elapsedMicros: number;
  readonly at: number;
}

/** Sizes that say how long a status held. */
const TIMED_SIZES = ["hour", "day"] as const satisfies readonly RollupSize[];

/** Every rollup that a result touches: those it began in, and those that the time before it lies in. */
export function additionsOf(counted: Counted | null, held: Held | null): Addition[] {
  const additions = new Map<string, Addition>();
  for (const size of counted === null ? [] : ROLLUP_SIZES) {
    const start = startText(size, startOf(size, counted?.at ?? 0));
    additions.set(size + start, { size, start, counted, heldMicros: 0, heldStatus: null });
  }
  for (const size of held === null ? [] : TIMED_SIZES)
    for (const { start, micros } of spread(held as Held, size)) {
      const key = size + start;
      const before = additions.get(key) ?? { size, start, counted: null };
      additions.set(key, { ...before, heldMicros: micros, heldStatus: (held as Held).status });
    }
  return [...additions.values()];
}

function* spread({ from, until }: Held, size: RollupSize) {
  const length = SIZE_MICROS[size];
  for (let start = startOf(size, from); start < until; start += length) {
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

export function emptyRollup({ monitor_id, size, start }: RollupKey): Rollup {
  return {
    monitor_id,
    size,
    start,
    up_count: 0,
    degraded_count: 0,
    down_count: 0,
    inconclusive_count: 0,
    maintenance_count: 0,
    up_us: 0,
    degraded_us: 0,
    down_us: 0,
    latency_us: 0,
    latency_min_us: null,
    latency_max_us: null,
    latency: {},
  };
}

/** In place: three rollups grow with every result, and copies of them were a good part of its cost. */
export function addTo(row: Rollup, { counted, heldMicros, heldStatus }: Addition): void {
  if (counted !== null) addCount(row, counted);
  if (heldStatus !== null) row[`${heldStatus}_us`] += heldMicros;
}

function addCount(
  row: Rollup,
  { status, inconclusive, maintenance, elapsedMicros }: Counted,
): void {
  if (maintenance) row.maintenance_count += 1;
  else if (inconclusive) row.inconclusive_count += 1;
  else {
    row[`${status}_count`] += 1;
    // How long a failure took says nothing about how fast the target is.
    if (status === "down") return;
    row.latency_us += elapsedMicros;
    row.latency_min_us = Math.min(row.latency_min_us ?? elapsedMicros, elapsedMicros);
    row.latency_max_us = Math.max(row.latency_max_us ?? elapsedMicros, elapsedMicros);
    countLatency(row.latency, elapsedMicros);
  }
}
