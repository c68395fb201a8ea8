import type { Migration } from "@orchestrator/kernel/storage";

// Whoever changes dependencies writes the row of the workspace first, so that no two changes make a
// circle together.

export const dependenciesMigration: Migration = {
  name: "dependencies",
  up: (t) => `
    create table monitor_parents (
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      parent_id ${t.id} not null,
      primary key (monitor_id, parent_id)
    );
    create index monitor_parents_by_parent on monitor_parents (parent_id);
    create table dependency_changes (
      workspace_id ${t.id} primary key,
      count ${t.integer} not null
    );`,
};
