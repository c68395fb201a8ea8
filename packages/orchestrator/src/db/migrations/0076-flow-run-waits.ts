import type { Migration } from "@orchestrator/kernel/storage";

// What flows wait for, and the events that have come for them. An event is stored once, however
// many runs waited for it.

export const flowRunWaitsMigration: Migration = {
  name: "flow-run-waits",
  up: (t) => `
    create table flow_run_waits (
      workspace_id ${t.id} not null,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      key ${t.text} not null,
      created ${t.time} not null,
      expires ${t.time} not null,
      attempt ${t.integer} not null,
      event ${t.text},
      pattern ${t.json} not null,
      after_position ${t.integer} not null,
      lookup_name ${t.text},
      anchor ${t.text} not null,
      outcome ${t.text},
      ended ${t.time},
      event_id ${t.id},
      unread_since ${t.time},
      primary key (flow_run_id, key)
    );
    create index flow_run_waits_open on flow_run_waits (workspace_id, lookup_name, anchor)
      where lookup_name is not null;
    create index flow_run_waits_unread on flow_run_waits (unread_since) where unread_since is not null;
    create index flow_run_waits_by_event on flow_run_waits (workspace_id, event_id)
      where event_id is not null;
    create table awaited_events (
      workspace_id ${t.id} not null,
      event_id ${t.id} not null,
      created ${t.time} not null,
      body ${t.json} not null,
      primary key (workspace_id, event_id)
    );`,
};
