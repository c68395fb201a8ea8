import type { Migration } from "@orchestrator/kernel/storage";

// Clients choose ids of task runs, and of their states by the events they send. Such an id is
// unique in its workspace and nowhere else: were it unique on the server, whoever was refused would
// know that another workspace has it.

export const taskRunsMigration: Migration = {
  name: "task-runs-by-workspace",
  up: (t) => `
    create table task_runs (
      id ${t.id} not null,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      flow_run_id ${t.id} references flow_runs (id) on delete cascade ${t.checkedAtCommit},
      task_key ${t.text} not null,
      dynamic_key ${t.text} not null,
      cache_key ${t.text},
      cache_expiration ${t.time},
      task_version ${t.text},
      state_id ${t.id},
      state_type ${t.text},
      state_name ${t.text},
      state_timestamp ${t.time},
      run_count ${t.integer} not null,
      flow_run_run_count ${t.integer} not null,
      expected_start_time ${t.time},
      next_scheduled_start_time ${t.time},
      start_time ${t.time},
      end_time ${t.time},
      total_run_time ${t.real} not null,
      empirical_policy ${t.json} not null,
      tags ${t.tags} not null,
      labels ${t.json} not null,
      task_inputs ${t.json} not null,
      state ${t.json},
      primary key (workspace_id, id)
    );
    create unique index task_runs_by_key on task_runs (flow_run_id, task_key, dynamic_key) where flow_run_id is not null;
    create index task_runs_by_name on task_runs (workspace_id, name, id);
    create index task_runs_by_expected_start on task_runs (workspace_id, expected_start_time, id);
    create index task_runs_by_state on task_runs (workspace_id, state_type, expected_start_time, id);
    create index task_runs_by_start on task_runs (workspace_id, start_time);
    create index task_runs_by_end on task_runs (workspace_id, end_time, id);
    create index task_runs_by_update on task_runs (workspace_id, updated, id);
    create index task_runs_by_next_start on task_runs (workspace_id, next_scheduled_start_time, id);
    ${t.tagIndex("task_runs", "task_run_tags", "expected_start_time")}
    create table task_run_states (
      id ${t.id} not null,
      workspace_id ${t.id} not null,
      task_run_id ${t.id} not null,
      timestamp ${t.time} not null,
      type ${t.text} not null,
      name ${t.text} not null,
      state ${t.json} not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, task_run_id) references task_runs (workspace_id, id) on delete cascade
    );
    create index task_run_states_by_run on task_run_states (task_run_id, timestamp);
    create table task_run_cache (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      cache_key ${t.text} not null,
      expiration ${t.time},
      state ${t.json} not null
    );
    create index task_run_cache_by_key on task_run_cache (workspace_id, cache_key, id);
    create index task_run_cache_by_expiration on task_run_cache (expiration) where expiration is not null;`,
};
