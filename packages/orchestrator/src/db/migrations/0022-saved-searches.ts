import type { Migration } from "@orchestrator/kernel/storage";

export const savedSearchesMigration: Migration = {
  name: "saved-searches",
  up: (t) => `
    create table saved_searches (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      filters ${t.json} not null,
      unique (workspace_id, name)
    );`,
};
