// What threads do for `compute-judged.ts`.

import { readJson } from "@orchestrator/exact-json";
import type { Expectations, Judged } from "./expectations.ts";
import { hiding } from "./hiding.ts";
import { type JudgedBody, judgeBody } from "./judge-body.ts";

export interface JudgeJob extends JudgedBody {
  /** As a text, because a thread is sent plain data and long numbers are none. */
  readonly expectations: string;
  readonly secrets: readonly string[];
}

export function judgeOnThread({ expectations, secrets, ...body }: JudgeJob): Judged {
  return judgeBody(readJson(expectations) as Expectations, body, hiding(secrets));
}
