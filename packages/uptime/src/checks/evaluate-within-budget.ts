// Bodies that targets answer: those whose expectations take more than a few milliseconds are judged
// on a thread.

import { writeJson } from "@orchestrator/exact-json";
import { computeJob, OverBudgetError, threadModule } from "@orchestrator/kernel/compute";
import { isAppError, sleep } from "@orchestrator/kernel/pure";
import type { CheckAttempt } from "./check.ts";
import { evaluateBody, type ResponseBody } from "./evaluate-body.ts";
import type { EvaluatedBody, Expectations } from "./expectations.ts";
import type * as jobs from "./judge-jobs.ts";

const judging = computeJob<typeof jobs.evaluateOnThread>(
  threadModule(import.meta.url, "judge-jobs"),
  "evaluateOnThread",
  "The body",
);

const MAX_INLINE_CHARACTERS = 16_384;
/** To look for a text takes less than to read JSON, and to write what was found. */
const TEXTS_PER_JSON = 64;
const RETRY_MS = 100;

export async function evaluateWithinBudget(
  { contains, not_contains, json = [] }: Expectations,
  body: ResponseBody,
  run: CheckAttempt,
): Promise<EvaluatedBody> {
  const expectations = {
    ...(contains !== undefined && { contains }),
    ...(not_contains !== undefined && { not_contains }),
    json,
  };
  const { compute } = run;
  const texts = [contains ?? [], not_contains ?? []].flat().length;
  const passes = texts / TEXTS_PER_JSON + (json.length === 0 ? 0 : json.length + 1);
  if (compute === undefined || body.text.length * passes <= MAX_INLINE_CHARACTERS)
    return evaluateBody(expectations, body, run.hide);
  const { text, isCut, problem } = body;
  const { secrets } = run;
  const job = { text, isCut, problem, secrets, expectations: writeJson(expectations) };
  for (;;) {
    try {
      return await compute.run(judging, job);
    } catch (error) {
      if (error instanceof OverBudgetError)
        return { findings: [{ status: "down", text: error.message }], assertions: [] };
      // The target is not to blame for a full queue.
      if (!isAppError(error, "too_many_requests") || run.signal.aborted) throw error;
      await sleep(RETRY_MS, run.signal);
    }
  }
}
