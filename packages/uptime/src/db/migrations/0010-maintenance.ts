import type { Migration } from "@orchestrator/kernel/storage";

export const maintenanceMigration: Migration = {
  name: "maintenance",
  up: (t) => `
    create table maintenance_windows (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created_at ${t.time} not null,
      updated_at ${t.time} not null,
      name ${t.text} not null,
      description ${t.text},
      monitor_ids ${t.tags} not null,
      tags ${t.tags} not null,
      all_monitors ${t.flag} not null,
      starts_at ${t.time},
      ends_at ${t.time},
      schedule ${t.text},
      timezone ${t.text} not null,
      duration ${t.integer},
      enabled ${t.flag} not null,
      finished_at ${t.time},
      told_start ${t.time}
    );
    create index maintenance_windows_by_age on maintenance_windows (workspace_id, created_at, id);
    create index maintenance_windows_by_end on maintenance_windows (ends_at) where ends_at is not null;`,
};
