import { ApiError } from "@orchestrator/client";
import { explainPatterns } from "@orchestrator/client/refusals";
import { durationLabel } from "./time.ts";

/** What went wrong in the words of the server, part by part where it said so. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.problems.length === 0) return error.detail;
  return error.problems
    .map(({ where, what }) => {
      const place = where.replace(/^body\.?/, "");
      return place === "" ? explainPatterns(what) : `${place}: ${explainPatterns(what)}`;
    })
    .join("; ");
}

/**
 * What the server has against one field, to be said at it; `name` is the last part of where that
 * is.
 */
export function problemAt(error: unknown, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const problem = error.problems.find(({ where }) => where.split(".").at(-1) === name);
  return problem && explainPatterns(problem.what);
}

const TOO_MANY = 429;

/** The same for what somebody has sent: also when it is worth another try. */
export function refusalText(error: unknown): string {
  const text = errorText(error);
  if (!(error instanceof ApiError) || error.status !== TOO_MANY || error.retryAfterMs === null)
    return text;
  return `${text.replace(/\.?$/, ".")} Try again in ${durationLabel(Math.ceil(error.retryAfterMs / 1000))}.`;
}
