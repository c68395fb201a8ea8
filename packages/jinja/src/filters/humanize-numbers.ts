// Numbers for people to read, in English.

import { fixedDigits } from "../exact-decimal.ts";
import { wholeText } from "../values/numbers.ts";

/** What stands in brackets behind a filter, by its name or by its place. */
export type FilterArguments = (name: string, place: number) => unknown;
export type HumanizeFilter = (value: unknown, given: FilterArguments, now: () => number) => string;

/** Numbers beyond this are told as they are. */
const LARGEST = 1e36;

export function humanizableNumber(value: unknown): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string" || value.trim() === "" || value.length > 100) return null;
  const number = Number(value.replaceAll(",", ""));
  return Number.isFinite(number) ? number : null;
}

export function humanizableText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return wholeText(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** A filter for numbers; whatever is none comes out as it went in. */
function ofNumber(work: (value: number, given: FilterArguments) => string): HumanizeFilter {
  return (value, given) => {
    const number = humanizableNumber(value);
    if (number === null || Math.abs(number) > LARGEST) return humanizableText(value);
    return work(number, given);
  };
}

const MAX_DIGITS = 20;

/** How many digits a format like `%.2f` asks for. */
function digitsOf(format: unknown, fallback: number): number {
  const digits = typeof format === "string" ? /%0?\.(\d{1,2})f/.exec(format)?.[1] : undefined;
  return digits === undefined ? fallback : Math.min(Number(digits), MAX_DIGITS);
}

const formatted = (value: number, format: unknown, fallback: number): string =>
  `${value < 0 ? "-" : ""}${fixedDigits(value, digitsOf(format, fallback))}`;

const DECIMAL = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB", "RB", "QB"];
const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB", "RiB", "QiB"];
const SHORT = ["K", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"];

const naturalsize = ofNumber((value, given) => {
  const isShort = given("gnu", 1) === true;
  const isBinary = given("binary", 0) === true;
  const base = isShort || isBinary ? 1024 : 1000;
  const size = Math.abs(value);
  if (size < base) {
    if (isShort) return `${Math.trunc(value)}B`;
    return size === 1 ? `${value} Byte` : `${Math.trunc(value)} Bytes`;
  }
  const units = isBinary ? BINARY : DECIMAL;
  const format = given("format", 2);
  let power = Math.min(Math.floor(Math.log(size) / Math.log(base) + 1e-12), units.length);
  // What is rounded up to a whole unit of the next size is one of those.
  if (Number(formatted(size / base ** power, format, 1)) >= base && power < units.length)
    power += 1;
  const scaled = formatted(value / base ** power, format, 1);
  return isShort ? `${scaled}${SHORT[power - 1]}` : `${scaled} ${units[power - 1]}`;
});

export function withCommas(text: string): string {
  const [whole = "", ...rest] = text.split(".");
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

const intcomma: HumanizeFilter = (value, given) => {
  const number = humanizableNumber(value);
  if (number === null) return humanizableText(value);
  const digits = given("ndigits", 0);
  if (typeof digits === "number" && digits >= 0)
    return withCommas(number.toFixed(Math.min(Math.trunc(digits), MAX_DIGITS)));
  return withCommas(humanizableText(value).replaceAll(",", ""));
};

const WORDS = [
  "thousand",
  "million",
  "billion",
  "trillion",
  "quadrillion",
  "quintillion",
  "sextillion",
  "septillion",
  "octillion",
  "nonillion",
  "decillion",
];

const intword = ofNumber((value, given) => {
  const size = Math.abs(value);
  if (size < 1000) return String(Math.trunc(value));
  const digits = given("format", 0);
  let power = Math.min(Math.floor(Math.log10(size) / 3 + 1e-12), WORDS.length);
  // What is rounded up to a thousand of them is one of the next.
  if (Number(formatted(size / 1000 ** power, digits, 1)) >= 1000 && power < WORDS.length)
    power += 1;
  return `${formatted(value / 1000 ** power, digits, 1)} ${WORDS[power - 1]}`;
});

const ordinal = ofNumber((value) => {
  const number = Math.trunc(value);
  // As the established filter does it: negative numbers are counted from the ten below.
  const [tens, ones] = [((number % 100) + 100) % 100, ((number % 10) + 10) % 10];
  const isTeen = tens >= 11 && tens <= 13;
  return `${number}${isTeen ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th")}`;
});

const SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

const apnumber = ofNumber((value) => SMALL[Math.trunc(value)] ?? String(Math.trunc(value)));

const MAX_DENOMINATOR = 1000;

const fractional = ofNumber((value) => {
  const size = Math.abs(value);
  const whole = Math.trunc(size);
  const [top, bottom] = closestFraction(size - whole);
  const sign = value < 0 ? "-" : "";
  if (top === 0) return `${sign}${whole}`;
  if (top === bottom) return `${sign}${whole + 1}`;
  return whole === 0 ? `${sign}${top}/${bottom}` : `${sign}${whole} ${top}/${bottom}`;
});

/** The fraction with a small denominator that comes closest to a number between 0 and 1. */
function closestFraction(part: number): readonly [number, number] {
  let best: readonly [number, number] = [Math.round(part), 1];
  for (let bottom = 2; bottom <= MAX_DENOMINATOR; bottom += 1) {
    const top = Math.round(part * bottom);
    const isCloser = Math.abs(part - top / bottom) < Math.abs(part - best[0] / best[1]) - 1e-15;
    if (isCloser) best = [top, bottom];
  }
  return best;
}

const RAISED = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];

const raised = (power: number): string =>
  String(power).replaceAll(/./g, (sign) => (sign === "-" ? "⁻" : (RAISED[Number(sign)] ?? "")));

const scientific = ofNumber((value, given) => {
  const digits = given("precision", 0);
  const places = typeof digits === "number" && digits >= 0 ? Math.min(Math.trunc(digits), 20) : 2;
  const [base = "", power = "0"] = value.toExponential(places).split("e");
  return `${base} x 10${raised(Number(power))}`;
});

const clamp = ofNumber((value, given) => {
  const [floor, ceil] = [humanizableNumber(given("floor", 1)), humanizableNumber(given("ceil", 2))];
  const sign = (name: string, at: number, usual: string): string => {
    const token = given(name, at);
    return typeof token === "string" ? token : usual;
  };
  if (floor !== null && value < floor) return `${sign("floor_token", 3, "<")}${floor}`;
  if (ceil !== null && value > ceil) return `${sign("ceil_token", 4, ">")}${ceil}`;
  return String(value);
});

const METRIC = [
  "q",
  "r",
  "y",
  "z",
  "a",
  "f",
  "p",
  "n",
  "μ",
  "m",
  "",
  "k",
  "M",
  "G",
  "T",
  "P",
  "E",
  "Z",
  "Y",
  "R",
  "Q",
];

const metric = ofNumber((value, given) => {
  const unit = humanizableText(given("unit", 0));
  const asked = given("precision", 1);
  const digits = typeof asked === "number" ? Math.min(Math.max(1, Math.trunc(asked)), 15) : 3;
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  const step = Math.min(Math.max(Math.floor(power / 3), -10), 10);
  const places = Math.max(0, digits - 1 - (power - step * 3));
  const scaled = (value / 1000 ** step).toFixed(Math.min(places, 20));
  const sign = METRIC[step + 10] ?? "";
  return sign === "" && unit === "" ? scaled : `${scaled} ${sign}${unit}`;
});

export const HUMANIZE_NUMBERS: Readonly<Record<string, HumanizeFilter>> = {
  humanize_naturalsize: naturalsize,
  humanize_intcomma: intcomma,
  humanize_intword: intword,
  humanize_ordinal: ordinal,
  humanize_apnumber: apnumber,
  humanize_fractional: fractional,
  humanize_scientific: scientific,
  humanize_clamp: clamp,
  humanize_metric: metric,
  humanize_thousands_separator: () => ",",
  humanize_decimal_separator: () => ".",
};
