import type { StateType } from "@orchestrator/contract";
import type { Fields } from "@orchestrator/kernel/storage";
import { ESTIMATED_RUN_TIME, ESTIMATED_START_TIME_DELTA } from "./flow-runs.table.ts";

/** A row as it is stored: what is JSON on the wire is JSON text here. */
export interface TaskRunRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly flow_run_id: string | null;
  readonly task_key: string;
  readonly dynamic_key: string;
  readonly cache_key: string | null;
  readonly cache_expiration: string | null;
  readonly task_version: string | null;
  readonly empirical_policy: string;
  readonly tags: string;
  readonly labels: string;
  readonly task_inputs: string;
  readonly state_id: string | null;
  readonly state_type: StateType | null;
  readonly state_name: string | null;
  readonly state_timestamp: string | null;
  readonly state: string | null;
  readonly run_count: number;
  readonly flow_run_run_count: number;
  readonly expected_start_time: string | null;
  readonly next_scheduled_start_time: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly total_run_time: number;
}

/** A state that a task run has been in. */
export interface TaskRunStateRow {
  readonly id: string;
  readonly task_run_id: string;
  readonly timestamp: string;
  readonly type: StateType;
  readonly name: string;
  readonly state: string;
}

/** A result that later task runs with the same key take over. */
export interface TaskRunCacheRow {
  readonly id: string;
  readonly created: string;
  readonly cache_key: string;
  readonly expiration: string | null;
  readonly state: string;
}

/** The record on the wire, in this order. */
export const TASK_RUN_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  flow_run_id: "id",
  task_key: "text",
  dynamic_key: "text",
  cache_key: "text",
  cache_expiration: "time",
  task_version: "text",
  empirical_policy: "json",
  tags: "tags",
  labels: "json",
  state_id: "id",
  task_inputs: "json",
  state_type: "text",
  state_name: "text",
  run_count: "integer",
  flow_run_run_count: "integer",
  expected_start_time: "time",
  next_scheduled_start_time: "time",
  start_time: "time",
  end_time: "time",
  total_run_time: "real",
  estimated_run_time: ESTIMATED_RUN_TIME,
  estimated_start_time_delta: ESTIMATED_START_TIME_DELTA,
  state: "json",
} as const satisfies Fields;
