import type { ErrorObject } from "ajv";
import type { CompiledSchema } from "./schema-compiler.ts";

export type RequestPart = "body" | "query" | "params" | "headers";

/**
 * A part of the request does not fit its schema. What exactly is wrong is worked out when the
 * answer is written.
 */
export class SchemaMismatchError extends Error {
  override readonly name = "SchemaMismatchError";
  readonly part: RequestPart;
  readonly schema: CompiledSchema;
  readonly firstErrors: readonly ErrorObject[];
  /** Brings a fresh copy of the part into the form the schema was applied to. */
  readonly arrange: (value: unknown) => unknown;

  constructor(
    part: RequestPart,
    schema: CompiledSchema,
    arrange: (value: unknown) => unknown = (value) => value,
  ) {
    super(`The ${part} does not fit its schema`);
    this.part = part;
    this.schema = schema;
    this.firstErrors = schema.firstErrors();
    this.arrange = arrange;
  }
}
