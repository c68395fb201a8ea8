import { type TUnsafe, Type } from "typebox";
import type { Annotations } from "./scalars.ts";

/**
 * Whole numbers that a number would alter are bigints within the server, and those that were
 * written as floats `Float`s of the kernel.
 */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

interface JsonOptions<T> extends Annotations<T> {
  /** How many characters the value may take, written without white space. */
  readonly maxJsonLength?: number;
}

/** Any JSON, kept as it is. */
export function JsonValue(options: JsonOptions<JsonValue> = {}): TUnsafe<JsonValue> {
  return Type.Unsafe<JsonValue>({ ...options });
}

/** Any JSON object, kept as it is. */
export function JsonObject(options: JsonOptions<JsonObject> = {}): TUnsafe<JsonObject> {
  return Type.Unsafe<JsonObject>({ type: "object", ...options });
}
