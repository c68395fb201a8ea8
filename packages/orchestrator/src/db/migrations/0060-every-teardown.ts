import type { Migration } from "@orchestrator/kernel/storage";

// A run that was tried again may have left something in several places, and each is taken down.
// Names of places may be longer than an entry of an index on PostgreSQL. SQLite takes no constraint
// off a table.

const COLUMNS =
  "id, workspace_id, created, work_pool_id, work_queue_id, flow_run_id, infrastructure_pid, kind, delivery_count, reservation_token, lease_expires_at";

const once = (place: string): string =>
  `create unique index worker_cleanups_once on worker_cleanups (flow_run_id, kind, ${place});`;

export const everyTeardownMigration: Migration = {
  name: "every-teardown",
  up: (t, { isRemote }) =>
    isRemote
      ? `alter table worker_cleanups drop constraint worker_cleanups_flow_run_id_kind_key;
    ${once("md5(infrastructure_pid)")}`
      : `create table worker_cleanups_kept as select * from worker_cleanups;
    drop table worker_cleanups;
    create table worker_cleanups (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      work_pool_id ${t.id} not null references work_pools (id) on delete cascade,
      work_queue_id ${t.id} not null,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      infrastructure_pid ${t.text} not null,
      kind ${t.text} not null,
      delivery_count ${t.integer} not null,
      reservation_token ${t.text},
      lease_expires_at ${t.time}
    );
    insert into worker_cleanups (${COLUMNS}) select ${COLUMNS} from worker_cleanups_kept;
    drop table worker_cleanups_kept;
    create index worker_cleanups_of_pool on worker_cleanups (work_pool_id, created);
    ${once("infrastructure_pid")}`,
};
