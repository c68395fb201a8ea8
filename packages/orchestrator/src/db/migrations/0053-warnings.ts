import type { Migration } from "@orchestrator/kernel/storage";

// Warnings and errors of all runs, among very many lines that are neither (`logs.filter.ts` names
// the same level).

export const warningsMigration: Migration = {
  name: "warnings",
  up: () => "create index logs_by_warning on logs (workspace_id, timestamp, id) where level >= 30;",
};
