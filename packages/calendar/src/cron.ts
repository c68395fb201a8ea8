// Cron expressions, evaluated on the wall clock; which instants those times are is the zone's
// affair.
import { DAY_SECONDS } from "./civil.ts";
import { type PickDays, parseCronDays } from "./cron-days.ts";
import { HOURS, MINUTES, MONTH, parseField, SECONDS } from "./cron-fields.ts";
import { lowestBit, monthAt, monthIndexOf } from "./month-days.ts";
import { type Parsed, parsedOrError, quoteShortened, refuse } from "./schedule-error.ts";
import { spendSteps } from "./search-steps.ts";
import { gridTimes, type TimeGrid } from "./time-grid.ts";

export interface CronOptions {
  /** Whether either day field suffices when both name days. @default true */
  readonly dayOr?: boolean;
  /** Where the seconds stand in an expression of six fields. @default "last" */
  readonly seconds?: "first" | "last";
}

export interface Cron {
  readonly times: TimeGrid;
  readonly months: ReadonlySet<number>;
  readonly pickDays: PickDays;
}

const LONGEST = 500;

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

export function parseCron(text: string, options: CronOptions = {}): Parsed<Cron> {
  return parsedOrError(() => readCron(text, options));
}

/**
 * What the expressions say that were read last: looking for the next times reads the same one again
 * and again, and reading costs more than finding them.
 */
const expressions = new Map<string, Cron>();
const MOST_EXPRESSIONS = 1000;

/** Throws a `ScheduleError` that says which field is wrong. */
export function readCron(text: string, { dayOr = true, seconds = "last" }: CronOptions): Cron {
  const key = `${dayOr} ${seconds} ${text}`;
  const known = expressions.get(key);
  if (known !== undefined) return known;
  const cron = readFields(splitFields(text), { dayOr, seconds });
  if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
  expressions.set(key, cron);
  return cron;
}

function readFields(fields: string[], { dayOr, seconds }: Required<CronOptions>): Cron {
  const secondAt = seconds === "first" ? 0 : 5;
  const [second = ""] = fields.length === 6 ? fields.splice(secondAt, 1) : ["0"];
  const [minute = "", hour = "", monthDays = "", month = "", weekdays = ""] = fields;
  return {
    times: {
      seconds: parseField(SECONDS, second),
      minutes: parseField(MINUTES, minute),
      hours: parseField(HOURS, hour),
    },
    months: new Set(parseField(MONTH, month)),
    pickDays: parseCronDays({ monthDays, weekdays, dayOr }),
  };
}

/**
 * The wall-clock seconds at which it occurs, ascending, both ends included. Steps over months,
 * never over single days.
 */
export function* cronWalls(cron: Cron, from: number, until: number): Generator<number> {
  const fromDay = Math.floor(from / DAY_SECONDS);
  const untilDay = Math.floor(until / DAY_SECONDS);
  for (let index = monthIndexOf(fromDay); ; index++) {
    spendSteps(1 / 2);
    const month = monthAt(index);
    if (month.firstDay > untilDay) return;
    if (!cron.months.has(month.month)) continue;
    for (let days = cron.pickDays(month); days !== 0; days &= days - 1) {
      const day = month.firstDay + lowestBit(days);
      if (day < fromDay) continue;
      for (const wall of gridTimes(day * DAY_SECONDS, cron.times, from)) {
        if (wall > until) return;
        yield wall;
      }
    }
  }
}

function splitFields(text: string): string[] {
  if (text.length > LONGEST) refuse(`A cron expression has at most ${LONGEST} characters.`);
  const trimmed = text.trim();
  const alias = ALIASES.get(trimmed.toLowerCase());
  if (trimmed.startsWith("@") && alias === undefined)
    refuse(`${quoteShortened(trimmed)} is none of ${[...ALIASES.keys()].join(", ")}.`);
  const fields = (alias ?? trimmed).split(/\s+/);
  if (fields.length < 5 || fields.length > 6)
    refuse(
      `A cron expression has 5 fields, or 6 with seconds; ${quoteShortened(trimmed)} has ${trimmed === "" ? 0 : fields.length}.`,
    );
  return fields;
}
