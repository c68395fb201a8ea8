// One field of a cron expression: lists of numbers, names, ranges and steps.
import { ascending } from "./ascending.ts";
import { quoteShortened, refuse } from "./schedule-error.ts";

export interface CronFieldKind {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of the values from `min` on. */
  readonly names?: readonly string[];
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split(" ");

export const SECONDS: CronFieldKind = { name: "second", min: 0, max: 59 };
export const MINUTES: CronFieldKind = { name: "minute", min: 0, max: 59 };
export const HOURS: CronFieldKind = { name: "hour", min: 0, max: 23 };
export const MONTH_DAYS: CronFieldKind = { name: "day-of-month", min: 1, max: 31 };
export const MONTH: CronFieldKind = { name: "month", min: 1, max: 12, names: MONTHS };
export const WEEKDAY: CronFieldKind = { name: "day-of-week", min: 0, max: 6, names: WEEKDAYS };

const SUNDAY_AT_END = 7;

const RANGE = /^([A-Z0-9*?]+)(?:-([A-Z0-9]+))?(?:\/([0-9]{1,4}))?$/;
const RANDOM = /^[HR](?:$|[(/])/;

/** The values of a field that holds nothing but numbers, names, ranges and steps, ascending. */
export function parseField(kind: CronFieldKind, text: string): readonly number[] {
  return ascending(splitItems(kind, text).flatMap((item) => parseCronRange(kind, item)));
}

/** The parts between the commas, in upper case. */
export function splitItems(kind: CronFieldKind, text: string): readonly string[] {
  const items = text.toUpperCase().split(",");
  for (const item of items) {
    if (item === "") refuseField(kind, text, "an item of its list is empty");
    if (RANDOM.test(item)) refuseField(kind, text, "random and hashed values are not supported");
  }
  return items;
}

/**
 * `*`, `5`, `1-5`, `MON-FRI`, any of them with `/step`. A range may pass the end: `22-2`,
 * `FRI-MON`.
 */
export function parseCronRange(kind: CronFieldKind, item: string): readonly number[] {
  const [, from = "", to, stepText] = RANGE.exec(item) ?? [];
  const isStar = from === "*" || from === "?";
  if (from === "" || (isStar && to !== undefined))
    refuseField(kind, item, "it is neither a value, a range nor a step");
  const step = stepText === undefined ? 1 : parseStep(kind, item, Number(stepText));
  const first = isStar ? kind.min : parseValue(kind, from);
  if (to === undefined && !isStar && stepText === undefined) return [first];
  return stepThrough(kind, { first, last: lastValue(kind, first, to), step });
}

/** A number or a name of the field, as a number; both 0 and 7 are Sunday. */
export function parseValue(kind: CronFieldKind, text: string): number {
  const named = kind.names?.indexOf(text) ?? -1;
  if (named >= 0) return kind.min + named;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (kind === WEEKDAY && value === SUNDAY_AT_END) return 0;
  if (value >= kind.min && value <= kind.max) return value;
  const names = kind.names === undefined ? "" : ` or ${kind.names[0]} to ${kind.names.at(-1)}`;
  const most = kind === WEEKDAY ? SUNDAY_AT_END : kind.max;
  return refuseField(kind, text, `a value is ${kind.min} to ${most}${names}`);
}

export function refuseField(kind: CronFieldKind, text: string, reason: string): never {
  return refuse(
    `The ${kind.name} field of the cron expression is wrong at ${quoteShortened(text)}: ${reason}.`,
  );
}

function lastValue(kind: CronFieldKind, first: number, to: string | undefined): number {
  if (to === undefined) return kind.max;
  // The last day of the month is day 31 to a range: months without it end earlier anyway.
  if (kind === MONTH_DAYS && to === "L") return kind.max;
  // The Sunday that ends a week lies behind its Saturday: `0-7` is the whole week.
  if (kind === WEEKDAY && Number(to) === SUNDAY_AT_END) return SUNDAY_AT_END;
  const last = parseValue(kind, to);
  return last < first ? last + sizeOf(kind) : last;
}

function parseStep(kind: CronFieldKind, item: string, step: number): number {
  const size = sizeOf(kind);
  if (step < 1 || step > size) refuseField(kind, item, `a step is 1 to ${size}`);
  return step;
}

interface Steps {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

function stepThrough(kind: CronFieldKind, { first, last, step }: Steps): readonly number[] {
  const values = [];
  for (let value = first; value <= last; value += step)
    values.push(kind.min + ((value - kind.min) % sizeOf(kind)));
  return values;
}

function sizeOf(kind: CronFieldKind): number {
  return kind.max - kind.min + 1;
}
