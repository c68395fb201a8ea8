import type { Migration } from "@orchestrator/kernel/storage";

export const uptimeAccountsMigration: Migration = {
  name: "accounts",
  up: (t) => `
    create table uptime_accounts (
      id ${t.id} primary key,
      workspace_id ${t.id} not null unique,
      created_at ${t.time} not null,
      updated_at ${t.time} not null,
      username ${t.text} not null,
      password_hash ${t.text} not null
    );
    create table uptime_sessions (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      account_id ${t.id} not null,
      token_hash ${t.text} not null unique,
      created_at ${t.time} not null,
      expires_at ${t.time} not null,
      ends_at ${t.time} not null
    );
    create index uptime_sessions_by_end on uptime_sessions (expires_at);`,
};
