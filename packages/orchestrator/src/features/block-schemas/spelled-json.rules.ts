// Checksums are taken over JSON text in which `1.0` and `1` differ. Our numbers do not know the difference, so in
// a spelled value a number that was written with a fraction or an exponent is a text that begins with NUL, which
// no text of a request can hold.

import { readJson } from "@orchestrator/kernel";

export type Spelled =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Spelled[]
  | { readonly [key: string]: Spelled };
export type SpelledObject = { readonly [key: string]: Spelled };

const FRACTIONAL = "\0";
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Reads JSON that is known to be sound. */
export function readSpelled(text: string): Spelled {
  const marked = text.replaceAll(TOKENS, (token) =>
    token.startsWith('"') || /^-?\d+$/.test(token)
      ? token
      : JSON.stringify(FRACTIONAL + fractionalText(Number(token))),
  );
  return readJson(marked) as Spelled;
}

/** JSON without white space in which every number is written as it was meant. */
export function spelledJson(value: Spelled): string {
  return write(value, { separator: ",", colon: ":", text: JSON.stringify, keys: Object.keys });
}

/** JSON with sorted keys, a space behind commas and colons, and nothing beyond ASCII: what checksums are taken over. */
export function canonicalJson(value: Spelled): string {
  return write(value, { separator: ", ", colon: ": ", text: asciiText, keys: sortedKeys });
}

interface Style {
  readonly separator: string;
  readonly colon: string;
  readonly text: (text: string) => string;
  readonly keys: (value: SpelledObject) => string[];
}

function write(value: Spelled, style: Style): string {
  if (typeof value === "string")
    return value.startsWith(FRACTIONAL) ? value.slice(FRACTIONAL.length) : style.text(value);
  if (isList(value)) return `[${value.map((item) => write(item, style)).join(style.separator)}]`;
  if (!isSpelledObject(value)) return String(value);
  const members = style
    .keys(value)
    .map((key) => `${style.text(key)}${style.colon}${write(value[key] ?? null, style)}`);
  return `{${members.join(style.separator)}}`;
}

export function isSpelledObject(value: Spelled | undefined): value is SpelledObject {
  return typeof value === "object" && value !== null && !isList(value);
}

export function isList(value: Spelled | undefined): value is readonly Spelled[] {
  return Array.isArray(value);
}

/** By code points, not by halves of them. */
function sortedKeys(value: SpelledObject): string[] {
  return Object.keys(value).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function asciiText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The shortest text that reads back as the number, always with a fraction or an exponent: 1.0, 1e-05, 1e+16. */
function fractionalText(number: number): string {
  const [mantissa = "", power = "0"] = number.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? "-" : "+";
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = Object.is(number, -0) ? "-0" : String(number);
  return plain.includes(".") ? plain : `${plain}.0`;
}
