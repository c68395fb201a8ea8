import { DAY_SECONDS, HORIZON_DAY } from "./civil.ts";
import { calendarPeriods } from "./rrule-calendar.ts";
import { clockPeriods } from "./rrule-clock.ts";
import { isClockRule } from "./rrule-parts.ts";
import type { BoundRule, Search, SearchBudget } from "./rrule-rule.ts";
import { refuse } from "./schedule-error.ts";
import { spendSteps } from "./search-steps.ts";
import { gridSize, gridTimes, positionedTimes } from "./time-grid.ts";

export const HORIZON_SECOND = (HORIZON_DAY + 1) * DAY_SECONDS - 1;

/** The rule's wall-clock seconds, ascending. */
export function* ruleWalls(rule: BoundRule, search: Search): Generator<number> {
  const from = Math.max(search.from, rule.start);
  const until = Math.min(search.until, rule.end);
  for (const bases of periodsOf(rule, { ...search, from, until }))
    for (const wall of periodWalls(rule, bases, from)) {
      if (wall > until) return;
      spendSteps(1 / 4);
      yield wall;
    }
}

/**
 * The wall-clock second of the rule's last occurrence if there are `count`. Only the last period's
 * are looked at one by one.
 */
export function findLastOf(rule: BoundRule, count: number, effort: SearchBudget): number {
  const search = { from: rule.start, until: HORIZON_SECOND, effort };
  let left = count;
  for (const bases of periodsOf(rule, search)) {
    const isCut = (bases[0] ?? 0) < rule.start || rule.parts.positions.length > 0;
    const size = bases.length * gridSize(rule.grid);
    if (!isCut && size < left) {
      left -= size;
      continue;
    }
    for (const wall of periodWalls(rule, bases, rule.start)) {
      spendSteps(1 / 4);
      if (--left === 0) return wall;
    }
  }
  if (search.effort.left <= 0) refuse("COUNT is too large for a rule as sparse as this one.");
  return HORIZON_SECOND;
}

function periodsOf(rule: BoundRule, search: Search): Generator<readonly number[]> {
  return isClockRule(rule.parts) ? clockPeriods(rule, search) : calendarPeriods(rule, search);
}

function* periodWalls(rule: BoundRule, bases: readonly number[], from: number): Generator<number> {
  const { positions } = rule.parts;
  if (positions.length > 0) {
    spendSteps(positions.length);
    for (const wall of positionedTimes(bases, rule.grid, positions)) if (wall >= from) yield wall;
    return;
  }
  for (const base of bases) if (base + DAY_SECONDS > from) yield* gridTimes(base, rule.grid, from);
}
