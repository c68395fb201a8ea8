// How a status goes on from result to result. Times are microseconds since 1970.

import { formatMicros, parseMicros } from "@orchestrator/kernel";
import type { CheckStatus } from "../results/results.table.ts";
import type { Held } from "./rollup.rules.ts";
import type { TrackRow } from "./tracks.table.ts";

/** A status that holds at present. */
export interface Holding {
  readonly status: CheckStatus;
  readonly since: number;
  readonly countedUntil: number;
  readonly validUntil: number;
}

/** What is known from a moment on: a status and for how long it may be taken to hold, or nothing. */
export interface News {
  readonly at: number;
  readonly status: CheckStatus | null;
  readonly validUntil: number;
  /** Whether time in which nothing has changed is counted now; else it is left for later. */
  readonly isCounting: boolean;
}

export interface Step {
  readonly holding: Holding | null;
  /** Time that was not counted yet. */
  readonly held: Held | null;
  /** A span that is over. */
  readonly ended: Held | null;
}

/** A clock that is put right by less leaves out no more time than this. */
const CLOCK_STEP_MICROS = 60_000_000;

/** A status holds until something else is known, but not beyond the time for which it is valid. */
export function follow(before: Holding | null, { at, status, validUntil, isCounting }: News): Step {
  const fresh = status === null ? null : { status, since: at, countedUntil: at, validUntil };
  if (before === null) return { holding: fresh, held: null, ended: null };
  // The clock was ahead and has been put right: nothing would be counted until it is that late again.
  if (at < before.countedUntil - CLOCK_STEP_MICROS)
    return {
      holding: fresh,
      held: null,
      ended: at > before.since ? part(before, before.since, at) : null,
    };
  // What is told late changes nothing about the time after it.
  if (at < before.countedUntil) return { holding: before, held: null, ended: null };
  const until = Math.min(at, before.validUntil);
  const goesOn = fresh !== null && status === before.status && until === at;
  if (goesOn && !isCounting) return { holding: { ...before, validUntil }, held: null, ended: null };
  const held = until > before.countedUntil ? part(before, before.countedUntil, until) : null;
  if (goesOn) return { holding: { ...fresh, since: before.since }, held, ended: null };
  const ended = until > before.since ? part(before, before.since, until) : null;
  return { holding: fresh, held, ended };
}

/** How long the status may be taken to hold at `now`, as far as it is not counted yet. */
export function uncounted({ status, countedUntil, validUntil }: Holding, now: number): Held | null {
  const until = Math.min(now, validUntil);
  return until > countedUntil ? { status, from: countedUntil, until } : null;
}

const part = ({ status }: Holding, from: number, until: number): Held => ({ status, from, until });

export function holdingOf(
  track: Pick<TrackRow, "status" | "since" | "counted_until" | "valid_until"> | null,
): Holding | null {
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

/** What holds from now on, and `before`, which is what the track says: most of it stays, and need not be written anew. */
export function withHolding(
  track: TrackRow,
  before: Holding | null,
  holding: Holding | null,
): TrackRow {
  if (holding === null)
    return { ...track, status: null, since: null, counted_until: null, valid_until: null };
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
