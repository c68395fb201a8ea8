import { writeJson } from "@orchestrator/exact-json";
import type { SchemaSource } from "@orchestrator/json-schema";
import { SchemaProblem } from "@orchestrator/json-schema/problems";
import {
  type Compute,
  computeJob,
  isNeedsThread,
  threadModule,
} from "@orchestrator/kernel/compute";
import {
  type ProblemWords,
  type RunOptions,
  type Validation,
  validateParameters,
} from "./json-schema.ts";
import type * as jobs from "./schema-jobs.ts";

export type { ProblemWords, SchemaSource };

export interface ValidationRequest extends Omit<RunOptions, "isInline"> {
  /** Its text is cheaper where it is at hand. */
  readonly schema: SchemaSource;
  readonly values: unknown;
}

const validation = computeJob<typeof jobs.validateOnThread>(
  threadModule(import.meta.url, "schema-jobs"),
  "validateOnThread",
  "The validation against the JSON schema",
);

/** A schema of so many characters is compiled in about a millisecond. */
const MAX_INLINE_CHARACTERS = 16_384;

/**
 * Validates in here what is cheap: a schema of bounded size that compares no whole values and asks
 * for no pattern, within a bounded number of steps. Everything else runs on a thread, so nothing
 * that is written to the database may wait for it.
 */
export async function validateValue(
  compute: Compute,
  { schema, values, ...options }: ValidationRequest,
): Promise<Validation> {
  const text = typeof schema === "string" ? schema : textOf(schema);
  if (text === null) return validateParameters(schema, values, options);
  if (text.length <= MAX_INLINE_CHARACTERS) {
    try {
      return validateParameters(text, values, { ...options, isInline: true });
    } catch (error) {
      if (!isNeedsThread(error)) throw error;
    }
  }
  const given = textOf(values);
  if (given === null) {
    const problem = { path: [], message: "is nested too deeply" };
    return { schemaProblem: null, problems: [problem], refusal: null };
  }
  const { schemaProblem, ...found } = await compute.run(validation, {
    schema: text,
    values: given,
    options,
  });
  if (schemaProblem === null) return { schemaProblem, ...found };
  return { schemaProblem: new SchemaProblem(schemaProblem.message, schemaProblem), ...found };
}

/** Null for what is nested deeper than the stack. */
function textOf(value: unknown): string | null {
  try {
    return writeJson(value);
  } catch {
    return null;
  }
}
