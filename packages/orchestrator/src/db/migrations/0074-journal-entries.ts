import type { Migration } from "@orchestrator/kernel/storage";

// Results of the calls that flow runs have finished, by the place of the call in the run.

export const journalEntriesMigration: Migration = {
  name: "journal-entries",
  up: (t) => `
    create table journal_entries (
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      key ${t.text} not null,
      fingerprint ${t.text},
      task_run_id ${t.id},
      finished ${t.time} not null,
      value ${t.text} not null,
      primary key (flow_run_id, key)
    );`,
};
