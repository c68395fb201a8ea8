// The lines of a recurrence set: DTSTART, RRULE, EXRULE, RDATE and EXDATE, in any order and letter
// case.
import { parseRuleParts, type RuleParts } from "./rrule-parts.ts";
import { parseWallTime } from "./rrule-times.ts";
import { quoteShortened, refuse } from "./schedule-error.ts";
import { findZone } from "./zone.ts";

export interface Start {
  /** Wall-clock second. */
  readonly wall: number;
  /** Whether a Z or a known TZID stands with it. */
  readonly isZoned: boolean;
}

export interface RRuleText {
  /** DTSTART, or null if there is none. */
  readonly start: Start | null;
  readonly rules: readonly RuleParts[];
  readonly exceptRules: readonly RuleParts[];
  readonly dates: readonly number[];
  readonly exceptDates: readonly number[];
}

const LONGEST = 6500;
const MOST_RULES = 50;

/** Times are wall-clock times of the schedule's zone, whatever Z or TZID stands with them. */
export function parseRRuleText(text: string): RRuleText {
  if (text.length > LONGEST) refuse(`A recurrence rule has at most ${LONGEST} characters.`);
  const lines = text.trim().split(/\s+/).filter(Boolean).map(splitLine);
  const valuesOf = (name: string) => lines.filter((line) => line.name === name);
  const read = {
    // Programs that write out several rules one by one give each its DTSTART; the last one counts.
    start: valuesOf("DTSTART").map(parseStart).at(-1) ?? null,
    rules: valuesOf("RRULE").map(parseRule),
    exceptRules: valuesOf("EXRULE").map(parseRule),
    dates: valuesOf("RDATE").flatMap(parseTimes),
    exceptDates: valuesOf("EXDATE").flatMap(parseTimes),
  };
  if (read.rules.length === 0 && read.dates.length === 0)
    refuse("A recurrence rule needs at least one RRULE or RDATE line.");
  if (read.rules.length + read.exceptRules.length > MOST_RULES)
    refuse(`A recurrence rule has at most ${MOST_RULES} rules.`);
  return read;
}

interface Line {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly value: string;
}

const NAMES = ["DTSTART", "RRULE", "EXRULE", "RDATE", "EXDATE"];

function splitLine(line: string): Line {
  const colon = line.indexOf(":");
  // A rule alone may stand without its name.
  if (colon < 0) return { name: "RRULE", parameters: [], value: line.toUpperCase() };
  const [name = "", ...parameters] = line.slice(0, colon).split(";");
  const known = name.toUpperCase();
  if (!NAMES.includes(known))
    refuse(
      `A line of a recurrence rule begins with one of ${NAMES.join(", ")}, not ${quoteShortened(name)}.`,
    );
  return { name: known, parameters, value: line.slice(colon + 1).toUpperCase() };
}

function parseRule({ name, parameters, value }: Line): RuleParts {
  if (parameters.length > 0)
    refuse(`${name} takes no parameters such as ${quoteShortened(parameters.join(";"))}.`);
  return parseRuleParts(value);
}

function parseStart(line: Line): Start {
  const wall = parseTime(line, line.value);
  return { wall, isZoned: line.value.endsWith("Z") || hasKnownZone(line) };
}

function parseTimes(line: Line): readonly number[] {
  return line.value.split(",").map((value) => parseTime(line, value));
}

const TZID = /^TZID=/i;

function parseTime(line: Line, value: string): number {
  const { name, parameters } = line;
  for (const parameter of parameters) {
    if (!TZID.test(parameter) && !/^VALUE=DATE(?:-TIME)?$/i.test(parameter))
      refuse(`${name} takes no parameter such as ${quoteShortened(parameter)}.`);
  }
  if (value.endsWith("Z") && hasKnownZone(line))
    refuse(`${name} has a TZID or ends in Z, not both: ${quoteShortened(value)}.`);
  return parseWallTime(name, value);
}

function hasKnownZone({ parameters }: Line): boolean {
  const zone = parameters.find((parameter) => TZID.test(parameter))?.replace(TZID, "");
  return zone !== undefined && findZone(zone).problem === null;
}
