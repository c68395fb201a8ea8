import { SECOND } from "./civil.ts";
import { spendSteps } from "./search-steps.ts";
import { firstWallFrom, lastWallUntil, segmentOfWall, type Zone } from "./zone.ts";

/** Wall-clock seconds in ascending order, both ends included. */
export type WallSource = (from: number, until: number) => Iterable<number>;

/** Instants in microseconds, both ends included. */
export interface OccurrenceWindow {
  readonly from: number;
  readonly until: number;
  /** No more than this many. */
  readonly limit: number;
}

/**
 * The instants of wall-clock times: a time the zone skips runs once after the gap, one it has twice
 * runs the first time. Skipped times are put behind the gap, among those that stand there anyway,
 * so they are held back until their turn comes; a time that is there already is not repeated.
 */
export function wallOccurrences(
  source: WallSource,
  zone: Zone,
  window: OccurrenceWindow,
): number[] {
  const { from, until, limit } = window;
  const found: number[] = [];
  const held: number[] = [];
  const take = (utc: number) => {
    if (utc >= from && utc <= until && utc !== found.at(-1)) found.push(utc);
  };

  const firstWall = firstWallFrom(from, zone);
  let segment = segmentOfWall(firstWall, zone);
  const walls = source(Math.ceil(firstWall / SECOND), Math.floor(lastWallUntil(until) / SECOND));
  for (const second of walls) {
    spendSteps(1 / 8);
    const wall = second * SECOND;
    if (wall - segment.offset >= segment.end) segment = segmentOfWall(wall, zone);
    const utc = wall - segment.offset;
    if (utc < segment.start) {
      if (held.length < limit) held.push(wall - segment.before);
      continue;
    }
    while (held[0] !== undefined && held[0] <= utc) take(held.shift() ?? utc);
    take(utc);
    if (utc > until || found.length >= limit) break;
  }
  for (const utc of held) take(utc);
  return found.slice(0, limit);
}
