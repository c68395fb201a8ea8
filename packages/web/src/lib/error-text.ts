import { ApiError } from "@orchestrator/client";

/** What went wrong in the words of the server, part by part where it said so. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.problems.length === 0) return error.detail;
  return error.problems
    .map(({ where, what }) => (where === "" ? what : `${where}: ${what}`))
    .join("; ");
}
