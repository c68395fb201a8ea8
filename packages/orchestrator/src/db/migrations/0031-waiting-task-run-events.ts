import type { Migration } from "@orchestrator/kernel/storage";

export const waitingTaskRunEventsMigration: Migration = {
  name: "waiting-task-run-events",
  up: (t) => `
    create table waiting_task_run_events (
      workspace_id ${t.id} not null,
      event_id ${t.id} not null,
      flow_run_id ${t.id} not null,
      body ${t.json} not null,
      due ${t.time} not null,
      primary key (workspace_id, event_id)
    );
    create index waiting_task_run_events_by_flow_run on waiting_task_run_events (flow_run_id);
    create index waiting_task_run_events_due on waiting_task_run_events (due);`,
};
