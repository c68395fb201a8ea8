import { DAY, HOUR } from "./civil.ts";
import { type Parsed, parsedOrError, refuse } from "./schedule-error.ts";
import { isZoneNameShape, unknownZone } from "./zone-names.ts";
import { chunkOf, findSegments, offsetsFromIntl, type Segment } from "./zone-offsets.ts";

/**
 * A time zone. Instants are microseconds since 1970 UTC; so are wall-clock times, read as if the
 * wall were UTC.
 */
export interface Zone {
  readonly name: string;
  readonly segmentAt: (utc: number) => Segment;
}

/** What a wall-clock time means that the zone skips (gap) or has twice (overlap). */
export interface WallPolicy {
  /**
   * `later` goes by the offset before the gap (02:30 becomes 03:30), `earlier` by the one after it
   * (01:30).
   */
  readonly gap: "earlier" | "later";
  readonly overlap: "earlier" | "later";
}

/**
 * A skipped time runs after the gap, as far behind it as it stood behind the gap's beginning; a
 * repeated one the first time.
 */
export const LATER_THEN_FIRST: WallPolicy = { gap: "later", overlap: "earlier" };

const LARGEST_OFFSET = 16 * HOUR;
const UTC_SEGMENT: Segment = {
  start: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
  offset: 0,
  before: 0,
};
const UTC: Zone = { name: "UTC", segmentAt: () => UTC_SEGMENT };

/**
 * What has been learned of each zone. Old names are known in any letter case, so there is a limit.
 */
const zones = new Map<string, Zone>();
const MOST_ZONES = 1000;

export function findZone(name: string): Parsed<Zone> {
  return parsedOrError(() => readZone(name));
}

/** Throws a `ScheduleError` for an unknown name. */
export function readZone(name: string): Zone {
  if (name === UTC.name) return UTC;
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = createZone(name);
  if (zones.size >= MOST_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

export function toWall(utc: number, zone: Zone): number {
  return utc + zone.segmentAt(utc).offset;
}

export function toUtc(wall: number, zone: Zone, { gap, overlap }: WallPolicy): number {
  const segment = segmentOfWall(wall, zone);
  const utc = wall - segment.offset;
  if (utc < segment.start) return gap === "later" ? wall - segment.before : utc;
  if (overlap === "earlier") return utc;
  const again = wall - zone.segmentAt(segment.end).offset;
  return again >= segment.end ? again : utc;
}

/**
 * The first segment that the wall-clock time does not lie behind. It lies before it if the zone
 * skips it: then less the segment's offset it comes out before the segment's start.
 */
export function segmentOfWall(wall: number, zone: Zone): Segment {
  let segment = zone.segmentAt(wall - LARGEST_OFFSET);
  while (wall - segment.offset >= segment.end) segment = zone.segmentAt(segment.end);
  return segment;
}

/**
 * The first wall-clock time that may belong to an instant at or after `utc`, when skipped times run
 * later and repeated ones once.
 */
export function firstWallFrom(utc: number, zone: Zone): number {
  const { start, offset, before } = zone.segmentAt(utc);
  const change = offset - before;
  if (change > 0 && utc < start + change) return utc + before;
  if (change < 0) return Math.max(utc + offset, start + before);
  return utc + offset;
}

/** No wall-clock time behind this one belongs to an instant up to `utc`. */
export function lastWallUntil(utc: number): number {
  return utc + LARGEST_OFFSET + DAY;
}

function createZone(name: string): Zone {
  const offsetAt = isZoneNameShape(name) ? offsetsFromIntl(name) : null;
  if (offsetAt === null) return refuse(unknownZone(name));
  const chunks = new Map<number, readonly Segment[]>();
  return {
    name,
    segmentAt(utc) {
      const chunk = chunkOf(utc);
      let segments = chunks.get(chunk);
      if (segments === undefined) chunks.set(chunk, (segments = findSegments(offsetAt, chunk)));
      for (const segment of segments) if (utc < segment.end) return segment;
      throw new RangeError(`Not an instant: ${utc}`);
    },
  };
}
