import { civilDate, DAY_SECONDS, weekday } from "./civil.ts";
import { neverStrikes } from "./rrule-clock.ts";
import { allowedDays, type DayParts } from "./rrule-days.ts";
import { FREQUENCIES, type Frequency, isClockRule, type RuleParts } from "./rrule-parts.ts";
import type { BoundRule, SearchBudget } from "./rrule-rule.ts";
import { findLastOf, HORIZON_SECOND } from "./rrule-walls.ts";
import { refuse } from "./schedule-error.ts";
import { gridSize, type TimeGrid } from "./time-grid.ts";

const PERIOD_SECONDS: ReadonlyMap<Frequency, number> = new Map([
  ["WEEKLY", 7 * DAY_SECONDS],
  ["DAILY", DAY_SECONDS],
  ["HOURLY", 3600],
  ["MINUTELY", 60],
  ["SECONDLY", 1],
]);

/**
 * Throws a `ScheduleError` if the rule can never occur, or if too much would have to be counted to
 * find its end.
 */
export function bindRule(parts: RuleParts, start: number, effort: SearchBudget): BoundRule {
  const nextDay = allowedDays(dayParts(parts, start));
  const rule = { parts, start, end: HORIZON_SECOND, nextDay, grid: gridOf(parts, start) };
  refuseNever(rule);
  const end = Math.min(HORIZON_SECOND, parts.until ?? HORIZON_SECOND, endOfCount(rule, effort));
  return { ...rule, end };
}

/**
 * What can be seen to never occur is refused: a search would go through every second of the window.
 */
function refuseNever(rule: BoundRule): void {
  const { parts, grid } = rule;
  if (isClockRule(parts) && neverStrikes(rule))
    refuse(
      "The rule never occurs: INTERVAL steps over all that BYHOUR, BYMINUTE and BYSECOND allow.",
    );
  const isDayOrLess = isClockRule(parts) || parts.frequency === "DAILY";
  const isTooFar = (position: number) => Math.abs(position) > gridSize(grid);
  if (isDayOrLess && parts.positions.length > 0 && parts.positions.every(isTooFar))
    refuse("The rule never occurs: BYSETPOS counts further than its periods have times.");
}

/** A rule that names no days takes those of its start. */
function dayParts(parts: RuleParts, start: number): DayParts {
  const namesDays = [parts.weekNumbers, parts.yearDays, parts.monthDays, parts.weekdays].some(
    (list) => list.length > 0,
  );
  if (namesDays) return parts;
  const startDay = Math.floor(start / DAY_SECONDS);
  const { month, day } = civilDate(startDay);
  if (parts.frequency === "WEEKLY")
    return { ...parts, weekdays: [{ weekday: weekday(startDay), nth: null }] };
  if (parts.frequency === "MONTHLY") return { ...parts, monthDays: [day] };
  if (parts.frequency !== "YEARLY") return parts;
  return { ...parts, months: parts.months.length > 0 ? parts.months : [month], monthDays: [day] };
}

/**
 * What is longer than the rule's period is not part of the grid; what is not named is that of the
 * start.
 */
function gridOf({ frequency, hours, minutes, seconds }: RuleParts, start: number): TimeGrid {
  const rank = FREQUENCIES.indexOf(frequency);
  const time = start - Math.floor(start / DAY_SECONDS) * DAY_SECONDS;
  const choose = (named: readonly number[], own: number, period: Frequency) => {
    if (rank >= FREQUENCIES.indexOf(period)) return [0];
    return named.length > 0 ? named : [own];
  };
  return {
    hours: choose(hours, Math.floor(time / 3600), "HOURLY"),
    minutes: choose(minutes, Math.floor(time / 60) % 60, "MINUTELY"),
    seconds: choose(seconds, time % 60, "SECONDLY"),
  };
}

function endOfCount(rule: BoundRule, effort: SearchBudget): number {
  const { count, interval, frequency } = rule.parts;
  if (count === null) return HORIZON_SECOND;
  const period = PERIOD_SECONDS.get(frequency);
  if (period === undefined || !isPlain(rule.parts)) return findLastOf(rule, count, effort);
  return rule.start + (count - 1) * interval * period;
}

/** Whether the rule is nothing but a start and an interval. */
function isPlain(parts: RuleParts): boolean {
  return Object.values(parts).every((part) => !Array.isArray(part) || part.length === 0);
}
