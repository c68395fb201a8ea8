import type { NextDay } from "./rrule-days.ts";
import type { RuleParts } from "./rrule-parts.ts";
import type { TimeGrid } from "./time-grid.ts";

/** A recurrence rule bound to its start. All times are wall-clock seconds. */
export interface BoundRule {
  readonly parts: RuleParts;
  readonly start: number;
  /** No occurrence comes later: `UNTIL`, the last of `COUNT`, or the horizon. */
  readonly end: number;
  readonly nextDay: NextDay;
  /** The times within one day, or within one period if that is shorter. */
  readonly grid: TimeGrid;
}

/** What is searched, both ends included. */
export interface Search {
  readonly from: number;
  readonly until: number;
  readonly effort: SearchBudget;
}

/**
 * How many more periods all rules of a search together may look at; a search ends when none is
 * left.
 */
export interface SearchBudget {
  left: number;
}

/**
 * Tens of milliseconds. A rule that is not made to take long finds a thousand occurrences with a
 * fraction of it.
 */
const MOST_PERIODS = 100_000;

export function newSearchBudget(): SearchBudget {
  return { left: MOST_PERIODS };
}

/** The number of the first period at or after `period` that the rule does not skip. */
export function alignPeriod(period: number, origin: number, { interval }: RuleParts): number {
  return origin + Math.ceil((period - origin) / interval) * interval;
}
