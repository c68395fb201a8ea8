// Others tell 1.0 from 1: a client that sent the first expects a float back. A number does not know
// which of the two it was, so the first is a `Float` in memory. It is a function, because whoever
// walks through JSON takes apart what is an object and passes on what is none, as with a bigint.
// Who does not know of it compares it and calculates with it as with its number, and writes it
// without the fraction.

import { writing } from "./writing.ts";

/** A whole number that was written as a float. Called, it tells the number. */
export type Float = () => number;

/** What is larger is written with an exponent by everybody, which nobody reads as an integer. */
const LARGEST_WRITTEN_OUT = 1e21;
/** From here on floats are written with an exponent, as Python does. */
const LARGE = 1e16;

const FLOAT = Object.assign(Object.create(Function.prototype) as object, {
  valueOf(this: Float): number {
    return this();
  },
  toString(this: Float): string {
    return String(this());
  },
  toJSON(this: Float): number | string {
    return writing.marks ? writing.markedNumber(floatText(this())) : this();
  },
});

export function floatOf(number: number): Float {
  return Object.setPrototypeOf(() => number, FLOAT) as Float;
}

export function isFloat(value: unknown): value is Float {
  return typeof value === "function" && Object.getPrototypeOf(value) === FLOAT;
}

/** A number for a float, and all else as it is. */
export function withoutFraction<T>(value: T): T | number {
  return isFloat(value) ? value() : value;
}

/**
 * With floats only below members of these names, which hold any JSON; in all others a float is
 * nothing but a number. In place.
 */
export function floatsOnlyIn(names: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return withoutFraction(value);
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (!names.has(name)) members[name] = floatsOnlyIn(names, members[name]);
  }
  return members;
}

/**
 * Whether a number that was written as a float would be written otherwise by who does not know
 * that.
 */
export function losesFraction(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < LARGEST_WRITTEN_OUT;
}

function floatText(number: number): string {
  if (Math.abs(number) >= LARGE) return number.toExponential();
  return Object.is(number, -0) ? "-0.0" : `${number}.0`;
}
