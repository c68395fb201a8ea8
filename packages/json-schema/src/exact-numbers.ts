// Whole numbers that a number would alter are bigints. The two compare with each other exactly, but
// do not mix in arithmetic.

import { withoutFraction } from "@orchestrator/exact-json";

export type AnyNumber = number | bigint;

/** Null for what is no number. Whether it was written as a float does not matter. */
export function exactNumberOf(value: unknown): AnyNumber | null {
  const number = withoutFraction(value);
  return typeof number === "number" || typeof number === "bigint" ? number : null;
}

export function isWhole(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(withoutFraction(value));
}

/** Larger ones are written with an exponent; they are whole. */
const LARGEST_WRITTEN_OUT = 1e21;

/**
 * A number as JSON has it, but whole numbers always without an exponent: the same whether it is a
 * number or a bigint.
 */
export function digitsOf(value: AnyNumber): string {
  const isLarge = value >= LARGEST_WRITTEN_OUT || value <= -LARGEST_WRITTEN_OUT;
  return String(isLarge ? BigInt(value) : value);
}

export function isMultiple(value: AnyNumber, of: AnyNumber): boolean {
  if (typeof value === "number" && typeof of === "number") return isAboutMultiple(value, of);
  if (!isWhole(value)) return false;
  const { whole, parts } = decimal(of);
  return (BigInt(value) * parts) % whole === 0n;
}

/** Fractions are not exact, so a tiny difference does not count. */
function isAboutMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const quotient = value / of;
  if (!Number.isFinite(quotient)) return value % of === 0;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** The number as it is written, as a whole number of so many parts of one: 0.25 is 25 of 100. */
function decimal(number: AnyNumber): { readonly whole: bigint; readonly parts: bigint } {
  if (isWhole(number)) return { whole: BigInt(number), parts: 1n };
  const [mantissa = "", power = "0"] = Number(number).toExponential().split("e");
  const [units = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(power);
  return { whole: BigInt(units + fraction), parts: 10n ** BigInt(places) };
}
