// How a status goes on from result to result. Times are microseconds since 1970.

import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import type { TrackRow } from "../../db/tables/tracks.table.ts";
import type { StatusSpan } from "./rollup.rules.ts";

/** A status that holds at present. */
export interface CurrentSpan {
  readonly status: CheckStatus;
  readonly since: number;
  readonly countedUntil: number;
  readonly validUntil: number;
}

/**
 * What is known from a moment on: a status and for how long it may be taken to hold, or nothing.
 */
export interface News {
  readonly at: number;
  readonly status: CheckStatus | null;
  readonly validUntil: number;
  /**
   * Up to here time is in the rollups, of what holds or of what held before; null when there is
   * none.
   */
  readonly countedUntil: number | null;
  /** Whether time in which nothing has changed is counted now; else it is left for later. */
  readonly isCounting: boolean;
}

export interface TrackStep {
  readonly holding: CurrentSpan | null;
  /** Time that was not counted yet. */
  readonly held: StatusSpan | null;
  /** A span that is over. */
  readonly ended: StatusSpan | null;
}

/**
 * A clock that far from what it was before was never right: waiting for the time that it had told
 * would have no end.
 */
const MOST_WAITED_MICROS = 366 * 86_400_000_000;

/**
 * A status holds until something else is known, but not beyond the time for which it is valid. No
 * time is counted twice: what is told late, or by a clock that was ahead and has been put right,
 * holds from where the counted time ends.
 */
export function follow(before: CurrentSpan | null, news: News): TrackStep {
  const { at, status, isCounting } = news;
  const counted = news.countedUntil ?? at;
  const from = counted - at > MOST_WAITED_MICROS ? at : Math.max(at, counted);
  // Which may be before it begins to count: whoever hears nothing more shall not take it to hold
  // until then.
  const { validUntil } = news;
  const fresh = status === null ? null : { status, since: from, countedUntil: from, validUntil };
  if (before === null) return { holding: fresh, held: null, ended: null };
  const until = Math.max(before.countedUntil, Math.min(from, before.validUntil));
  const goesOn = fresh !== null && status === before.status && until === from;
  if (goesOn && !isCounting) return { holding: { ...before, validUntil }, held: null, ended: null };
  const held = until > before.countedUntil ? part(before, before.countedUntil, until) : null;
  if (goesOn) return { holding: { ...fresh, since: before.since }, held, ended: null };
  const ended = until > before.since ? part(before, before.since, until) : null;
  return { holding: fresh, held, ended };
}

/** How long the status may be taken to hold at `now`, as far as it is not counted yet. */
export function uncounted(
  { status, countedUntil, validUntil }: CurrentSpan,
  now: number,
): StatusSpan | null {
  const until = Math.min(now, validUntil);
  return until > countedUntil ? { status, from: countedUntil, until } : null;
}

const part = ({ status }: CurrentSpan, from: number, until: number): StatusSpan => ({
  status,
  from,
  until,
});

export function currentSpanOf(
  track: Pick<TrackRow, "status" | "since" | "counted_until" | "valid_until"> | null,
): CurrentSpan | null {
  if (track === null) return null;
  const { status, since, counted_until, valid_until } = track;
  if (status === null || since === null || counted_until === null || valid_until === null)
    return null;
  return {
    status,
    since: parseMicros(since),
    countedUntil: parseMicros(counted_until),
    validUntil: parseMicros(valid_until),
  };
}

/** Up to which time what held is in the rollups, also where nothing holds any more. */
export function countedUntil({ counted_until }: Pick<TrackRow, "counted_until">): number | null {
  return counted_until === null ? null : parseMicros(counted_until);
}

/**
 * What holds from now on, and `before`, which is what the track says: most of it stays, and need
 * not be written anew.
 */
export function withCurrentSpan(
  track: TrackRow,
  before: CurrentSpan | null,
  { holding, held }: TrackStep,
): TrackRow {
  if (holding === null) {
    const counted_until = held === null ? track.counted_until : formatMicros(held.until);
    return { ...track, status: null, since: null, counted_until, valid_until: null };
  }
  const { status, since, countedUntil, validUntil } = holding;
  return {
    ...track,
    status,
    since: since === before?.since ? track.since : formatMicros(since),
    counted_until:
      countedUntil === before?.countedUntil ? track.counted_until : formatMicros(countedUntil),
    valid_until: formatMicros(validUntil),
  };
}
