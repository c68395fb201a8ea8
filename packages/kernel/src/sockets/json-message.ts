import type { Static, TSchema } from "typebox";
import { InvalidRequestError } from "../http/invalid-request.ts";
import { type CompiledSchema, compileRouteSchema } from "../http/schema-compiler.ts";
import { SchemaMismatchError } from "../http/schema-mismatch.ts";
import { parseStrictJson } from "../http/strict-json.ts";
import { explainMismatch, problemSentence } from "../http/validation-errors.ts";

/**
 * Whoever sends a message mostly hears no answer: what would be refused for a trifle of it is
 * mended.
 */
const STRICT = { maxDepth: 200, stripNul: true } as const;

/** Either what a message says or, in one line, what is wrong with it. */
export type MessageReading<T> = { readonly value: T } | { readonly problem: string };

/**
 * Reads values of one schema, normalised as those of requests are; it is compiled for the first.
 * Never throws, whatever the value is.
 */
export interface MessageReader<T> {
  /** From the text of a message. */
  readonly read: (bytes: Buffer) => MessageReading<T>;
  /** From a value that was JSON before; it is changed in place. */
  readonly check: (value: unknown) => MessageReading<T>;
}

export interface MessageReaderOptions {
  /**
   * Whether NUL characters are dropped. A filter without them would ask for something else.
   * @default true
   */
  readonly stripNul?: boolean;
}

export function createReader<Schema extends TSchema>(
  schema: Schema,
  { stripNul = STRICT.stripNul }: MessageReaderOptions = {},
): MessageReader<Static<Schema>> {
  const strict = { ...STRICT, stripNul };
  let compiled: CompiledSchema | undefined;
  const check = (value: unknown): MessageReading<Static<Schema>> => {
    compiled ??= compileRouteSchema(schema as unknown as Record<string, unknown>);
    if (compiled.accepts(value)) return { value: value as Static<Schema> };
    return { problem: explainMismatch(new SchemaMismatchError("body", compiled)).detail };
  };
  return {
    check,
    read: (bytes) => {
      let value: unknown;
      try {
        value = parseStrictJson(bytes, strict);
      } catch (error) {
        if (error instanceof InvalidRequestError)
          return { problem: problemSentence(error.problems) };
        return { problem: "The message is not valid JSON" };
      }
      return check(value);
    },
  };
}

/** The JSON of a message; undefined when it is none. */
export function parseMessage(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, STRICT);
  } catch {
    return undefined;
  }
}
