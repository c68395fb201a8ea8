import type { StateType } from "@orchestrator/contract";
import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";
import { ESTIMATED_RUN_TIME, ESTIMATED_START_TIME_DELTA } from "./flow-runs.table.ts";

const { id, integer, json, real, tags, text, time } = column;

export const TASK_RUNS = defineTable("task_runs", {
  id: id(),
  created: time(),
  updated: time(),
  name: text(),
  flow_run_id: id().orNull(),
  task_key: text(),
  dynamic_key: text(),
  cache_key: text().orNull(),
  cache_expiration: time().orNull(),
  task_version: text().orNull(),
  empirical_policy: json(),
  tags: tags(),
  labels: json(),
  state_id: id().orNull(),
  task_inputs: json(),
  state_type: text<StateType>().orNull(),
  state_name: text().orNull(),
  state_timestamp: time().orNull().internal(),
  run_count: integer(),
  flow_run_run_count: integer(),
  expected_start_time: time().orNull(),
  next_scheduled_start_time: time().orNull(),
  start_time: time().orNull(),
  end_time: time().orNull(),
  total_run_time: real(),
  estimated_run_time: ESTIMATED_RUN_TIME,
  estimated_start_time_delta: ESTIMATED_START_TIME_DELTA,
  state: json().orNull(),
});
export type TaskRunRow = RowOf<typeof TASK_RUNS>;

/** A state that a task run has been in. */
export const TASK_RUN_STATES = defineTable("task_run_states", {
  id: id(),
  task_run_id: id(),
  timestamp: time(),
  type: text<StateType>(),
  name: text(),
  state: json(),
});
export type TaskRunStateRow = RowOf<typeof TASK_RUN_STATES>;

/** Results that later task runs with the same key take over. */
export const TASK_RUN_CACHE = defineTable("task_run_cache", {
  id: id(),
  created: time(),
  cache_key: text(),
  expiration: time().orNull(),
  state: json(),
});
export type TaskRunCacheRow = RowOf<typeof TASK_RUN_CACHE>;
