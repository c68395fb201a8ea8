import type { Migration } from "@orchestrator/kernel/storage";

// Infrastructure that a worker is asked to take down. Whoever has the token of a lease that has not
// run out answers for it.

export const workerCleanupsMigration: Migration = {
  name: "worker-cleanups",
  up: (t) => `
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
      lease_expires_at ${t.time},
      unique (flow_run_id, kind)
    );
    create index worker_cleanups_of_pool on worker_cleanups (work_pool_id, created);`,
};
