import type { ExecutorEvent } from "@orchestrator/contract";
import { normaliseUuid } from "@orchestrator/kernel/http";
import type { JournalEntryRow } from "../../db/tables/journal-entries.table.ts";
import { resourceLabel, withoutPrefix } from "./labels.rules.ts";

/** The journal entry that a task run's event carries, for the run that the event names. */
export function entryOf(event: ExecutorEvent, created: string): JournalEntryRow | null {
  const { journal, occurred: finished, resource, related } = event;
  if (journal == null) return null;
  const run = related?.find((labels) => resourceLabel(labels, "resource.role") === "flow-run");
  const flow_run_id = idIn(run && resourceLabel(run, "resource.id"), "flow-run.");
  if (flow_run_id === null) return null;
  const task_run_id = idIn(resourceLabel(resource, "resource.id"), "task-run.");
  const { key, fingerprint, value } = journal;
  return { created, flow_run_id, key, fingerprint, task_run_id, finished, value };
}

function idIn(text: string | undefined, kind: string): string | null {
  const id = withoutPrefix(text ?? "", kind);
  return id === null ? null : (normaliseUuid(id) ?? null);
}
