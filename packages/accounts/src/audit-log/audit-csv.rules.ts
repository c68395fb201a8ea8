// The audit log as CSV.

import { csvLine } from "@orchestrator/kernel/lists";
import type { StoredAuditEntry } from "../audit/audited.rules.ts";

const COLUMNS = [
  "occurred",
  "result",
  "status",
  "actor_kind",
  "actor_id",
  "actor_name",
  "api_key_id",
  "api_key_prefix",
  "operation",
  "method",
  "route",
  "permission",
  "workspace_id",
  "resource_id",
  "resource",
  "address",
  "user_agent",
  "request_id",
  "id",
] as const satisfies readonly (keyof StoredAuditEntry)[];

export const csvHeader = csvLine(COLUMNS);

export function csvRow(entry: StoredAuditEntry): string {
  return csvLine(
    COLUMNS.map((column) =>
      column === "resource" ? JSON.stringify(entry.resource) : entry[column],
    ),
  );
}
