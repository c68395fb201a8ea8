import { listOf } from "../../lib/words.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const ALIASES: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
/** More than these are more than a few words. */
const MOST_TIMES = 4;
const FEWEST_IN_A_ROW = 3;

/**
 * A cron expression as one would say it; what cannot be said in a few words stays as it is written.
 */
export function cronWords(cron: string): string {
  const fields = (ALIASES[cron] ?? cron).trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const days = fields.length === 5 ? dayWords(day, month, weekday) : undefined;
  if (days === undefined) return cron;
  const often = oftenWords(minute, hour);
  if (often !== undefined) return days === "" ? often : `${often}, ${uncapitalised(days)}`;
  const times = timeWords(minute, hour);
  return times === undefined ? cron : `${days || "Every day"} at ${times}`;
}

/**
 * On which days; nothing is said where it is on all. Where both kinds of days are named, either is
 * enough, which is hard to say.
 */
function dayWords(day: string, month: string, weekday: string): string | undefined {
  const months = month === "*" ? "every month" : listedMonths(month);
  if (months === undefined || (day !== "*" && weekday !== "*")) return undefined;
  if (day !== "*") {
    const numbers = fewOf(numbersOf(day, { from: 1, to: 31 }));
    return numbers && `On ${numbers.length > 1 ? "days" : "day"} ${listOf(numbers)} of ${months}`;
  }
  const suffix = month === "*" ? "" : ` in ${months}`;
  const everyDay = suffix && `Every day${suffix}`;
  if (weekday === "*") return everyDay;
  const numbers = numbersOf(weekday, { from: 0, to: 7, names: DAYS });
  if (numbers === undefined) return undefined;
  // Weeks begin on Monday, and Sunday is both 0 and 7.
  const places = [...new Set(numbers.map((number) => (number + 6) % 7))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  if (places.length === DAYS.length) return everyDay;
  const isRow = places.length >= FEWEST_IN_A_ROW && last - first === places.length - 1;
  return isRow
    ? `${dayAt(first)} to ${dayAt(last)}${suffix}`
    : `Every ${listOf(places.map(dayAt))}${suffix}`;
}

const dayAt = (place: number): string => DAYS[(place + 1) % 7] ?? "";

function listedMonths(month: string): string | undefined {
  const numbers = fewOf(numbersOf(month, { from: 1, to: 12, names: ["", ...MONTHS] }));
  return numbers && listOf(numbers.map((number) => MONTHS[number - 1] ?? ""));
}

/** What happens many times a day. */
function oftenWords(minute: string, hour: string): string | undefined {
  const hours = stepOf(hour, 24);
  const isAnyHour = hour === "*" || hours === 1;
  const window = rangeOf(hour);
  const minutes = minute === "*" ? 1 : stepOf(minute, 60);
  if (minutes !== undefined) {
    const words = minutes === 1 ? "Every minute" : `Every ${minutes} minutes`;
    if (isAnyHour) return words;
    return window && `${words} ${windowWords(window, { first: 0, last: 60 - minutes })}`;
  }
  const listed = numbersOf(minute, { from: 0, to: 59 });
  if (listed === undefined || listed.length > MOST_TIMES) return undefined;
  if (isAnyHour)
    return listed.join() === "0" ? "Every hour" : `Every hour at minute ${listOf(listed)}`;
  if (hours !== undefined) return `Every ${hours} hours at minute ${listOf(listed)}`;
  const [only = 0] = listed;
  if (window === undefined || listed.length > 1) return undefined;
  return `Every hour ${windowWords(window, { first: only, last: only })}`;
}

interface Hours {
  readonly from: number;
  readonly to: number;
}

const windowWords = (
  { from, to }: Hours,
  { first, last }: { readonly first: number; readonly last: number },
): string => `from ${clock(from, first)} to ${clock(to, last)}`;

/** A few times a day. */
function timeWords(minute: string, hour: string): string | undefined {
  const minutes = numbersOf(minute, { from: 0, to: 59 });
  const hours = numbersOf(hour, { from: 0, to: 23 });
  if (minutes === undefined || hours === undefined) return undefined;
  const times = hours.flatMap((each) => minutes.map((at) => clock(each, at)));
  return times.length > MOST_TIMES ? undefined : listOf(times);
}

/**
 * A step that does not go into the whole has a shorter one at its end, which is more than a few
 * words.
 */
function stepOf(field: string, whole: number): number | undefined {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 0 && whole % step === 0 ? step : undefined;
}

/** Hours in a row. */
function rangeOf(field: string): Hours | undefined {
  const hours = /^\d+-\d+$/.test(field) ? numbersOf(field, { from: 0, to: 23 }) : undefined;
  const [from = 0, to = 0] = [hours?.[0], hours?.at(-1)];
  return to - from >= FEWEST_IN_A_ROW - 1 ? { from, to } : undefined;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  /** At the place of its number, what a value may be called by its first three letters. */
  readonly names?: readonly string[];
}

/** `1,3-5` and `mon,wed`, in order; undefined for all else. */
function numbersOf(field: string, { from, to, names = [] }: Bounds): number[] | undefined {
  const numberOf = (text: string): number => {
    if (/^\d+$/.test(text)) return Number(text);
    const isCalled = (name: string) => name.slice(0, 3).toLowerCase() === text.toLowerCase();
    return text.length === 3 ? names.findIndex(isCalled) : -1;
  };
  const numbers = new Set<number>();
  for (const part of field.split(",")) {
    const [first = -1, last = first, ...rest] = part.split("-").map(numberOf);
    if (rest.length > 0 || first < from || last > to || last < first) return undefined;
    for (let number = first; number <= last; number += 1) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}

const fewOf = (numbers: number[] | undefined): number[] | undefined =>
  numbers !== undefined && numbers.length <= MOST_TIMES ? numbers : undefined;

const two = (number: number): string => String(number).padStart(2, "0");
const clock = (hour: number, minute: number): string => `${two(hour)}:${two(minute)}`;

const uncapitalised = (words: string): string =>
  /^(On|Every) /.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
