import type { Migration } from "@orchestrator/kernel/storage";

// Indexes that serve an order end with the id, as the order does: pages far behind are then counted
// off in the index alone. Long columns come last: SQLite reads a row from its beginning, and what
// is counted and sorted by is then at hand. Partial indexes keep to the few runs that wait or are
// being worked on, however many have ended.

export const flowRunsMigration: Migration = {
  name: "flow-runs",
  up: (t) => `
    create table flow_runs (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      flow_id ${t.id} not null references flows (id) on delete cascade ${t.checkedAtCommit},
      deployment_id ${t.id},
      deployment_version ${t.text},
      work_queue_id ${t.id},
      flow_version ${t.text},
      idempotency_key ${t.text},
      retry_type ${t.text},
      parent_task_run_id ${t.id},
      state_id ${t.id},
      state_type ${t.text},
      state_name ${t.text},
      state_timestamp ${t.time},
      run_count ${t.integer} not null,
      expected_start_time ${t.time},
      next_scheduled_start_time ${t.time},
      start_time ${t.time},
      effective_start_time ${t.time},
      end_time ${t.time},
      total_run_time ${t.real} not null,
      auto_scheduled ${t.flag} not null,
      infrastructure_document_id ${t.id},
      infrastructure_pid ${t.text},
      created_by_id ${t.id},
      created_by_type ${t.text},
      priority ${t.integer} not null default 0,
      deadline ${t.time},
      awaited_value ${t.text} not null default '',
      silence_seconds ${t.real},
      parameters ${t.json} not null,
      context ${t.json} not null,
      empirical_policy ${t.json} not null,
      tags ${t.tags} not null,
      labels ${t.json} not null,
      state ${t.json},
      created_by ${t.json},
      job_variables ${t.json}
    );
    create index flow_runs_by_id on flow_runs (workspace_id, id);
    create unique index flow_runs_by_key on flow_runs (workspace_id, idempotency_key, flow_id) where idempotency_key is not null;
    create index flow_runs_by_name on flow_runs (workspace_id, name, id);
    create index flow_runs_by_expected_start on flow_runs (workspace_id, expected_start_time, id);
    create index flow_runs_by_state on flow_runs (workspace_id, state_type, expected_start_time, id);
    create index flow_runs_by_state_and_id on flow_runs (workspace_id, state_type, id);
    create index flow_runs_by_queue on flow_runs (work_queue_id, expected_start_time) where work_queue_id is not null;
    create index flow_runs_by_start on flow_runs (workspace_id, effective_start_time, id);
    create index flow_runs_by_end on flow_runs (workspace_id, end_time, id);
    create index flow_runs_by_update on flow_runs (workspace_id, updated, id);
    create index flow_runs_by_next_start on flow_runs (workspace_id, next_scheduled_start_time, id);
    create index flow_runs_by_flow on flow_runs (flow_id, expected_start_time);
    create index flow_runs_by_deployment on flow_runs (deployment_id, expected_start_time) where deployment_id is not null;
    create index flow_runs_by_parent on flow_runs (parent_task_run_id) where parent_task_run_id is not null;
    create index flow_runs_by_schedule on flow_runs (created_by_id, expected_start_time) where created_by_id is not null;
    create index flow_runs_waiting_in_queue on flow_runs (work_queue_id, next_scheduled_start_time, priority) where state_type = 'SCHEDULED';
    create index flow_runs_prioritised_in_queue on flow_runs (work_queue_id, priority, next_scheduled_start_time) where state_type = 'SCHEDULED' and priority <> 0;
    create index flow_runs_waiting_for_deployment on flow_runs (deployment_id, next_scheduled_start_time, id, priority) where state_type = 'SCHEDULED';
    create index flow_runs_prioritised_for_deployment on flow_runs (deployment_id, priority, next_scheduled_start_time, id) where state_type = 'SCHEDULED' and priority <> 0;
    create index flow_runs_awaiting_slot on flow_runs (deployment_id, awaited_value, priority desc, expected_start_time) where state_type = 'SCHEDULED' and state_name = 'AwaitingConcurrencySlot';
    create index flow_runs_not_late on flow_runs (next_scheduled_start_time) where state_type = 'SCHEDULED' and state_name = 'Scheduled';
    create index flow_runs_occupying on flow_runs (work_queue_id) where (state_type in ('PENDING', 'RUNNING', 'CANCELLING') or (state_type = 'SCHEDULED' and retry_type = 'in_process'));
    create index flow_runs_cancelled on flow_runs (end_time, id) where state_type = 'CANCELLED';
    create index flow_runs_ended on flow_runs (end_time) where end_time is not null;
    create index flow_runs_by_deadline on flow_runs (deadline) where deadline is not null;
    ${t.tagIndex("flow_runs", "flow_run_tags", "expected_start_time")}
    create table flow_run_states (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      timestamp ${t.time} not null,
      type ${t.text} not null,
      name ${t.text} not null,
      state ${t.json} not null,
      unique (flow_run_id, timestamp)
    );
    create table flow_run_inputs (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      key ${t.text} not null,
      value ${t.text} not null,
      sender ${t.text},
      unique (flow_run_id, key)
    );`,
};
