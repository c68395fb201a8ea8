import type { Migration } from "@orchestrator/kernel/storage";

export const variablesMigration: Migration = {
  name: "variables",
  up: (t) => `
    create table variables (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      value ${t.json} not null,
      tags ${t.tags} not null,
      unique (workspace_id, name)
    );`,
};
