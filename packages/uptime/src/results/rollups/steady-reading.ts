// Figures are put together from rollups and spans, and from what the tracks hold that is in none of
// them yet. These are several questions to the database; a result that comes between two of them
// moves a minute, or the end of a span, from the track to the others, and what has moved would be
// counted twice.

import type { TrackRow } from "../../db/tables/tracks.table.ts";
import { openMinuteOf } from "./open-minute.rules.ts";

type Moving = Pick<TrackRow, "monitor_id" | "since" | "counted_until"> &
  Partial<Pick<TrackRow, "open_minute">>;

/**
 * A monitor moves something once a minute at most. Among hundreds one often does; what it moved may
 * then be counted twice.
 */
const MOST_TRIES = 4;

/**
 * Reads tracks, and figures that go with them: all of it anew when something has moved meanwhile.
 */
export async function readSteadily<Track extends Moving, Figures>(
  readTracks: () => Promise<readonly Track[]>,
  readFigures: (tracks: readonly Track[]) => Promise<Figures>,
): Promise<Figures> {
  let tracks = await readTracks();
  for (let tries = 1; ; tries += 1) {
    const figures = await readFigures(tracks);
    const since = await readTracks();
    if (tries === MOST_TRIES || marks(tracks) === marks(since)) return figures;
    tracks = since;
  }
}

function marks(tracks: readonly Moving[]): string {
  return tracks.map(markOf).sort().join();
}

function markOf({ monitor_id, since, counted_until, open_minute = null }: Moving): string {
  const minute = openMinuteOf({ open_minute })?.start;
  return [monitor_id, since, counted_until, minute].join(" ");
}
