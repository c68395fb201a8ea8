const INTEGER = /^[+-]?\d+(?:\.0*)?$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[1, "1", "true", "t", "yes", "y", "on"].map((word) => [word, true] as const),
  ...[0, "0", "false", "f", "no", "n", "off"].map((word) => [word, false] as const),
]);

/** A whole number from a number or a numeric text; undefined beyond what a number holds exactly. */
export function normaliseInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && INTEGER.test(value.trim()) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

export function normaliseNumber(value: unknown): number | undefined {
  const isNumeric = typeof value === "string" && NUMBER.test(value.trim());
  const number = isNumeric || typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function normaliseBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  return BOOLEANS.get(typeof value === "string" ? value.trim().toLowerCase() : value);
}
