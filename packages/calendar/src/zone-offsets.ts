// The only place that asks Intl about zones. Asking costs microseconds, so a stretch of time is
// asked about once and kept as segments of constant offset.
import { DAY, dayNumber, SECOND } from "./civil.ts";

/** A stretch of time in which the zone's offset from UTC stays the same. */
export interface Segment {
  /** First instant of the segment. */
  readonly start: number;
  /** First instant after it. */
  readonly end: number;
  /** What to add to UTC to get the wall clock. */
  readonly offset: number;
  /**
   * The offset just before `start`: smaller when the clock was put forward, larger when it was put
   * back.
   */
  readonly before: number;
}

/**
 * No zone has two transitions less than seven days apart (Recife, October 2000), so none hides
 * between two probes.
 */
const PROBE_STEP = 4 * DAY;
const CHUNK = 32 * PROBE_STEP;

export type OffsetAt = (utc: number) => number;

export function chunkOf(utc: number): number {
  return Math.floor(utc / CHUNK);
}

/**
 * The segments of one chunk of time, ascending. The first reaches back one step before the chunk,
 * so that whoever looks at the chunk's beginning still sees the transition just before it.
 */
export function findSegments(offsetAt: OffsetAt, chunk: number): readonly Segment[] {
  const end = (chunk + 1) * CHUNK;
  const segments: Segment[] = [];
  let start = chunk * CHUNK - PROBE_STEP;
  let offset = offsetAt(start);
  let before = offset;
  for (let probe = start + PROBE_STEP; probe <= end; probe += PROBE_STEP) {
    const next = offsetAt(probe);
    if (next === offset) continue;
    const transition = findTransition(offsetAt, probe - PROBE_STEP, probe);
    segments.push({ start, end: transition, offset, before });
    start = transition;
    before = offset;
    offset = next;
  }
  segments.push({ start, end, offset, before });
  return segments;
}

/** Null if Intl does not know the zone, or knows it by another spelling. */
export function offsetsFromIntl(name: string): OffsetAt | null {
  const format = formatIn(name);
  if (format === null) return null;
  const spelling = format.resolvedOptions().timeZone;
  if (spelling !== name && spelling.toLowerCase() === name.toLowerCase()) return null;
  return (utc) => {
    const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = (
      format.format(utc / 1000).match(/\d+/g) ?? []
    ).map(Number);
    const seconds = hour * 3600 + minute * 60 + second;
    return dayNumber({ year, month, day }) * DAY + seconds * SECOND - utc;
  };
}

function formatIn(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function findTransition(offsetAt: OffsetAt, from: number, until: number): number {
  const offset = offsetAt(from);
  let same = from / SECOND;
  let other = until / SECOND;
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle * SECOND) === offset) same = middle;
    else other = middle;
  }
  return other * SECOND;
}
