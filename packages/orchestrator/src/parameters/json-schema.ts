import { readJson, writeJson } from "@orchestrator/exact-json";
import { Lru } from "../lru.ts";
import { type Check, CheckRun, type FoundProblem, OutOfBounds } from "./check-run.ts";
import { inClientWords } from "./client-words.ts";
import { compileSchema } from "./compile-schema.ts";
import type { SchemaOptions } from "./keyword.ts";
import type { ValueProblem } from "./problems.ts";
import { SchemaProblem } from "./schema-problem.ts";

export type ValidationOptions = Partial<SchemaOptions>;

/**
 * The words of problems: this server's own, or those in the documentation of the established
 * client. That client adds null to the schema of what may be left out, and says so, except of
 * parameters that a new deployment brings along.
 */
export type ProblemWords = "own" | "client" | "client-of-deployment";

export interface RunOptions extends ValidationOptions {
  /** @default "own" */
  readonly words?: ProblemWords;
  /** Throws `CostlyValidation` once the validation is not cheap. @default false */
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
  /**
   * The one problem that matters most, as the established client says it; null in other words, or
   * where there is none.
   */
  readonly refusal: string | null;
}

export function validateParameters(
  schema: SchemaSource,
  values: unknown,
  { isInline = false, words = "own", ...options }: RunOptions = {},
): Validation {
  const check = read(schema, options);
  if (check instanceof SchemaProblem) return unusable(check);
  try {
    const found = collect(check, values, { isInline, keepsViolations: words !== "own" });
    if (words !== "own")
      return { schemaProblem: null, ...inClientWords(found, words === "client") };
    const problems = found.map(({ path, message }) => ({ path, message }));
    return { schemaProblem: null, problems, refusal: null };
  } catch (error) {
    if (error instanceof SchemaProblem) return unusable(error);
    throw error;
  }
}

function unusable(schemaProblem: SchemaProblem): Validation {
  return { schemaProblem, problems: [], refusal: null };
}

function collect(
  check: Check,
  values: unknown,
  options: ConstructorParameters<typeof CheckRun>[0],
): readonly FoundProblem[] {
  const run = new CheckRun(options);
  try {
    return run.collect(check, values);
  } catch (error) {
    const message = outOfBounds(error);
    if (message === null) throw error;
    return [{ path: [...run.path], message }];
  }
}

function outOfBounds(error: unknown): string | null {
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
