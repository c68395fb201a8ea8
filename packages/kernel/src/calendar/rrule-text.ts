// The lines of a recurrence set: DTSTART, RRULE, EXRULE, RDATE and EXDATE, in any order and letter case.
import { parseRuleParts, type RuleParts } from "./rrule-parts.ts";
import { parseWallTime } from "./rrule-times.ts";
import { quote, refuse } from "./schedule-error.ts";

export interface RRuleText {
  /** Wall-clock second of DTSTART, or null if there is none. */
  readonly start: number | null;
  readonly rules: readonly RuleParts[];
  readonly exceptRules: readonly RuleParts[];
  readonly dates: readonly number[];
  readonly exceptDates: readonly number[];
}

const LONGEST = 6500;
const MOST_RULES = 50;

/** Times are wall-clock times of `timezone`, with or without a Z behind them; a TZID may only repeat it. */
export function parseRRuleText(text: string, timezone: string): RRuleText {
  if (text.length > LONGEST) refuse(`A recurrence rule has at most ${LONGEST} characters.`);
  const lines = text.trim().split(/\s+/).filter(Boolean).map(splitLine);
  const valuesOf = (name: string) => lines.filter((line) => line.name === name);
  const [start, second] = valuesOf("DTSTART");
  if (second !== undefined) refuse("A recurrence rule has one DTSTART, not two.");
  const read = {
    start: start === undefined ? null : parseTime(start, start.value, timezone),
    rules: valuesOf("RRULE").map(parseRule),
    exceptRules: valuesOf("EXRULE").map(parseRule),
    dates: valuesOf("RDATE").flatMap((line) => parseTimes(line, timezone)),
    exceptDates: valuesOf("EXDATE").flatMap((line) => parseTimes(line, timezone)),
  };
  const rules = [...read.rules, ...read.exceptRules];
  if (read.rules.length === 0 && read.dates.length === 0)
    refuse("A recurrence rule needs at least one RRULE or RDATE line.");
  if (rules.length > MOST_RULES) refuse(`A recurrence rule has at most ${MOST_RULES} rules.`);
  const isStartUtc = start?.value.endsWith("Z") ?? false;
  if (timezone !== "UTC" && rules.some((rule) => rule.isUntilUtc && !isStartUtc))
    refuse("UNTIL is a wall-clock time like DTSTART: both end in Z or neither does.");
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
      `A line of a recurrence rule begins with one of ${NAMES.join(", ")}, not ${quote(name)}.`,
    );
  return { name: known, parameters, value: line.slice(colon + 1).toUpperCase() };
}

function parseRule({ name, parameters, value }: Line): RuleParts {
  if (parameters.length > 0)
    refuse(`${name} takes no parameters such as ${quote(parameters.join(";"))}.`);
  return parseRuleParts(value);
}

function parseTimes(line: Line, timezone: string): readonly number[] {
  return line.value.split(",").map((value) => parseTime(line, value, timezone));
}

function parseTime({ name, parameters }: Line, value: string, timezone: string): number {
  for (const parameter of parameters) {
    const [key = "", setting = ""] = parameter.split("=");
    if (key.toUpperCase() === "TZID") {
      if (setting !== timezone)
        refuse(`${name} is in the zone ${quote(setting)}, but the schedule in ${quote(timezone)}.`);
    } else if (!/^VALUE=DATE(?:-TIME)?$/i.test(parameter)) {
      refuse(`${name} takes no parameter such as ${quote(parameter)}.`);
    }
  }
  return parseWallTime(name, value);
}
