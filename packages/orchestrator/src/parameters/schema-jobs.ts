// What threads do for `validate.ts`.

import { readJson } from "@orchestrator/exact-json";
import type { ValueProblem } from "@orchestrator/json-schema/problems";
import { type RunOptions, validateParameters } from "./json-schema.ts";

/** As texts, because a thread is sent plain data and long numbers are none. */
export interface ValidationJob {
  readonly schema: string;
  readonly values: string;
  readonly options: Omit<RunOptions, "isInline">;
}

export interface ValidationResult {
  readonly schemaProblem: { readonly message: string; readonly isCircular: boolean } | null;
  readonly problems: readonly ValueProblem[];
  readonly refusal: string | null;
}

export function validateOnThread({ schema, values, options }: ValidationJob): ValidationResult {
  const { schemaProblem, ...found } = validateParameters(schema, readJson(values), options);
  if (schemaProblem === null) return { schemaProblem, ...found };
  const { message, isCircular } = schemaProblem;
  return { schemaProblem: { message, isCircular }, ...found };
}
