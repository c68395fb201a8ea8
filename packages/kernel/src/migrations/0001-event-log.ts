import type { Migration } from "../storage/migrate.ts";

export const eventLogMigration: Migration = {
  name: "event-log",
  up: (t) => `
    create table events (
      position ${t.position},
      workspace_id ${t.id} not null,
      id ${t.id} not null,
      occurred ${t.time} not null,
      received ${t.time} not null,
      event ${t.text} not null,
      resource_id ${t.text} not null,
      body ${t.json} not null,
      unique (workspace_id, id)
    );
    create table log_cursors (
      name ${t.text} primary key,
      position ${t.integer} not null,
      updated ${t.time} not null
    );`,
};
