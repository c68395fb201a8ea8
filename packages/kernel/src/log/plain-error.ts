import { stdSerializers } from "pino";

const MAX_DEPTH = 6;

/**
 * An error as a record. Drivers hang whole clients and sockets on their errors: only plain data
 * goes to the log.
 */
export function plainError(error: unknown): unknown {
  return error instanceof Error ? dataOf(stdSerializers.err(error), 0) : error;
}

function dataOf(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => dataOf(item, depth + 1));
  if (value.constructor !== undefined && value.constructor !== Object) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, dataOf(member, depth + 1)]),
  );
}
