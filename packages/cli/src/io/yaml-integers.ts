// YAML is read with whole numbers as bigints, so that every digit of a long one is kept; those that a number keeps are numbers.

export const YAML_INTEGERS = { intAsBigInt: true } as const;

export function ordinaryIntegers(_name: unknown, value: unknown): unknown {
  const isOrdinary = typeof value === "bigint" && Number.isSafeInteger(Number(value));
  return isOrdinary ? Number(value) : value;
}
