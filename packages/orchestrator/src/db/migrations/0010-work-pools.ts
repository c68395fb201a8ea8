import type { Migration } from "@orchestrator/kernel/storage";

export const workPoolsMigration: Migration = {
  name: "work-pools",
  up: (t) => `
    create table work_pools (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      description ${t.text},
      type ${t.text} not null,
      base_job_template ${t.json} not null,
      is_paused ${t.flag} not null,
      concurrency_limit ${t.integer},
      storage_configuration ${t.json} not null,
      default_queue_id ${t.id},
      status ${t.text},
      status_event_id ${t.id},
      status_changed ${t.time},
      unique (workspace_id, name)
    );
    create table work_queues (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      work_pool_id ${t.id} not null references work_pools (id) on delete cascade,
      name ${t.text} not null,
      description ${t.text} not null,
      is_paused ${t.flag} not null,
      concurrency_limit ${t.integer},
      priority ${t.integer} not null,
      last_polled ${t.time},
      status ${t.text} not null,
      status_event_id ${t.id},
      status_changed ${t.time},
      unique (work_pool_id, name)
    );
    create index work_queues_by_name on work_queues (workspace_id, name);
    create index work_queues_ready on work_queues (workspace_id) where status = 'READY';
    create table workers (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      work_pool_id ${t.id} not null references work_pools (id) on delete cascade,
      name ${t.text} not null,
      last_heartbeat_time ${t.time} not null,
      heartbeat_interval_seconds ${t.integer},
      status ${t.text} not null,
      unique (work_pool_id, name)
    );
    create index workers_online on workers (work_pool_id) where status = 'ONLINE';`,
};
