// The times of a backfill, in its order. Times are microseconds since 1970.

import {
  type Schedule as CalendarSchedule,
  MOST_OCCURRENCES,
  occurrences,
} from "@orchestrator/calendar";
import type { BackfillOrder } from "@orchestrator/contract";
import { lastOccurrences } from "./fill.rules.ts";

/** A time, and which of the schedules it belongs to, counted from 0. */
export interface BackfillTime {
  readonly date: number;
  readonly schedule: number;
}

export interface BackfillPlan {
  readonly schedules: readonly CalendarSchedule[];
  /** Times at the beginning and at the end count. */
  readonly start: number;
  readonly end: number;
  readonly order: BackfillOrder;
}

/** How many times there are, counted no further than a little beyond `most`. */
export function countTimes(
  { schedules, start, end }: Omit<BackfillPlan, "order">,
  most: number,
): number {
  let count = 0;
  for (const schedule of schedules) {
    for (let from = start; count <= most; ) {
      const found = occurrences(schedule, { from, until: end, limit: MOST_OCCURRENCES });
      count += found.length;
      if (found.length < MOST_OCCURRENCES) break;
      from = (found.at(-1) ?? end) + 1;
    }
  }
  return count;
}

/** The next times from the given one on, itself included. Without one it begins with the first. */
export function timesFrom(
  plan: BackfillPlan,
  { at, count }: { readonly at: BackfillTime | null; readonly count: number },
): BackfillTime[] {
  const isOldestFirst = plan.order === "oldest-first";
  const sign = isOldestFirst ? 1 : -1;
  const ahead = plan.schedules.flatMap((schedule, index) => {
    const from = at?.date ?? (isOldestFirst ? plan.start : plan.end);
    // At the time itself the schedules before that one are done.
    const isDone = at !== null && index < at.schedule;
    const dates = isOldestFirst
      ? occurrences(schedule, { from: isDone ? from + 1 : from, until: plan.end, limit: count })
      : lastOccurrences(schedule, {
          after: plan.start - 1,
          until: isDone ? from - 1 : from,
          count,
        });
    return dates.map((date) => ({ date, schedule: index }));
  });
  return ahead
    .toSorted((a, b) => sign * (a.date - b.date) || a.schedule - b.schedule)
    .slice(0, count);
}
