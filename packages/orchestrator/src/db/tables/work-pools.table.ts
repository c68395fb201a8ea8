import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, integer, json, text, time } = column;

/**
 * The states in which a run takes up a place; one whose process waits to try it again keeps its
 * own. They are written out as they stand in the partial index `flow_runs_occupying`, which is used
 * only where a query repeats its condition word for word.
 */
export const OCCUPYING =
  "(flow_runs.state_type in ('PENDING', 'RUNNING', 'CANCELLING') or (flow_runs.state_type = 'SCHEDULED' and flow_runs.retry_type = 'in_process'))";
/** A run that is being cancelled no longer counts against a pool. */
export const ACTIVE = `${OCCUPYING} and flow_runs.state_type <> 'CANCELLING'`;

const ACTIVE_SLOTS: ComputedField = {
  kind: "integer",
  expression: ({ text }) =>
    text(
      "case when $.concurrency_limit is null then null else (select count(*) from work_queues " +
        `join flow_runs on flow_runs.work_queue_id = work_queues.id where work_queues.work_pool_id = $.id and ${ACTIVE}) end`,
    ),
};

/** Where runs are executed. The name and the type stay as they were when the pool was made. */
export const WORK_POOLS = defineTable("work_pools", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text(),
  description: text().orNull().changeable(),
  type: text(),
  base_job_template: json().changeable(),
  is_paused: flag().changeable(),
  concurrency_limit: integer().orNull().changeable(),
  status: text().orNull().changeable(),
  /** The event of the last change of status, which the next one follows. */
  status_event_id: id().orNull().internal().changeable(),
  status_changed: time().orNull().internal().changeable(),
  default_queue_id: id().orNull(),
  storage_configuration: json().changeable(),
  active_slots: ACTIVE_SLOTS,
});
export type WorkPoolRow = RowOf<typeof WORK_POOLS>;
