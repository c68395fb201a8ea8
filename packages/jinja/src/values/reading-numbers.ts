// Numbers in texts, as Python's `int` and `float` take them.

import { MAX_DIGITS } from "./numbers.ts";

const DIGITS = /^[+-]?[0-9a-z]+(?:_[0-9a-z]+)*$/;
// Digits before the point or behind it: each is looked at once.
const FLOAT =
  /^[+-]?(?:(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/;
const PREFIXES: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 16: "0x" };

export function readWhole(text: string, base: number): bigint | null {
  let digits = text.trim().toLowerCase();
  if (digits.length > MAX_DIGITS || base < 2 || base > 36) return null;
  const isNegative = digits.startsWith("-");
  if (isNegative || digits.startsWith("+")) digits = digits.slice(1);
  const prefix = PREFIXES[base];
  if (prefix !== undefined && digits.startsWith(prefix)) digits = digits.slice(2);
  if (!DIGITS.test(digits) || /^[+-]/.test(digits)) return null;
  let value = 0n;
  for (const sign of digits.replaceAll("_", "")) {
    const digit = Number.parseInt(sign, 36);
    if (digit >= base) return null;
    value = value * BigInt(base) + BigInt(digit);
  }
  return isNegative ? -value : value;
}

export function readFloat(text: string): number | null {
  const written = text.trim().toLowerCase();
  if (written.length > 1000 || !FLOAT.test(written)) return null;
  const bare = written.replaceAll("_", "").replace(/^[+-]/, "");
  const sign = written.startsWith("-") ? -1 : 1;
  if (bare === "nan") return Number.NaN;
  if (bare.startsWith("inf")) return sign * Number.POSITIVE_INFINITY;
  return sign * Number(bare);
}

/** What stands in brackets or behind a dot in a text. */
export const placeOrName = (text: string): bigint | string =>
  text.length <= MAX_DIGITS && /^\d+$/.test(text) ? BigInt(text) : text;
