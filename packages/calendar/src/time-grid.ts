import { ascending } from "./ascending.ts";

/**
 * Times made of every combination of hours, minutes and seconds, each list ascending and not empty.
 */
export interface TimeGrid {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

/** The grid's times from `base` on, in seconds, that are not before `from`. */
export function* gridTimes(base: number, grid: TimeGrid, from: number): Generator<number> {
  for (const hour of grid.hours) {
    const hourStart = base + hour * 3600;
    if (hourStart + 3599 < from) continue;
    for (const minute of grid.minutes) {
      const minuteStart = hourStart + minute * 60;
      if (minuteStart + 59 < from) continue;
      for (const second of grid.seconds)
        if (minuteStart + second >= from) yield minuteStart + second;
    }
  }
}

/**
 * Of the grids on all bases put in a row, the times at these positions: 1 is the first, -1 the
 * last.
 */
export function positionedTimes(
  bases: readonly number[],
  grid: TimeGrid,
  positions: readonly number[],
): readonly number[] {
  const size = gridSize(grid);
  const total = bases.length * size;
  const indexes = positions
    .map((position) => (position > 0 ? position - 1 : total + position))
    .filter((index) => index >= 0 && index < total);
  return ascending(indexes).map(
    (index) => (bases[Math.floor(index / size)] ?? 0) + timeAt(grid, index % size),
  );
}

export function gridSize({ hours, minutes, seconds }: TimeGrid): number {
  return hours.length * minutes.length * seconds.length;
}

function timeAt({ hours, minutes, seconds }: TimeGrid, index: number): number {
  const minuteIndex = Math.floor(index / seconds.length);
  const hour = hours[Math.floor(minuteIndex / minutes.length)] ?? 0;
  const minute = minutes[minuteIndex % minutes.length] ?? 0;
  return hour * 3600 + minute * 60 + (seconds[index % seconds.length] ?? 0);
}
