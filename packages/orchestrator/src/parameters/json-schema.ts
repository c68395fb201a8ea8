import { readJson, writeJson } from "@orchestrator/kernel";
import { type Check, CheckRun, NeedsTimeLimit, OutOfBounds } from "./check-run.ts";
import { compileSchema } from "./compile-schema.ts";
import type { SchemaOptions } from "./keyword.ts";
import { Lru } from "./lru.ts";
import type { ValueProblem } from "./problems.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { runWithin, TimeLimitError } from "./time-limit.ts";

export type ValidationOptions = Partial<SchemaOptions>;

/** The schema as it was parsed, or its text, which is cheaper where it was compiled before. */
export type SchemaSource = string | Readonly<Record<string, unknown>>;

const MAX_SCHEMA_CHARACTERS = 524_288;
const TIME_LIMIT_MS = 250;

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
  options: ValidationOptions = {},
): Validation {
  const check = read(schema, options);
  if (check instanceof SchemaProblem) return { schemaProblem: check, problems: [] };
  try {
    return { schemaProblem: null, problems: findProblems(check, values) };
  } catch (error) {
    if (error instanceof SchemaProblem) return { schemaProblem: error, problems: [] };
    throw error;
  }
}

function findProblems(check: Check, values: unknown): readonly ValueProblem[] {
  try {
    return collect({ hasTimeLimit: false }, (run) => run().collect(check, values));
  } catch (error) {
    if (!(error instanceof NeedsTimeLimit)) throw error;
  }
  return collect({ hasTimeLimit: true }, (run) =>
    runWithin(TIME_LIMIT_MS, () => run().collect(check, values)),
  );
}

/** A run that was stopped stands where it was stopped. */
function collect(
  options: { readonly hasTimeLimit: boolean },
  work: (run: () => CheckRun) => readonly ValueProblem[],
): readonly ValueProblem[] {
  let run = new CheckRun(options);
  const begin = (): CheckRun => {
    run = new CheckRun(options);
    return run;
  };
  try {
    return work(begin).map(({ path, message }) => ({ path, message }));
  } catch (error) {
    const message = refusal(error);
    if (message === null) throw error;
    return [{ path: [...run.path], message }];
  }
}

function refusal(error: unknown): string | null {
  if (error instanceof OutOfBounds) return error.message;
  if (error instanceof TimeLimitError) return "takes too long to check";
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
