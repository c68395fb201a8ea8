// Recurrence sets of RFC 5545 on the wall clock: the union of rules and dates less the excepted
// ones.
import { ascending } from "./ascending.ts";
import { SECOND } from "./civil.ts";
import { bindRule } from "./rrule-bind.ts";
import type { RuleParts } from "./rrule-parts.ts";
import { type BoundRule, newSearchBudget, type Search } from "./rrule-rule.ts";
import { parseRRuleText } from "./rrule-text.ts";
import { formatWallTime, parseWallTime } from "./rrule-times.ts";
import { ruleWalls } from "./rrule-walls.ts";
import { type Parsed, parsedOrError, refuse } from "./schedule-error.ts";
import { spendSteps } from "./search-steps.ts";
import { readZone, toWall } from "./zone.ts";

export interface RRule {
  readonly rules: readonly BoundRule[];
  readonly exceptRules: readonly BoundRule[];
  readonly dates: readonly number[];
  readonly exceptDates: ReadonlySet<number>;
}

/** Where a rule begins that does not say so. */
const DEFAULT_START = parseWallTime("DTSTART", "20200101T000000");

export function parseRRule(text: string): Parsed<RRule> {
  return parsedOrError(() => readRRule(text));
}

/** Throws a `ScheduleError` that says what is wrong. */
export function readRRule(text: string): RRule {
  const read = parseRRuleText(text);
  const start = read.start?.wall ?? DEFAULT_START;
  // All of them together: a text may hold many rules, and is read at every look at its schedule.
  const effort = newSearchBudget();
  return {
    rules: read.rules.map((parts) => bindRule(parts, start, effort)),
    exceptRules: read.exceptRules.map((parts) => bindRule(parts, start, effort)),
    dates: ascending(read.dates),
    exceptDates: new Set(read.exceptDates),
  };
}

export interface RRuleStartOptions {
  readonly timezone: string;
  readonly nowMicros: number;
}

/** The text as it is kept, or what is wrong with it. */
export function withDefaultStart(text: string, options: RRuleStartOptions): Parsed<string> {
  return parsedOrError(() => completeStart(text, options));
}

/**
 * Whether a text that was given without a start, and got one, was kept as that other text when it
 * was given earlier.
 */
export function isStoredForm(completed: string, kept: string): boolean {
  const [line = "", start] = /^DTSTART:(\d{8}T\d{6})\n/.exec(kept) ?? [];
  if (start === undefined || !completed.startsWith("DTSTART:")) return false;
  const given = completed.slice(line.length);
  // Without one, a start is never later than it would be now.
  if (given !== kept.slice(line.length) || kept > completed) return false;
  const nowMicros = parseWallTime("DTSTART", start) * SECOND;
  return withDefaultStart(given, { timezone: "UTC", nowMicros }).value === kept;
}

/**
 * Whether nothing can come after a wall-clock second. Where a search finds nothing, it may only
 * have given up.
 */
export const hasRuleEnded = ({ rules, dates }: RRule, wall: number): boolean =>
  rules.every(({ end }) => end <= wall) && dates.every((date) => date <= wall);

/**
 * With a DTSTART, unless an UNTIL in UTC asks for one that readers of such texts would not take:
 * DTSTART and UNTIL are both in a zone or neither is, and the zone is the schedule's. A rule by the
 * second or minute without COUNT begins in whole periods near now rather than years ago.
 */
function completeStart(text: string, { timezone, nowMicros }: RRuleStartOptions): string {
  const { start, rules, exceptRules } = parseRRuleText(text);
  const ends = [...rules, ...exceptRules].filter(({ until }) => until !== null);
  if (start !== null) {
    if (ends.some(({ isUntilUtc }) => isUntilUtc !== start.isZoned))
      refuse("UNTIL ends in Z if DTSTART does or has a TZID, and else does not.");
    return text;
  }
  if (ends.some(({ isUntilUtc }) => isUntilUtc)) return text;
  const now = Math.floor(toWall(nowMicros, readZone(timezone)) / SECOND);
  const [rule] = rules;
  const isAlone = rules.length === 1 && exceptRules.length === 0;
  const advanced = rule !== undefined && isAlone ? advanceStart(rule, now) : DEFAULT_START;
  return `DTSTART:${formatWallTime(advanced)}\n${text}`;
}

/**
 * The set's wall-clock seconds, ascending, both ends included; ends early where the effort it takes
 * is out of proportion.
 */
export function* rruleWalls(set: RRule, from: number, until: number): Generator<number> {
  const search = { from, until, effort: newSearchBudget() };
  const sources = set.rules.map((rule) => createCursor(ruleWalls(rule, search)));
  sources.push(createCursor(set.dates.filter((wall) => wall >= from && wall <= until).values()));
  const exceptions = set.exceptRules.map((rule) => createException(rule, search));
  for (;;) {
    spendSteps(sources.length / 16);
    const wall = Math.min(...sources.map((source) => source.wall));
    if (wall === Number.POSITIVE_INFINITY) return;
    const isExcepted = set.exceptDates.has(wall) || exceptions.some((excepts) => excepts(wall));
    // Rules that gave up no longer say what they name.
    if (search.effort.left <= 0) return;
    if (!isExcepted) yield wall;
    for (const source of sources) if (source.wall === wall) source.advance();
  }
}

function advanceStart({ frequency, interval, count }: RuleParts, now: number): number {
  if (count !== null || (frequency !== "SECONDLY" && frequency !== "MINUTELY"))
    return DEFAULT_START;
  const period = interval * (frequency === "SECONDLY" ? 1 : 60);
  return DEFAULT_START + Math.max(0, Math.floor((now - DEFAULT_START) / period)) * period;
}

interface Cursor {
  /** The time it stands at; infinity behind the last. */
  wall: number;
  advance: () => void;
}

function createCursor(walls: Iterator<number, unknown>): Cursor {
  const cursor = {
    wall: Number.NEGATIVE_INFINITY,
    advance() {
      const next = walls.next();
      cursor.wall = next.done === true ? Number.POSITIVE_INFINITY : next.value;
    },
  };
  cursor.advance();
  return cursor;
}

/**
 * Whether the rule names a time; asked in ascending order. A rule far denser than the times asked
 * about is not walked through.
 */
function createException(rule: BoundRule, search: Search): (wall: number) => boolean {
  const openAt = (from: number) => createCursor(ruleWalls(rule, { ...search, from }));
  let cursor: Cursor | undefined;
  return (wall) => {
    cursor ??= openAt(wall);
    if (cursor.wall < wall) cursor.advance();
    if (cursor.wall < wall) cursor = openAt(wall);
    return cursor.wall === wall;
  };
}
