import { isFloat, withoutFraction } from "./float.ts";

/**
 * Whether two values are the same JSON; the order of names does not matter. A whole number may be a
 * bigint on one side and a number on the other: `1e17` is a float, and as `100000000000000000` it
 * would not be kept by a number. 1.0 is the same as 1.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isAlike(withoutFraction(one), withoutFraction(other), isSameJson);
}

/** The same, but there is something to write where 1 has become 1.0. */
export function isUnchangedJson(before: unknown, after: unknown): boolean {
  if (isFloat(before) !== isFloat(after)) return false;
  return isAlike(withoutFraction(before), withoutFraction(after), isUnchangedJson);
}

type IsSame = (one: unknown, other: unknown) => boolean;

function isAlike(one: unknown, other: unknown, isSame: IsSame): boolean {
  if (typeof one === "bigint" || typeof other === "bigint")
    return asWhole(one) !== null && asWhole(one) === asWhole(other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function asWhole(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  return Number.isInteger(value) ? BigInt(value as number) : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
