import type { Migration } from "@orchestrator/kernel/storage";

/**
 * Rows that are found by their key alone lie within it: three of them change whenever a minute is
 * over.
 */
const byKey = (name: string): string => (name === "sqlite" ? " without rowid" : "");

export const rollupsMigration: Migration = {
  name: "rollups",
  up: (t, { name }) => `
    create table result_rollups (
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      size ${t.text} not null,
      start ${t.time} not null,
      up_count ${t.integer} not null,
      degraded_count ${t.integer} not null,
      down_count ${t.integer} not null,
      inconclusive_count ${t.integer} not null,
      maintenance_count ${t.integer} not null default 0,
      up_us ${t.integer} not null,
      degraded_us ${t.integer} not null,
      down_us ${t.integer} not null,
      latency_us ${t.integer} not null,
      latency_min_us ${t.integer},
      latency_max_us ${t.integer},
      latency ${t.json} not null,
      primary key (monitor_id, size, start)
    )${byKey(name)};
    create table status_spans (
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      started ${t.time} not null,
      ended ${t.time} not null,
      status ${t.text} not null,
      primary key (monitor_id, started)
    )${byKey(name)};
    create index status_spans_by_end on status_spans (monitor_id, ended);`,
};
