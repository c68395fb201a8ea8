import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

/** Where runs are worked on: JSON columns are JSON text. */
export interface WorkPoolRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly base_job_template: string;
  readonly is_paused: boolean;
  readonly concurrency_limit: number | null;
  readonly storage_configuration: string;
  readonly default_queue_id: string | null;
  readonly status: string | null;
  /** The event of the last change of status, which the next one follows. */
  readonly status_event_id: string | null;
  readonly status_changed: string | null;
}

export interface WorkQueueRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly work_pool_id: string;
  readonly name: string;
  readonly description: string;
  readonly is_paused: boolean;
  readonly concurrency_limit: number | null;
  readonly priority: number;
  readonly last_polled: string | null;
  readonly status: string;
  readonly status_event_id: string | null;
  readonly status_changed: string | null;
}

export interface WorkerRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly work_pool_id: string;
  readonly name: string;
  readonly last_heartbeat_time: string;
  readonly heartbeat_interval_seconds: number | null;
  readonly status: string;
}

/**
 * The states in which a run takes up a place; one whose process waits to try it again keeps its own. They are written
 * out as they stand in the partial index `flow_runs_occupying`, which is used only where a query repeats its condition
 * word for word.
 */
export const OCCUPYING =
  "(flow_runs.state_type in ('PENDING', 'RUNNING', 'CANCELLING') or (flow_runs.state_type = 'SCHEDULED' and flow_runs.retry_type = 'in_process'))";
/** A run that is being cancelled no longer counts against a pool. */
export const ACTIVE = `${OCCUPYING} and flow_runs.state_type <> 'CANCELLING'`;

const ACTIVE_SLOTS: ComputedField = {
  kind: "integer",
  expression: () =>
    "case when $.concurrency_limit is null then null else (select count(*) from work_queues " +
    `join flow_runs on flow_runs.work_queue_id = work_queues.id where work_queues.work_pool_id = $.id and ${ACTIVE}) end`,
};

/** The record on the wire, in this order. */
export const WORK_POOL_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  description: "text",
  type: "text",
  base_job_template: "json",
  is_paused: "flag",
  concurrency_limit: "integer",
  status: "text",
  default_queue_id: "id",
  storage_configuration: "json",
  active_slots: ACTIVE_SLOTS,
} as const satisfies Fields;
