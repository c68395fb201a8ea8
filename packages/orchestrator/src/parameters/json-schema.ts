import { readJson, writeJson } from "@orchestrator/kernel/pure";
import { type Check, CheckRun, OutOfBounds } from "./check-run.ts";
import { compileSchema } from "./compile-schema.ts";
import type { SchemaOptions } from "./keyword.ts";
import { Lru } from "./lru.ts";
import type { ValueProblem } from "./problems.ts";
import { SchemaProblem } from "./schema-problem.ts";

export type ValidationOptions = Partial<SchemaOptions>;

interface RunOptions extends ValidationOptions {
  /** Throws `NeedsThread` once the validation is not cheap. @default false */
  readonly isInline?: boolean;
}

/** The schema as it was parsed, or its text, which is cheaper where it was compiled before. */
export type SchemaSource = string | Readonly<Record<string, unknown>>;

const MAX_SCHEMA_CHARACTERS = 524_288;

const compiled = new Lru<Check | SchemaProblem>({ entries: 1000, keyCharacters: 8_000_000 });

/** Null when the schema can be used; else what is wrong with it. References that lead nowhere matter only to values they are about. */
export function checkSchema(
  schema: SchemaSource,
  options: ValidationOptions = {},
): SchemaProblem | null {
  const found = read(schema, options);
  return found instanceof SchemaProblem ? found : null;
}

export interface Validation {
  /** The schema cannot be used, so nothing is known about the values. */
  readonly schemaProblem: SchemaProblem | null;
  /** What is wrong with the values, up to a hundred problems; none when they fit. */
  readonly problems: readonly ValueProblem[];
}

export function validateParameters(
  schema: SchemaSource,
  values: unknown,
  { isInline = false, ...options }: RunOptions = {},
): Validation {
  const check = read(schema, options);
  if (check instanceof SchemaProblem) return { schemaProblem: check, problems: [] };
  try {
    return { schemaProblem: null, problems: collect(check, values, isInline) };
  } catch (error) {
    if (error instanceof SchemaProblem) return { schemaProblem: error, problems: [] };
    throw error;
  }
}

function collect(check: Check, values: unknown, isInline: boolean): readonly ValueProblem[] {
  const run = new CheckRun({ isInline });
  try {
    return run.collect(check, values).map(({ path, message }) => ({ path, message }));
  } catch (error) {
    const message = refusal(error);
    if (message === null) throw error;
    return [{ path: [...run.path], message }];
  }
}

function refusal(error: unknown): string | null {
  if (error instanceof OutOfBounds) return error.message;
  // The stack is used up: by a deep value, or by an expression too large for the engine.
  return error instanceof RangeError ? "is nested too deeply" : null;
}

function read(source: SchemaSource, options: ValidationOptions): Check | SchemaProblem {
  const { ignoreRequired = false, allowNullWithDefault = false, checksFormats = false } = options;
  const text = typeof source === "string" ? source : tryJson(() => writeJson(source));
  if (text === null || text.length > MAX_SCHEMA_CHARACTERS) return TOO_LARGE;
  const key = `${ignoreRequired ? "o" : "r"}${allowNullWithDefault ? "n" : "v"}${checksFormats ? "f" : "a"}${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const check = compileText(text, { ignoreRequired, allowNullWithDefault, checksFormats });
  compiled.set(key, check);
  return check;
}

const TOO_LARGE = new SchemaProblem(
  `is larger than ${MAX_SCHEMA_CHARACTERS} characters or nested too deeply`,
);

function compileText(text: string, options: SchemaOptions): Check | SchemaProblem {
  // Compiled from the text also where the caller has the object: that one may change.
  const schema = tryJson(() => readJson(text) as unknown);
  if (schema === null) return new SchemaProblem("must be an object, true or false");
  try {
    return compileSchema(schema, options);
  } catch (error) {
    if (error instanceof SchemaProblem) return error;
    if (error instanceof RangeError) return TOO_LARGE;
    throw error;
  }
}

function tryJson<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
