import type { Migration } from "@orchestrator/kernel/storage";

export const quotasMigration: Migration = {
  name: "quotas",
  up: (t) => `
    create table workspace_removals (
      workspace_id ${t.id} primary key,
      account_id ${t.id} not null,
      handle ${t.text} not null,
      requested ${t.time} not null
    );
    create table workspace_quotas (
      workspace_id ${t.id} primary key,
      updated ${t.time} not null,
      runs_per_day ${t.integer},
      events_per_day ${t.integer},
      runs_stored ${t.integer},
      storage_bytes ${t.integer}
    );
    create table workspace_counts (
      workspace_id ${t.id} not null,
      day ${t.text} not null,
      counter ${t.text} not null,
      runs ${t.integer} not null,
      events ${t.integer} not null,
      primary key (workspace_id, day, counter)
    );
    create index workspace_counts_by_day on workspace_counts (day);
    create table workspace_sizes (
      workspace_id ${t.id} primary key,
      measured ${t.time} not null,
      runs ${t.integer} not null,
      bytes ${t.integer} not null
    );`,
};
