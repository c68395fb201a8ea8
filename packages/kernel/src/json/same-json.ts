/**
 * Whether two values are the same JSON; the order of names does not matter. A whole number may be a bigint on one side and a number on
 * the other: `1e17` is read as a number, and as `100000000000000000` it would not be kept by one.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (isNumber(one) && isNumber(other)) return one >= other && one <= other;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSameJson(item, other[at]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
