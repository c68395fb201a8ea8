import type { FilledTimes, RunTime } from "../times/fill.rules.ts";

/** A schedule whose missing times have been worked out. */
export interface Wanting {
  readonly filled: FilledTimes;
  /** How far it had come before. */
  readonly filledUntil: number;
  /**
   * The moment up to which nothing will ever be made up for; null where what was missed is caught
   * up on.
   */
  readonly passedOver: number | null;
}

/**
 * What of the times becomes runs where only so many may be made: the earliest, whichever schedule
 * they belong to. A schedule that gets less than it wants is looked at again, and then goes on by
 * its own rules behind what it got.
 */
export function shareOut<Item extends Wanting>(
  items: readonly Item[],
  { left, again }: { readonly left: number; readonly again: number },
): Item[] {
  const all = items.flatMap(({ filled }, index) =>
    filled.times.map(({ date }) => ({ date, index })),
  );
  if (all.length <= left) return [...items];
  const given = items.map(() => 0);
  const earliest = all.toSorted((a, b) => a.date - b.date).slice(0, left);
  for (const { index } of earliest) given[index] = (given[index] ?? 0) + 1;
  return items.map((item, index) => cut(item, given[index] ?? 0, again));
}

function cut<Item extends Wanting>(item: Item, count: number, again: number): Item {
  const { times } = item.filled;
  if (count === times.length) return item;
  const kept: readonly RunTime[] = times.slice(0, count);
  // Of a schedule that spreads its times some may have been before that, and start only now.
  const last = kept.at(-1)?.date ?? item.filledUntil;
  // What it passes over by its own rules it has not missed for want of room, and at the next look
  // it is late by no more than since this one.
  const filledUntil = Math.max(item.filledUntil, last, item.passedOver ?? last);
  return { ...item, filled: { times: kept, filledUntil, due: again } };
}
