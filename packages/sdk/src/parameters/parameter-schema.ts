// The schema that an author gives: it checks what comes in, and describes the form that people fill
// in.

import { ParameterError } from "../errors.ts";
import { describeIssues, isStandardSchema, type StandardSchema } from "./standard-schema.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;
/** What the API and its records say of JSON objects. */
export type JsonRecord = Record<string, unknown>;

/** A schema of zod or another library with the standard interface, or a JSON schema. */
export type SchemaLike<Value = unknown> = StandardSchema<unknown, Value> | JsonSchema;

const ANYTHING: JsonSchema = { type: "object", properties: {}, additionalProperties: true };
/** Options of zod's; other libraries pass over them. */
const ZOD = { unrepresentable: "any", override: describeZod };
const TARGET = { target: "draft-2020-12", libraryOptions: ZOD };

interface Described {
  readonly zodSchema: {
    readonly _zod: { readonly def: { readonly type: string; readonly coerce?: boolean } };
  };
  readonly jsonSchema: object;
}

/**
 * The value as the schema makes it (defaults filled in, texts turned into dates, …); throws if it
 * does not fit.
 */
export async function checkValue<Value>(
  schema: SchemaLike<Value> | undefined,
  value: unknown,
  what: string,
): Promise<Value> {
  if (schema === undefined) return value as Value;
  if (!isStandardSchema(schema)) return (await checkJson(schema, value, what)) as Value;
  const outcome = await schema["~standard"].validate(value);
  if (outcome.issues !== undefined) {
    throw new ParameterError(`${what}: ${describeIssues(outcome.issues)}`);
  }
  return outcome.value as Value;
}

/**
 * The same as a JSON schema. Libraries that cannot describe themselves accept any object, and check
 * it when it comes.
 */
export function toJsonSchema(schema: SchemaLike | undefined): JsonRecord {
  if (schema === undefined) return { ...ANYTHING };
  if (!isStandardSchema(schema)) return { ...schema };
  try {
    const described = schema["~standard"].jsonSchema?.input(TARGET as never);
    const { $schema: _, ...rest } = described ?? methodOf(schema)?.() ?? ANYTHING;
    return rest;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`There is no form for this schema: ${reason}`, { cause: error });
  }
}

/**
 * What zod has no JSON schema for accepts anything in the form; the schema itself checks it when it
 * comes.
 */
function describeZod({ zodSchema, jsonSchema }: Described): void {
  const { type, coerce = false } = zodSchema._zod.def;
  if (type === "date" && !coerce) {
    throw new TypeError("a parameter comes as JSON, which has no dates: use z.coerce.date()");
  }
  if (type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
}

/** Some libraries have it as a method instead. */
function methodOf(schema: object): (() => JsonSchema) | undefined {
  const { toJSONSchema, toJsonSchema: other } = schema as Readonly<Record<string, unknown>>;
  const method = toJSONSchema ?? other;
  return typeof method === "function" ? () => method.call(schema) as JsonSchema : undefined;
}

/** The validator is only loaded by programs that have a JSON schema. */
async function checkJson(schema: JsonSchema, value: unknown, what: string): Promise<unknown> {
  const { Compile } = await import("typebox/schema");
  const filled = withDefaults(schema, value);
  const [isFit, errors] = Compile(schema as object).Errors(filled);
  if (isFit) return filled;
  const issues = errors.map(({ instancePath, message }) => ({
    message: message === "schema is false" ? "is not expected" : message,
    path: instancePath.split("/").slice(1),
  }));
  throw new ParameterError(`${what}: ${describeIssues(issues)}`);
}

function withDefaults(schema: JsonSchema, value: unknown): unknown {
  const { properties } = schema;
  if (typeof value !== "object" || value === null || typeof properties !== "object") return value;
  const defaults = Object.entries(properties as Readonly<Record<string, { default?: unknown }>>)
    .filter(([name, { default: standard }]) => standard !== undefined && !(name in value))
    .map(([name, { default: standard }]) => [name, standard]);
  return { ...Object.fromEntries(defaults), ...value };
}
