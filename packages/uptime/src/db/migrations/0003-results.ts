import type { Migration } from "@orchestrator/kernel/storage";

// Most results say `up`; the few others have an index of their own, so that a list of failures need
// not pass over them.

export const resultsMigration: Migration = {
  name: "results-by-minute",
  up: (t) => `
    create table check_results (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      monitor_id ${t.id} not null,
      checked_at ${t.time} not null,
      status ${t.text} not null,
      message ${t.text} not null,
      elapsed_ms ${t.real} not null,
      details ${t.json} not null,
      origin ${t.text} not null,
      inconclusive ${t.flag} not null,
      maintenance ${t.flag} not null default false
    );
    create index check_results_by_monitor on check_results (workspace_id, monitor_id, checked_at, id);
    create index check_results_troubled on check_results (workspace_id, monitor_id, checked_at, id) where status <> 'up';
    create table monitor_tracks (
      monitor_id ${t.id} primary key,
      workspace_id ${t.id} not null,
      status ${t.text},
      since ${t.time},
      counted_until ${t.time},
      valid_until ${t.time},
      open_minute ${t.text},
      streak_since ${t.time},
      confirmed_since ${t.time},
      told_status ${t.text},
      incident_id ${t.id},
      certificate_told ${t.time},
      held_back_from ${t.time},
      held_back_until ${t.time}
    );
    create table engine_sessions (
      holder ${t.text} primary key,
      expires ${t.time} not null
    );
    create table check_requests (
      monitor_id ${t.id} primary key,
      workspace_id ${t.id} not null,
      requested_at ${t.time} not null
    );`,
};
