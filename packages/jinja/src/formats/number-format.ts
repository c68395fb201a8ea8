// Numbers by the letters of Python's two ways of formatting, without sign and width.

import { exponentialDigits, exponentText, fixedDigits } from "../exact-decimal.ts";
import { wholeText } from "../values/numbers.ts";

export interface FloatStyle {
  /** One of e E f F g G. */
  readonly letter: string;
  readonly precision: number;
  /** Keeps the point and the zeros behind it. */
  readonly isAlternate: boolean;
}

/** The size of a number with a fraction. */
export function floatDigits(value: number, { letter, precision, isAlternate }: FloatStyle): string {
  const cased = (text: string): string =>
    letter === letter.toUpperCase() ? text.toUpperCase() : text;
  if (!Number.isFinite(value)) return cased(Number.isNaN(value) ? "nan" : "inf");
  switch (letter.toLowerCase()) {
    case "f":
      return withAlternatePoint(fixedDigits(value, precision), isAlternate);
    case "e":
      return cased(exponential(value, precision, isAlternate));
    default:
      return cased(general(value, Math.max(precision, 1), isAlternate));
  }
}

const withAlternatePoint = (text: string, isAlternate: boolean): string =>
  isAlternate && !text.includes(".") ? `${text}.` : text;

function exponential(value: number, precision: number, isAlternate: boolean): string {
  const { digits, power } = exponentialDigits(value, precision + 1);
  return `${withAlternatePoint(pointed(digits), isAlternate)}${exponentText(power)}`;
}

const pointed = (digits: string): string =>
  digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;

function general(value: number, count: number, isAlternate: boolean): string {
  const { digits, power } = exponentialDigits(value, count);
  const trimmed = (text: string): string =>
    isAlternate || !text.includes(".") ? text : text.replace(/0+$/, "").replace(/\.$/, "");
  if (power < -4 || power >= count) return `${trimmed(pointed(digits))}${exponentText(power)}`;
  if (power < 0) return trimmed(`0.${"0".repeat(-power - 1)}${digits}`);
  const rest = digits.slice(power + 1);
  const whole = digits.slice(0, power + 1);
  return trimmed(rest === "" ? withAlternatePoint(whole, isAlternate) : `${whole}.${rest}`);
}

const BASES: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, "0b"],
  o: [8, "0o"],
  x: [16, "0x"],
  X: [16, "0X"],
};

/** The size of a whole number by one of the letters b d o x X. */
export function wholeDigits(value: bigint, letter: string, isAlternate: boolean): string {
  const size = value < 0n ? -value : value;
  const [base, prefix] = BASES[letter] ?? [10, ""];
  const digits = base === 10 ? wholeText(size) : size.toString(base);
  return `${isAlternate ? prefix : ""}${letter === "X" ? digits.toUpperCase() : digits}`;
}

/** With a sign between groups of digits before the point. */
export function grouped(digits: string, separator: string, size = 3): string {
  const [, whole = "", rest = ""] = /^([0-9a-fA-F]*)(.*)$/s.exec(digits) ?? [];
  const first = whole.length % size;
  const groups = first === 0 ? [] : [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += size) groups.push(whole.slice(at, at + size));
  return groups.join(separator) + rest;
}
