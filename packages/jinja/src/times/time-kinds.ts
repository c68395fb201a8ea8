// Times as Python has them: microseconds of a calendar that goes on in both directions, and the
// distance from UTC where it is known.

export const SECOND_MICROS = 1_000_000n;
export const DAY_MICROS = 86_400n * SECOND_MICROS;

/** A moment: what a calendar and a clock show somewhere. */
export class DateTime {
  /** What the calendar and the clock show there, in microseconds since 1970. */
  readonly wall: bigint;
  /** How far the clock is ahead of UTC, in microseconds; null where nobody knows. */
  readonly offset: bigint | null;
  /** The name of the zone, where it has one. */
  readonly zone: string | null;

  constructor(wall: bigint, offset: bigint | null, zone: string | null = null) {
    this.wall = wall;
    this.offset = offset;
    this.zone = zone;
  }
}

export class Day {
  /** Days since 1970. */
  readonly days: bigint;

  constructor(days: bigint) {
    this.days = days;
  }
}

export class ClockTime {
  /** Microseconds since midnight. */
  readonly micros: bigint;

  constructor(micros: bigint) {
    this.micros = micros;
  }
}

export class TimeSpan {
  readonly micros: bigint;

  constructor(micros: bigint) {
    this.micros = micros;
  }
}

export type TimeKind = DateTime | Day | ClockTime | TimeSpan;

export function timeValueOf(value: unknown): TimeKind | null {
  return value instanceof DateTime ||
    value instanceof Day ||
    value instanceof ClockTime ||
    value instanceof TimeSpan
    ? value
    : null;
}

/** Where it stands among others of its kind: moments are compared by what UTC shows. */
export function positionOf(time: TimeKind): bigint {
  if (time instanceof DateTime) return time.wall - (time.offset ?? 0n);
  return time instanceof Day ? time.days : time.micros;
}

/** The kind, for comparison: a moment without a zone is never the same as one with a zone. */
export function timeKindOf(time: TimeKind): string {
  if (time instanceof DateTime) return time.offset === null ? "naive" : "aware";
  if (time instanceof Day) return "day";
  return time instanceof ClockTime ? "clock" : "span";
}

export const timeKey = (time: TimeKind): string => `${timeKindOf(time)}${positionOf(time)}`;
