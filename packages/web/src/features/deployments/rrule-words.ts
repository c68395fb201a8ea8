import { listOf } from "../../lib/words.ts";

/**
 * A rule of RFC 5545 as one would say it; what cannot be said in a few words stays as it is
 * written.
 */
export function rruleWords(text: string): string {
  return wordsOf(parse(text)) ?? text;
}

type Parts = Readonly<Record<string, string>>;

interface Rule {
  readonly parts: Parts;
  readonly start: Date | undefined;
}

const UNITS: Readonly<Record<string, string>> = {
  MINUTELY: "minute",
  HOURLY: "hour",
  DAILY: "day",
  WEEKLY: "week",
  MONTHLY: "month",
};
const DAYS: Readonly<Record<string, string>> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};
const PLACES: Readonly<Record<string, string>> = {
  "1": "first",
  "2": "second",
  "3": "third",
  "4": "fourth",
  "5": "fifth",
  "-1": "last",
};
const CODES = Object.keys(DAYS);
const WORKDAYS = "MO,TU,WE,TH,FR";
/** Whatever else a rule says is more than a few words. */
const SAID = new Set(["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND"]);
const ENDS = new Set(["COUNT", "UNTIL", "WKST"]);
const START = /^DTSTART(?:;[^:]*)?:(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?$/;

/** Undefined where there are several rules, or days that are left out. */
function parse(text: string): Rule | undefined {
  const lines = text.trim().split(/\s+/);
  const found = lines.map((line) => START.exec(line)).find((match) => match !== null);
  const rules = lines.filter((line) => !START.test(line));
  const [rule] = rules;
  if (rule === undefined || rules.length > 1 || !/^(?:RRULE:)?FREQ=/.test(rule)) return undefined;
  const pairs = rule.replace("RRULE:", "").split(";");
  const parts = Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string]));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = (found ?? []).slice(1).map(Number);
  const start = found
    ? new Date(Date.UTC(year, month - 1, day, hour || 0, minute || 0))
    : undefined;
  return { parts, start };
}

function wordsOf(rule: Rule | undefined): string | undefined {
  if (rule === undefined) return undefined;
  const { parts, start } = rule;
  const unit = UNITS[parts["FREQ"] ?? ""];
  const isSaid = Object.keys(parts).every((name) => SAID.has(name) || ENDS.has(name));
  if (unit === undefined || !isSaid || (parts["BYSECOND"] ?? "0") !== "0") return undefined;
  const said =
    unit === "minute" || unit === "hour" ? oftenWords(unit, parts) : dayWords(unit, rule);
  return said && `${said}${timeWords(unit, parts, start)}${endWords(parts)}`;
}

function oftenWords(unit: string, { BYDAY, BYMONTHDAY, BYHOUR, ...parts }: Parts) {
  return BYDAY || BYMONTHDAY || BYHOUR || (unit === "minute" && parts["BYMINUTE"])
    ? undefined
    : every(unit, parts);
}

function dayWords(unit: string, { parts, start }: Rule): string | undefined {
  const { BYDAY, BYMONTHDAY } = parts;
  const isEvery = (parts["INTERVAL"] ?? "1") === "1";
  if (unit === "month") {
    const day = monthDay(parts, start);
    if (day === undefined) return undefined;
    return isEvery ? `On ${day} of every month` : `${every(unit, parts)} on ${day}`;
  }
  if (BYMONTHDAY) return undefined;
  if (unit === "day" && BYDAY === undefined) return every(unit, parts);
  if (unit === "day" && !isEvery) return undefined;
  const days = BYDAY ?? (start && CODES[(start.getUTCDay() + 6) % 7]);
  const names = days?.split(",").map((code) => DAYS[code]);
  if (names === undefined || names.includes(undefined)) return undefined;
  const listed = days === WORKDAYS ? "Monday to Friday" : listOf(names as string[]);
  if (!isEvery) return `${every(unit, parts)} on ${listed}`;
  return days === WORKDAYS ? listed : `Every ${listed}`;
}

/** `day 15`, `the last day`, `the second Monday`. */
function monthDay({ BYDAY, BYMONTHDAY }: Parts, start: Date | undefined): string | undefined {
  if (BYDAY !== undefined) {
    const [, place = "", code = ""] = /^(-?\d)([A-Z]{2})$/.exec(BYDAY) ?? [];
    const [which, name] = [PLACES[place], DAYS[code]];
    return BYMONTHDAY || !which || !name ? undefined : `the ${which} ${name}`;
  }
  const day = BYMONTHDAY ?? start?.getUTCDate().toString() ?? "";
  if (day === "-1") return "the last day";
  return /^\d+$/.test(day) ? `day ${day}` : undefined;
}

function every(unit: string, parts: Parts): string {
  const interval = Number(parts["INTERVAL"] ?? 1);
  return interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`;
}

/** What a rule does not say of the time is as it was at its start. */
function timeWords(unit: string, parts: Parts, start: Date | undefined): string {
  if (unit === "minute") return "";
  const minutes = parts["BYMINUTE"]?.split(",") ?? [String(start?.getUTCMinutes() ?? 0)];
  if (unit === "hour") return minutes.join() === "0" ? "" : ` at minute ${listOf(minutes)}`;
  const hours = parts["BYHOUR"]?.split(",") ?? (start ? [String(start.getUTCHours())] : []);
  const times = hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`));
  return times.length === 0 ? "" : ` at ${listOf(times)}`;
}

const two = (text: string): string => text.padStart(2, "0");

function endWords({ COUNT, UNTIL }: Parts): string {
  const until = UNTIL?.replace(/^(\d{4})(\d\d)(\d\d).*$/, "$1-$2-$3");
  return `${COUNT ? `, ${COUNT} times` : ""}${until ? `, until ${until}` : ""}`;
}
