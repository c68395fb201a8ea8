// Texts with places in them such as %s and %.2f, filled as Python does. What cannot be filled stays as it is.

import { writeJson } from "@orchestrator/kernel";
import type { FilterArguments } from "./filter-arguments.ts";
import { numberIn, textOf } from "./humanize-numbers.ts";

const PLACE =
  /%(?:\((?<name>[^()%]{1,100})\))?(?<flags>[-+ 0#]{0,5})(?<width>\d{0,4})(?:\.(?<digits>\d{1,3}))?(?<kind>[sdiufFeEgGxXoc%])/g;

/** The kinds that write a number as it is. */
const DECIMAL = "diu";
const MAX_WIDTH = 1000;
const MAX_DIGITS = 50;

interface Place {
  readonly flags: string;
  readonly width: number;
  readonly digits: number | null;
  readonly kind: string;
}

export function formatText(text: string, given: FilterArguments): string {
  let next = 0;
  return text.replace(PLACE, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { name, flags = "", width = "", digits, kind = "s" } = groups;
    if (kind === "%") return "%";
    const value = name === undefined ? given("", next) : given(name, -1);
    if (name === undefined) next += 1;
    if (value === undefined) return found;
    const place: Place = {
      flags,
      kind,
      width: Math.min(Number(width), MAX_WIDTH),
      digits: digits === undefined ? null : Math.min(Number(digits), MAX_DIGITS),
    };
    return filled(place, value) ?? found;
  });
}

function filled(place: Place, value: unknown): string | null {
  if (place.kind === "s" || place.kind === "c") {
    const text = shown(value);
    return widened(place, "", place.digits === null ? text : text.slice(0, place.digits));
  }
  const number = numberIn(value);
  if (number === null) return null;
  const written = textOf(value);
  const isLong = DECIMAL.includes(place.kind) && /^-?\d{16,}$/.test(written);
  const digits = isLong
    ? written.replace("-", "").padStart(place.digits ?? 0, "0")
    : digitsOf(place, Math.abs(number));
  return widened(place, number < 0 ? "-" : signOf(place.flags), digits);
}

function signOf(flags: string): string {
  if (flags.includes("+")) return "+";
  return flags.includes(" ") ? " " : "";
}

function digitsOf({ kind, digits, flags }: Place, number: number): string {
  const most = digits ?? 6;
  switch (kind) {
    case "f":
    case "F":
      return number.toFixed(most);
    case "e":
    case "E":
      return cased(kind, exponent(number.toExponential(most)));
    case "g":
    case "G":
      return cased(kind, general(number, Math.max(most, 1)));
    case "x":
    case "X":
      return cased(kind, `${flags.includes("#") ? "0x" : ""}${Math.trunc(number).toString(16)}`);
    case "o":
      return `${flags.includes("#") ? "0o" : ""}${Math.trunc(number).toString(8)}`;
    default:
      return BigInt(Math.trunc(number))
        .toString()
        .padStart(digits ?? 0, "0");
  }
}

const cased = (kind: string, text: string): string =>
  kind === kind.toUpperCase() ? text.toUpperCase() : text;

/** With at least two digits of the power. */
const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, "e$10$2");

function general(number: number, digits: number): string {
  const [mantissa = "", power = "0"] = number.toExponential(digits - 1).split("e");
  const size = Number(power);
  const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (size >= -4 && size < digits) return trimmed(number.toFixed(Math.max(digits - 1 - size, 0)));
  return exponent(
    `${trimmed(mantissa)}e${power.startsWith("-") ? "" : "+"}${power.replace("+", "")}`,
  );
}

function widened({ flags, width, kind }: Place, sign: string, text: string): string {
  const room = Math.max(width - sign.length - text.length, 0);
  if (flags.includes("-")) return sign + text + " ".repeat(room);
  const isNumber = kind !== "s" && kind !== "c";
  if (isNumber && flags.includes("0")) return sign + "0".repeat(room) + text;
  return " ".repeat(room) + sign + text;
}

function shown(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Map) return writeJson(Object.fromEntries(value));
  return typeof value === "object" && value !== null ? writeJson(value) : textOf(value);
}
