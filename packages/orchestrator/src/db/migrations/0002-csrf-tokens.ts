import type { Migration } from "@orchestrator/kernel/storage";

export const csrfTokensMigration: Migration = {
  name: "csrf-tokens",
  up: (t) => `
    create table csrf_tokens (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      client ${t.text} not null,
      token ${t.text} not null,
      expiration ${t.time} not null,
      unique (workspace_id, client)
    );`,
};
