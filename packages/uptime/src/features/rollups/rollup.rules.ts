// What one result adds to the rollups. Everything here is in microseconds since 1970.

import { formatMicros } from "@orchestrator/kernel";
import type { CheckStatus } from "../results/results.table.ts";
import { addLatency, type Histogram } from "./latency-histogram.rules.ts";
import { ROLLUP_SIZES, type RollupRow, type RollupSize } from "./rollups.table.ts";

export const SIZE_MICROS: Readonly<Record<RollupSize, number>> = {
  minute: 60_000_000,
  hour: 3_600_000_000,
  day: 86_400_000_000,
};

/** How long minutes are kept. After that the hours must do. */
export const MINUTES_KEPT_MICROS = 7 * SIZE_MICROS.day;

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
    const start = formatMicros(startOf(size, counted?.at ?? 0));
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
    yield { start: formatMicros(start), micros };
  }
}

/** A rollup with its histogram read. */
export interface Rollup extends Omit<RollupRow, "latency"> {
  readonly latency: Histogram;
}

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

export function withAddition(row: Rollup, addition: Addition): Rollup {
  const { counted, heldMicros, heldStatus } = addition;
  const after = counted === null ? row : withCount(row, counted);
  if (heldStatus === null) return after;
  const key = `${heldStatus}_us` as const;
  return { ...after, [key]: after[key] + heldMicros };
}

function withCount(row: Rollup, counted: Counted): Rollup {
  const { status, inconclusive, maintenance, elapsedMicros } = counted;
  if (maintenance) return { ...row, maintenance_count: row.maintenance_count + 1 };
  if (inconclusive) return { ...row, inconclusive_count: row.inconclusive_count + 1 };
  const key = `${status}_count` as const;
  const after = { ...row, [key]: row[key] + 1 };
  // How long a failure took says nothing about how fast the target is.
  if (status === "down") return after;
  return {
    ...after,
    latency_us: row.latency_us + elapsedMicros,
    latency_min_us: Math.min(row.latency_min_us ?? elapsedMicros, elapsedMicros),
    latency_max_us: Math.max(row.latency_max_us ?? elapsedMicros, elapsedMicros),
    latency: addLatency(row.latency, elapsedMicros),
  };
}
