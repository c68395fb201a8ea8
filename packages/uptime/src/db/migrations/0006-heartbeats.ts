import type { Migration } from "@orchestrator/kernel/storage";

export const heartbeatsMigration: Migration = {
  name: "heartbeats",
  up: (t) => `
    create table heartbeats (
      monitor_id ${t.id} primary key,
      workspace_id ${t.id} not null,
      token ${t.text} not null,
      awaited_since ${t.time} not null,
      last_call_at ${t.time},
      has_failed ${t.flag} not null
    );
    create index heartbeats_by_token on heartbeats (token);`,
};
