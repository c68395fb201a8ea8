// What threads do for `evaluate-within-budget.ts`.

import { readJson } from "@orchestrator/exact-json";
import { evaluateBody, type ResponseBody } from "./evaluate-body.ts";
import type { EvaluatedBody, Expectations } from "./expectations.ts";
import { secretMasker } from "./secret-masker.ts";

export interface EvaluationJob extends ResponseBody {
  /** As a text, because a thread is sent plain data and long numbers are none. */
  readonly expectations: string;
  readonly secrets: readonly string[];
}

export function evaluateOnThread({ expectations, secrets, ...body }: EvaluationJob): EvaluatedBody {
  return evaluateBody(readJson(expectations) as Expectations, body, secretMasker(secrets));
}
