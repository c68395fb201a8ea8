import type { Migration } from "@orchestrator/kernel/storage";

// The index of runs has those of backfills only, by state: how many have not ended is asked at each
// pass.

export const backfillsMigration: Migration = {
  name: "backfills",
  up: (t) => `
    create table backfills (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      deployment_id ${t.id} not null references deployments (id) on delete cascade,
      status ${t.text} not null,
      "start" ${t.time} not null,
      "end" ${t.time} not null,
      schedule_id ${t.id},
      schedules ${t.json} not null,
      parameters ${t.json} not null,
      max_concurrent ${t.integer} not null,
      "order" ${t.text} not null,
      skip_existing ${t.flag} not null,
      idempotency_key ${t.text},
      total ${t.integer} not null,
      created_runs ${t.integer} not null,
      skipped ${t.integer} not null,
      next_time ${t.time},
      next_schedule ${t.integer} not null,
      due ${t.time},
      unique (deployment_id, idempotency_key)
    );
    create index backfills_due on backfills (due) where due is not null;
    create index backfills_by_created on backfills (workspace_id, created);
    create index flow_runs_of_backfills on flow_runs (created_by_id, state_type, created_by_type)
      where created_by_type = 'BACKFILL';`,
};
