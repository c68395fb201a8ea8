// The results of the present minute. They are kept with the track of the monitor, which changes
// with every result anyway, and go into the rollups together with the first result of another
// minute: sixty results, one change of three rows.

import type { TrackRow } from "../../db/tables/tracks.table.ts";
import {
  type CountedResult,
  countResult,
  emptyCounters,
  type MinuteCounters,
  startText,
} from "./rollup.rules.ts";

export interface Counting {
  /** What is in no rollup yet. */
  readonly open: MinuteCounters;
  /** What is to go into the rollups. */
  readonly done: MinuteCounters | null;
}

/**
 * Adds a result, in place. One that comes late, when its minute is over, is a minute of its own;
 * the newest never is late, also when the open minute is still to come because the clock was ahead.
 */
export function countIn(
  open: MinuteCounters | null,
  counted: CountedResult,
  isNewest: boolean,
): Counting {
  const start = startText("minute", counted.at);
  if (open !== null && open.start === start) {
    countResult(open, counted);
    return { open, done: null };
  }
  const fresh = { start, ...emptyCounters() };
  countResult(fresh, counted);
  return open === null || isNewest ? { open: fresh, done: open } : { open, done: fresh };
}

export function openMinuteOf(track: Pick<TrackRow, "open_minute"> | null): MinuteCounters | null {
  const text = track?.open_minute ?? null;
  return text === null ? null : (JSON.parse(text) as MinuteCounters);
}
