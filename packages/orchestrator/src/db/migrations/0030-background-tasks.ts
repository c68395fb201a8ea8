import type { Migration } from "@orchestrator/kernel/storage";

// A run that waits in the background is offered by the state it is in: in another state it is
// offered anew.

export const backgroundTasksMigration: Migration = {
  name: "background-tasks",
  up: (t) => `
    create table background_task_offers (
      task_run_id ${t.id} not null,
      workspace_id ${t.id} not null,
      state_id ${t.id} not null,
      offer_id ${t.id} not null,
      expires ${t.time},
      primary key (workspace_id, task_run_id),
      foreign key (workspace_id, task_run_id) references task_runs (workspace_id, id) on delete cascade
    );
    create index task_runs_waiting on task_runs (workspace_id, task_key, id) where state_type = 'SCHEDULED';
    create table task_workers (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      identifier ${t.text} not null,
      task_keys ${t.tags} not null,
      timestamp ${t.time} not null,
      expires ${t.time} not null
    );
    create index task_workers_by_workspace on task_workers (workspace_id);`,
};
