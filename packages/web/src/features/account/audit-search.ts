import type { AuditEntry } from "@orchestrator/contract";

/** What the log is narrowed to, as it stands in the address. */
export type AuditSearch = {
  readonly result?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly resource?: string;
  readonly window?: string;
};

export const RESULTS = [
  ["", "All results"],
  ["done", "Succeeded"],
  ["refused", "Denied"],
  ["failed", "Failed"],
] as const;

export const AUDIT_WINDOWS = [
  ["", "Any time"],
  ["1", "Last day"],
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
] as const;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function readAuditSearch(search: URLSearchParams): AuditSearch {
  const names = ["result", "actor", "operation", "resource", "window"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * What the server is asked for. The beginning of the window is that of an hour, so that the same
 * question is the same text.
 */
export function selectionOf(
  { result, actor, operation, resource, window }: AuditSearch,
  now = Date.now(),
) {
  const days = Number(window);
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    ...(isResult(result) && { result }),
    ...(actor && { actor_id: actor }),
    ...(operation && { operation }),
    ...(resource && { resource_id: resource }),
    ...(days > 0 && { since: new Date(hour - days * DAY_MS).toISOString() }),
  };
}

function isResult(text: string | undefined): text is AuditEntry["result"] {
  return text === "done" || text === "refused" || text === "failed";
}
