import { type TUnsafe, Type } from "typebox";

/** What any schema may say about itself. */
export interface Annotations<Value> {
  readonly title?: string;
  readonly description?: string;
  /** Filled in when the caller leaves the value out. */
  readonly default?: Value;
  readonly examples?: readonly Value[];
}

export interface NumberOptions extends Annotations<number> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** Begins the error sentence in place of the field's name: `Invalid limit: must be`. */
  readonly detailPrefix?: string;
}

// `lax` tells the server to accept the common spellings of a value and to turn them into the one
// form the schema describes; everyone else reads plain JSON schema.

/** Lower case with hyphens; any case, with or without hyphens, is accepted. */
export function Uuid(options: Annotations<string> = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: "string", format: "uuid", lax: "uuid", ...options });
}

/** `2026-11-14T09:00:00.000000Z`; other ISO-8601 forms and unix numbers are accepted. */
export function Timestamp(options: Annotations<string> = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: "string", format: "date-time", lax: "date-time", ...options });
}

/** A span as a number of seconds; `PT5M` and `00:05:00` are accepted. */
export function Seconds(options: NumberOptions = {}): TUnsafe<number> {
  return Type.Unsafe<number>({ type: "number", lax: "duration", ...options });
}

/** A whole number; numeric text is accepted. */
export function Int(options: NumberOptions = {}): TUnsafe<number> {
  return Type.Unsafe<number>({ type: "integer", lax: "integer", ...options });
}

/** A number; numeric text is accepted. */
export function Num(options: NumberOptions = {}): TUnsafe<number> {
  return Type.Unsafe<number>({ type: "number", lax: "number", ...options });
}

/** A boolean; `"true"`, `1` and the like are accepted. */
export function Flag(options: Annotations<boolean> = {}): TUnsafe<boolean> {
  return Type.Unsafe<boolean>({ type: "boolean", lax: "boolean", ...options });
}

/** One of the given words. */
export function StringEnum<const Word extends string>(
  words: readonly Word[],
  options: Annotations<Word> & { readonly $id?: string } = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ type: "string", enum: [...words], ...options });
}
