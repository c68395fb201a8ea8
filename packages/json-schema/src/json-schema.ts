import { readJson, writeJson } from "@orchestrator/exact-json";
import { type FoundProblem, OutOfBounds, type SchemaCheck, ValidationRun } from "./check-run.ts";
import { compileSchema } from "./compile-schema.ts";
import type { SchemaOptions } from "./keyword.ts";
import { SchemaProblem } from "./schema-problem.ts";

export type ValidationOptions = Partial<SchemaOptions>;

export interface RunOptions extends ValidationOptions {
  /** Throws `CostlyValidation` once the validation is not cheap. @default false */
  readonly isInline?: boolean;
  /** Whether problems say which keyword refused which value. @default false */
  readonly keepsViolations?: boolean;
}

/** The schema as it was parsed, or its text, which is cheaper where it was compiled before. */
export type SchemaSource = string | Readonly<Record<string, unknown>>;

const MAX_SCHEMA_CHARACTERS = 524_288;

type CompiledSchema = SchemaCheck | SchemaProblem;

/** Compiled schemas by their text: a `Map`, or a cache with a bound where users write them. */
export interface SchemaCache {
  readonly get: (key: string) => CompiledSchema | undefined;
  readonly set: (key: string, schema: CompiledSchema) => unknown;
}

export interface Validation {
  /** The schema cannot be used, so nothing is known about the values. */
  readonly schemaProblem: SchemaProblem | null;
  /** What is wrong with the values, up to a hundred problems; none when they fit. */
  readonly problems: readonly FoundProblem[];
}

export interface Validator {
  /**
   * Null when the schema can be used; else what is wrong with it. References that lead nowhere
   * matter only to values they are about.
   */
  readonly check: (schema: SchemaSource, options?: ValidationOptions) => SchemaProblem | null;
  readonly validate: (schema: SchemaSource, values: unknown, options?: RunOptions) => Validation;
}

export function createValidator(cache: SchemaCache): Validator {
  function read(source: SchemaSource, options: ValidationOptions): CompiledSchema {
    const { ignoreRequired = false, allowNullWithDefault = false, checksFormats = false } = options;
    const text = typeof source === "string" ? source : tryJson(() => writeJson(source));
    if (text === null || text.length > MAX_SCHEMA_CHARACTERS) return TOO_LARGE;
    const key = `${ignoreRequired ? "o" : "r"}${allowNullWithDefault ? "n" : "v"}${checksFormats ? "f" : "a"}${text}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const check = compileText(text, { ignoreRequired, allowNullWithDefault, checksFormats });
    cache.set(key, check);
    return check;
  }

  return {
    check(schema, options = {}) {
      const found = read(schema, options);
      return found instanceof SchemaProblem ? found : null;
    },

    validate(schema, values, { isInline = false, keepsViolations = false, ...options } = {}) {
      const check = read(schema, options);
      if (check instanceof SchemaProblem) return unusable(check);
      try {
        const found = collect(check, values, { isInline, keepsViolations });
        if (keepsViolations) return { schemaProblem: null, problems: found };
        const problems = found.map(({ path, message }) => ({ path, message }));
        return { schemaProblem: null, problems };
      } catch (error) {
        if (error instanceof SchemaProblem) return unusable(error);
        throw error;
      }
    },
  };
}

function unusable(schemaProblem: SchemaProblem): Validation {
  return { schemaProblem, problems: [] };
}

function collect(
  check: SchemaCheck,
  values: unknown,
  options: ConstructorParameters<typeof ValidationRun>[0],
): readonly FoundProblem[] {
  const run = new ValidationRun(options);
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

const TOO_LARGE = new SchemaProblem(
  `is larger than ${MAX_SCHEMA_CHARACTERS} characters or nested too deeply`,
);

function compileText(text: string, options: SchemaOptions): CompiledSchema {
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
