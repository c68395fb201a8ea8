// Bodies that targets answer: those whose expectations take more than a few milliseconds are judged
// on a thread.

import { writeJson } from "@orchestrator/exact-json";
import { computeJob, OverBudgetError, threadModule } from "@orchestrator/kernel/compute";
import { isAppError, sleep } from "@orchestrator/kernel/pure";
import type { CheckRun } from "./check.ts";
import type { Expectations, Judged } from "./expectations.ts";
import { type JudgedBody, judgeBody } from "./judge-body.ts";
import type * as jobs from "./judge-jobs.ts";

const judging = computeJob<typeof jobs.judgeOnThread>(
  threadModule(import.meta.url, "judge-jobs"),
  "judgeOnThread",
  "The body",
);

const MAX_INLINE_CHARACTERS = 16_384;
/** To look for a text takes less than to read JSON, and to write what was found. */
const TEXTS_PER_JSON = 64;
const RETRY_MS = 100;

export async function computeJudged(
  { contains, not_contains, json = [] }: Expectations,
  body: JudgedBody,
  run: CheckRun,
): Promise<Judged> {
  const expectations = {
    ...(contains !== undefined && { contains }),
    ...(not_contains !== undefined && { not_contains }),
    json,
  };
  const { compute } = run;
  const texts = [contains ?? [], not_contains ?? []].flat().length;
  const passes = texts / TEXTS_PER_JSON + (json.length === 0 ? 0 : json.length + 1);
  if (compute === undefined || body.text.length * passes <= MAX_INLINE_CHARACTERS)
    return judgeBody(expectations, body, run.hide);
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
