import { type Intervals, LAST_MICROS } from "./history.rules.ts";

/** Runs are tallied by the minute; in microseconds. */
const MINUTE = 60 * 1_000_000;

/**
 * A stretch of time: its runs were tallied, and it is over or to come, or they have to be looked
 * at.
 */
interface IntervalSlice {
  readonly from: number;
  readonly until: number;
  readonly kind: "past" | "future" | "mixed";
}

/** Whether a whole minute lies in every interval, wherever it begins. */
export function holdsMinutes({ length }: Intervals): boolean {
  return length >= 2 * MINUTE;
}

/** An interval cut into whole minutes and what is left of it at both ends and around now. */
export function intervalPartsOf(from: number, until: number, now: number): IntervalSlice[] {
  const begin = Math.ceil(from / MINUTE) * MINUTE;
  const end = Math.max(begin, Math.floor(until / MINUTE) * MINUTE);
  const present = Math.min(Math.max(Math.floor(now / MINUTE) * MINUTE, begin), end);
  const future = Math.min(Math.max(Math.floor(now / MINUTE) * MINUTE + MINUTE, begin), end);
  const pieces: IntervalSlice[] = [
    { from, until: Math.min(begin, until), kind: "mixed" },
    { from: begin, until: present, kind: "past" },
    { from: present, until: future, kind: "mixed" },
    { from: future, until: end, kind: "future" },
    { from: end, until, kind: "mixed" },
  ];
  return pieces.filter((piece) => piece.from < piece.until);
}

/** A piece of the interval with this number. */
export interface IntervalPart extends IntervalSlice {
  readonly interval: number;
}

/**
 * What a piece whose runs are looked at costs, in minutes that were tallied; and how much is read
 * at once, so that others have their turn.
 */
const MIXED_COST = 30;
const COST_AT_ONCE = 1000;

/** The pieces of all intervals, a few at a time. */
export function* batchesOf(
  { start, length, count }: Intervals,
  now: number,
): Generator<readonly IntervalPart[]> {
  let batch: IntervalPart[] = [];
  let cost = 0;
  for (let interval = 0; interval < count; interval += 1) {
    const from = start + interval * length;
    const until = Math.min(from + length, LAST_MICROS);
    for (const piece of intervalPartsOf(from, until, now)) {
      batch.push({ ...piece, interval });
      cost += piece.kind === "mixed" ? MIXED_COST : (piece.until - piece.from) / MINUTE;
    }
    if (cost < COST_AT_ONCE) continue;
    yield batch;
    [batch, cost] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
