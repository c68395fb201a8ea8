import type { Migration } from "@orchestrator/kernel/storage";

// Lines are many and never looked up by their id, so the key is the index by time, and an index by
// run holds only the lines that belong to one.

export const logsMigration: Migration = {
  name: "logs",
  up: (t) => `
    create table logs (
      id ${t.id} not null,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      name ${t.text} not null,
      level ${t.integer} not null,
      message ${t.text} not null,
      timestamp ${t.time} not null,
      flow_run_id ${t.id},
      task_run_id ${t.id},
      primary key (workspace_id, timestamp, id)
    );
    create index logs_by_flow_run on logs (workspace_id, flow_run_id, timestamp, id) where flow_run_id is not null;
    create index logs_by_task_run on logs (workspace_id, task_run_id, timestamp, id) where task_run_id is not null;`,
};
