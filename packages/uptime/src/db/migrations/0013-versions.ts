import type { Migration } from "@orchestrator/kernel/storage";

export const versionsMigration: Migration = {
  name: "versions",
  up: (t) => `
    create table instance_versions (
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      check_name ${t.text} not null,
      since ${t.time} not null,
      version ${t.text} not null,
      revision ${t.text} not null,
      build_time ${t.text} not null,
      primary key (monitor_id, check_name, since)
    );`,
};
