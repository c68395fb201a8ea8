import type { Migration } from "@orchestrator/kernel/storage";

export const incidentsMigration: Migration = {
  name: "incidents",
  up: (t) => `
    create table incidents (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      status ${t.text} not null,
      cause ${t.text} not null,
      result_id ${t.id} not null,
      started_at ${t.time} not null,
      ended_at ${t.time},
      ended_by ${t.text},
      caused_by ${t.id},
      acknowledged_at ${t.time},
      acknowledged_by ${t.text},
      note ${t.text}
    );
    create index incidents_by_start on incidents (workspace_id, started_at, id);
    create index incidents_by_monitor on incidents (workspace_id, monitor_id, started_at, id);
    create index incidents_open on incidents (workspace_id, started_at, id) where ended_at is null;`,
};
