// Times and spans for people to read, in English. Nothing here throws: the template engine would crash on it.

import { formatMicros, parseMicros } from "@orchestrator/kernel";
import type { FilterArguments, TemplateFilter } from "./filter-arguments.ts";
import { numberIn, textOf, withCommas } from "./humanize-numbers.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** Microseconds of a time that is written as usual; null where it is none. */
function timeIn(value: unknown): number | null {
  const found = typeof value === "string" ? TIME.exec(value.trim()) : null;
  if (found === null) return null;
  const [, day = "", minute = "00:00", second = "00", fraction = "0", zone = "Z"] = found;
  const [year = "", month = "", date = ""] = day.split("-");
  const [hour = "", minutes = ""] = minute.split(":");
  const isTime =
    Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= 31;
  if (!isTime || Number(hour) > 23 || Number(minutes) > 59 || Number(second) > 59) return null;
  const micros = parseMicros(
    `${year}-${month}-${date}T${minute}:${second}.${fraction.padEnd(6, "0").slice(0, 6)}Z`,
  );
  return Number.isFinite(micros) ? micros - offsetOf(zone) : null;
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const micros = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 * SECOND;
  return sign === "-" ? -micros : micros;
}

const SPAN = /^(?:(\d{1,7}) days?, )?(\d{1,7}):(\d{2}):(\d{2})(\.\d{1,6})?$/;

/** Microseconds of a span: a number of seconds, or `1 day, 2:03:04`. */
function spanIn(value: unknown): number | null {
  const seconds = numberIn(value);
  if (seconds !== null) return Math.abs(seconds) > 1e11 ? null : Math.round(seconds * SECOND);
  const found = typeof value === "string" ? SPAN.exec(value.trim()) : null;
  if (found === null) return null;
  const [, days = 0, hours, minutes, rest, fraction = 0] = found;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
  return Math.round((whole + Number(fraction)) * SECOND);
}

const many = (count: number, word: string): string =>
  `${withCommas(String(count))} ${word}${count === 1 ? "" : "s"}`;

function naturaldelta(micros: number, given: FilterArguments): string {
  const size = Math.abs(micros);
  const allDays = Math.floor(size / DAY);
  const years = Math.floor(allDays / 365);
  const days = allDays % 365;
  const months = given("months", 0) === false ? 0 : Math.floor(days / 30.5);
  if (allDays === 0) return withinDay(Math.floor(size / SECOND));
  if (years === 0) {
    if (months === 0) return days === 1 ? "a day" : many(days, "day");
    return months === 1 ? "a month" : many(months, "month");
  }
  if (years > 1) return many(years, "year");
  if (months > 0) return `1 year, ${many(months, "month")}`;
  return days === 0 ? "a year" : `1 year, ${many(days, "day")}`;
}

function withinDay(seconds: number): string {
  if (seconds === 0) return "a moment";
  if (seconds < 60) return seconds === 1 ? "a second" : many(seconds, "second");
  if (seconds < 3600) return seconds < 120 ? "a minute" : many(Math.floor(seconds / 60), "minute");
  return seconds < 7200 ? "an hour" : many(Math.floor(seconds / 3600), "hour");
}

const UNITS = [
  ["year", 365 * DAY],
  ["month", 30.5 * DAY],
  ["day", DAY],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
  ["second", SECOND],
  ["millisecond", 1000],
  ["microsecond", 1],
] as const;

function precisedelta(micros: number, given: FilterArguments): string {
  const smallest = textOf(given("minimum_unit", 0)).toLowerCase() || "seconds";
  const last = Math.max(
    0,
    UNITS.findIndex(([name]) => smallest === `${name}s`),
  );
  const left = given("suppress", 1);
  const suppressed = new Set(Array.isArray(left) ? left.map(textOf) : []);
  const format = given("format", 2);
  const shown = UNITS.slice(0, last === 0 && smallest !== "years" ? 6 : last + 1).filter(
    ([name]) => !suppressed.has(`${name}s`),
  );
  let rest = Math.abs(micros);
  const parts = shown.flatMap(([name, length], index) => {
    const isLast = index === shown.length - 1;
    const count = isLast ? rest / length : Math.floor(rest / length);
    rest -= isLast ? rest : count * length;
    if (count === 0) return [];
    const text = Number.isInteger(count) ? withCommas(String(count)) : decimal(count, format);
    return [`${text} ${name}${text === "1" ? "" : "s"}`];
  });
  if (parts.length === 0) return `0 ${shown.at(-1)?.[0] ?? "second"}s`;
  const end = parts.pop() ?? "";
  return parts.length === 0 ? end : `${parts.join(", ")} and ${end}`;
}

function decimal(count: number, format: unknown): string {
  const digits = typeof format === "string" ? /%\d*\.(\d)f/.exec(format)?.[1] : undefined;
  if (format === "%d") return String(Math.trunc(count));
  return count.toFixed(Number(digits ?? 2));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const dayOf = (micros: number): number => Math.floor(micros / DAY);

/** As `strftime` writes it; only what dates are made of. */
function writeDate(micros: number, format: string): string {
  const [year = "", month = "", date = ""] = formatMicros(micros).slice(0, 10).split("-");
  const parts: Readonly<Record<string, string>> = {
    "%Y": year,
    "%m": month,
    "%d": date,
    "%b": MONTHS[Number(month) - 1] ?? "",
    "%%": "%",
  };
  return format.slice(0, 100).replaceAll(/%[A-Za-z%]/g, (sign) => parts[sign] ?? sign);
}

function naturalday(micros: number, now: number, format: string): string {
  const apart = dayOf(micros) - dayOf(now);
  if (apart === 0) return "today";
  if (apart === 1) return "tomorrow";
  return apart === -1 ? "yesterday" : writeDate(micros, format);
}

const FIVE_MONTHS = (5 * 365 * DAY) / 12;

/** `now` tells the time in microseconds. */
export function timeFilters(now: () => number): Readonly<Record<string, TemplateFilter>> {
  /** A span, or how far a time is from now; whatever is neither comes out as it went in. */
  const ofSpan =
    (work: (micros: number, given: FilterArguments) => string): TemplateFilter =>
    (value, given) => {
      const time = timeIn(value);
      const micros = time === null ? spanIn(value) : now() - time;
      return micros === null ? textOf(value) : work(micros, given);
    };
  const ofTime =
    (work: (micros: number, given: FilterArguments) => string): TemplateFilter =>
    (value, given) => {
      const micros = timeIn(value);
      return micros === null ? textOf(value) : work(micros, given);
    };
  return {
    humanize_naturaldelta: ofSpan(naturaldelta),
    humanize_precisedelta: ofSpan(precisedelta),
    humanize_abs_timedelta: ofSpan((micros) => String(Math.abs(micros) / SECOND)),
    humanize_naturaltime: (value, given) => {
      const time = timeIn(value);
      const span = spanIn(value);
      if (time === null && span === null) return textOf(value);
      const when = timeIn(given("when", 3)) ?? now();
      const ago =
        time === null ? (given("future", 0) === true ? -1 : 1) * (span ?? 0) : when - time;
      const text = naturaldelta(ago, (name) => given(name, 1));
      if (text === "a moment") return "now";
      return ago > 0 ? `${text} ago` : `${text} from now`;
    },
    humanize_naturalday: ofTime((micros, given) =>
      naturalday(micros, now(), textOf(given("format", 0)) || "%b %d"),
    ),
    humanize_naturaldate: ofTime((micros) => {
      const isFar = Math.abs(micros - now()) >= FIVE_MONTHS;
      return naturalday(micros, now(), isFar ? "%b %d %Y" : "%b %d");
    }),
  };
}
