// Times in the words of pendulum, whose times are those of the established server: `YYYY-MM-DD
// HH:mm`, in English.

import { TemplateError } from "../template-error.ts";
import { clockOf, dateOf, dayOfYear, isoWeek, wallDayNumber, weekdayOf } from "./calendar.ts";
import { formatTime, MAX_FORMAT } from "./strftime.ts";
import { type DateTime, positionOf, SECOND_MICROS } from "./time-kinds.ts";
import { zoneName } from "./time-text.ts";

/**
 * What stands in brackets or behind a backslash is meant as it is; all else that is no token too.
 */
const TOKENS =
  /\[([^[]*)\]|\\(.)|(Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|eo?|E{1,4}|w[ow]?|W[oW]?|Qo?|YYYY|YY|Y|a|A|hh?|HH?|mm?|ss?|S{1,6}|x|X|zz?|ZZ?|LTS|LT|LL?L?L?)/gu;

const LONG_FORMS: Readonly<Record<string, string>> = {
  LTS: "h:mm:ss A",
  LT: "h:mm A",
  L: "MM/DD/YYYY",
  LL: "MMMM D, YYYY",
  LLL: "MMMM D, YYYY h:mm A",
  LLLL: "dddd, MMMM D, YYYY h:mm A",
};

export function formatTokens(moment: DateTime, format: string): string {
  if (format.length > MAX_FORMAT) throw new TemplateError("the format of a time is too long");
  return format.replace(
    TOKENS,
    (_, bracketed: string | undefined, escaped: string | undefined, token = "") =>
      (bracketed === "" ? undefined : bracketed) ?? escaped ?? tokenText(moment, token),
  );
}

function tokenText(moment: DateTime, token: string): string {
  const longForm = LONG_FORMS[token];
  if (longForm !== undefined) return formatTokens(moment, longForm);
  return dateToken(moment, token) ?? clockToken(moment, token) ?? token;
}

const two = (value: number): string => String(value).padStart(2, "0");

function dateToken(moment: DateTime, token: string): string | undefined {
  const days = wallDayNumber(moment.wall);
  const { year, month, day } = dateOf(days);
  const weekday = weekdayOf(days);
  switch (token) {
    case "YYYY":
    case "Y":
      return String(year);
    case "YY":
      return String(year).slice(2);
    case "Q":
      return String(Math.ceil(month / 3));
    case "Qo":
      return ordinal(Math.ceil(month / 3));
    case "MMMM":
      return formatTime(moment, "%B");
    case "MMM":
      return formatTime(moment, "%b");
    case "MM":
      return two(month);
    case "M":
      return String(month);
    case "Mo":
      return ordinal(month);
    case "DDDD":
      return String(dayOfYear(days)).padStart(3, "0");
    case "DDD":
      return String(dayOfYear(days));
    case "DDDo":
      return ordinal(dayOfYear(days));
    case "DD":
      return two(day);
    case "D":
      return String(day);
    case "Do":
      return ordinal(day);
    case "dddd":
      return formatTime(moment, "%A");
    case "ddd":
      return formatTime(moment, "%a");
    case "dd":
      return formatTime(moment, "%a").slice(0, 2);
    case "d":
      return String((weekday + 1) % 7);
    case "do":
      return ordinal((weekday + 1) % 7);
    case "E":
      return String(weekday + 1);
    case "Wo":
    case "wo":
      return ordinal(isoWeek(days).week);
    default:
      return undefined;
  }
}

function clockToken(moment: DateTime, token: string): string | undefined {
  const { hour, minute, second, microsecond } = clockOf(moment.wall);
  const known = moment.offset !== null;
  switch (token) {
    case "HH":
      return two(hour);
    case "H":
      return String(hour);
    case "hh":
      return two(hour % 12 || 12);
    case "h":
      return String(hour % 12 || 12);
    case "mm":
      return two(minute);
    case "m":
      return String(minute);
    case "ss":
      return two(second);
    case "s":
      return String(second);
    case "A":
      return hour < 12 ? "AM" : "PM";
    case "a":
      return hour < 12 ? "am" : "pm";
    case "X":
      return String(positionOf(moment) / SECOND_MICROS);
    case "x":
      return String(positionOf(moment) / 1000n);
    case "z":
    case "zz":
      return zoneName(moment);
    case "Z":
      return known ? formatTime(moment, "%z").replace(/^(...)/u, "$1:") : "";
    case "ZZ":
      return known ? formatTime(moment, "%z") : "";
    default:
      return /^S+$/u.test(token)
        ? String(microsecond).padStart(6, "0").slice(0, token.length)
        : undefined;
  }
}

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });

const ordinal = (value: number): string => `${value}${ENDINGS[rules.select(value)] ?? "th"}`;
