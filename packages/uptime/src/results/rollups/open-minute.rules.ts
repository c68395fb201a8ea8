// The results of the present minute. They are kept with the track of the monitor, which changes with every result anyway,
// and go into the rollups together with the first result of another minute: sixty results, one change of three rows.

import type { TrackRow } from "../../db/tables/tracks.table.ts";
import {
  type Counted,
  countResult,
  emptyTally,
  type MinuteTally,
  startText,
} from "./rollup.rules.ts";

export interface Counting {
  /** What is in no rollup yet. */
  readonly open: MinuteTally;
  /** What is to go into the rollups. */
  readonly done: MinuteTally | null;
}

/**
 * Adds a result, in place. One that comes late, when its minute is over, is a minute of its own; the newest never is late, also
 * when the open minute is still to come because the clock was ahead.
 */
export function countIn(open: MinuteTally | null, counted: Counted, isNewest: boolean): Counting {
  const start = startText("minute", counted.at);
  if (open !== null && open.start === start) {
    countResult(open, counted);
    return { open, done: null };
  }
  const fresh = { start, ...emptyTally() };
  countResult(fresh, counted);
  return open === null || isNewest ? { open: fresh, done: open } : { open, done: fresh };
}

export function openMinuteOf(track: Pick<TrackRow, "open_minute"> | null): MinuteTally | null {
  const text = track?.open_minute ?? null;
  return text === null ? null : (JSON.parse(text) as MinuteTally);
}
