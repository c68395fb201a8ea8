import type { Migration } from "@orchestrator/kernel/storage";

// Where writers commit one after another, lines are followed by their position, and no index of
// their arrival has to be kept.

const COLUMNS =
  "id, workspace_id, created, name, level, message, timestamp, flow_run_id, task_run_id";

export const logsInOrderMigration: Migration = {
  name: "logs-in-order",
  up: (t, { commitsInOrder }) =>
    commitsInOrder
      ? `
    create table logs_in_order (
      position ${t.position},
      id ${t.id} not null,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      name ${t.text} not null,
      level ${t.integer} not null,
      message ${t.text} not null,
      timestamp ${t.time} not null,
      flow_run_id ${t.id},
      task_run_id ${t.id},
      unique (workspace_id, timestamp, id)
    );
    insert into logs_in_order (${COLUMNS}) select ${COLUMNS} from logs order by created, id;
    drop table logs;
    alter table logs_in_order rename to logs;
    create index logs_by_flow_run on logs (workspace_id, flow_run_id, timestamp, id) where flow_run_id is not null;
    create index logs_by_task_run on logs (workspace_id, task_run_id, timestamp, id) where task_run_id is not null;`
      : "select 1",
};
