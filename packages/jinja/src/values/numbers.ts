import { TemplateError } from "../template-error.ts";
import type { Value } from "./kinds.ts";

export type Numeric = bigint | number | boolean;

export const isNumeric = (value: Value | undefined): value is Numeric =>
  typeof value === "bigint" || typeof value === "number" || typeof value === "boolean";

/** True is 1. */
export const plainNumber = (value: Numeric): bigint | number =>
  typeof value === "boolean" ? (value ? 1n : 0n) : value;

const SMALL = 2n ** 62n;
export const isSmall = (value: bigint): boolean => value < SMALL && value > -SMALL;

/** About how many bits a whole number has. */
export const bitLengthOf = (value: bigint): number =>
  isSmall(value)
    ? Math.ceil(Math.log2(Math.abs(Number(value)) + 1))
    : value.toString(16).length * 4;

/** Python reads and writes no whole number that is longer. */
export const MAX_DIGITS = 4300;
const TOO_LONG = 10n ** BigInt(MAX_DIGITS);

export function wholeText(value: bigint): string {
  if (value >= TOO_LONG || value <= -TOO_LONG)
    throw new TemplateError(`a whole number has more than ${MAX_DIGITS} digits`);
  return value.toString();
}

/** Null for what is no whole number. */
export function wholeIn(value: Value | undefined): bigint | null {
  if (typeof value === "bigint") return value;
  return typeof value === "boolean" ? (value ? 1n : 0n) : null;
}
