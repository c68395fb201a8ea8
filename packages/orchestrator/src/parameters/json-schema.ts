// Values of users against their schemas, in the words that users read.

import {
  createValidator,
  type SchemaSource,
  type RunOptions as ValidatorOptions,
} from "@orchestrator/json-schema";
import type { SchemaProblem, ValueProblem } from "@orchestrator/json-schema/problems";
import { Lru } from "../lru.ts";
import { inClientWords } from "./client-words.ts";

/**
 * The words of problems: this server's own, or those in the documentation of the established
 * client. That client adds null to the schema of what may be left out, and says so, except of
 * parameters that a new deployment brings along.
 */
export type ProblemWords = "own" | "client" | "client-of-deployment";

export interface RunOptions extends Omit<ValidatorOptions, "keepsViolations"> {
  /** @default "own" */
  readonly words?: ProblemWords;
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

const validator = createValidator(new Lru({ entries: 1000, keyCharacters: 8_000_000 }));

export function validateParameters(
  schema: SchemaSource,
  values: unknown,
  { words = "own", ...options }: RunOptions = {},
): Validation {
  const keepsViolations = words !== "own";
  const validation = validator.validate(schema, values, { ...options, keepsViolations });
  if (!keepsViolations || validation.schemaProblem !== null)
    return { ...validation, refusal: null };
  return { schemaProblem: null, ...inClientWords(validation.problems, words === "client") };
}
