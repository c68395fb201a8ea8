// Expected events may come before the event of `after` that happened before them: a process tells
// its last sign of life when its end is told already. They are held, and count in the window that
// is opened later. Times are microseconds.

import type { EventTriggerRule } from "./triggers.rules.ts";

/** When events have occurred that end a wait and begin none, in order. */
export type EventTimes = readonly number[];

const SECOND = 1_000_000;
/**
 * Both the event that opens a window and those it waits for may be late by a quarter of an hour.
 */
export const EVENT_TIMES_SPAN = 30 * 60 * SECOND;
const MOST = 500;

type Window = Pick<EventTriggerRule, "threshold" | "within">;

export function addEventTime(
  held: EventTimes,
  at: number,
  { threshold, within }: Window,
): EventTimes {
  const length = within * SECOND;
  const index = held.findLastIndex((time) => time <= at) + 1;
  const all = [...held.slice(0, index), at, ...held.slice(index)];
  const oldest = (all.at(-1) ?? at) - Math.max(EVENT_TIMES_SPAN, length);
  const recent = all.filter((time) => time >= oldest).slice(-MOST);
  // Each window that one of them is in has enough without it: those before it or those behind it.
  const needless = recent.findIndex((_, place) => {
    const first = recent[place - threshold];
    const last = recent[place + threshold];
    return first !== undefined && last !== undefined && last - first < length;
  });
  return needless === -1 ? recent : recent.toSpliced(needless, 1);
}

/** How many of them a window counts. */
export function countEventTimesWithin(
  held: EventTimes,
  { starts, ends }: Readonly<Record<"starts" | "ends", number>>,
): number {
  return held.filter((time) => time >= starts && time < ends).length;
}
