import type { StateType } from "@orchestrator/contract";
import type { ComputedField, Fields, LookedUpFields } from "@orchestrator/kernel/storage";
import type { Generated } from "kysely";

/** A row as it is stored: what is JSON on the wire is JSON text here. */
export interface FlowRunRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly flow_id: string;
  readonly deployment_id: string | null;
  readonly deployment_version: string | null;
  readonly work_queue_id: string | null;
  readonly flow_version: string | null;
  readonly parameters: string;
  readonly idempotency_key: string | null;
  readonly context: string;
  readonly empirical_policy: string;
  /** `retry_type` of the policy, in a column because polling asks for it. */
  readonly retry_type: string | null;
  readonly tags: string;
  readonly labels: string;
  readonly parent_task_run_id: string | null;
  readonly state_id: string | null;
  readonly state_type: StateType | null;
  readonly state_name: string | null;
  readonly state_timestamp: string | null;
  /** The whole state, as it was last committed. */
  readonly state: string | null;
  readonly run_count: number;
  readonly expected_start_time: string | null;
  readonly next_scheduled_start_time: string | null;
  readonly start_time: string | null;
  /** `start_time`, or `expected_start_time` before there is one: lists sort and filter by it. */
  readonly effective_start_time: string | null;
  readonly end_time: string | null;
  readonly total_run_time: number;
  readonly auto_scheduled: boolean;
  readonly infrastructure_document_id: string | null;
  readonly infrastructure_pid: string | null;
  readonly created_by: string | null;
  readonly created_by_id: string | null;
  readonly created_by_type: string | null;
  readonly job_variables: string | null;
  /** Among the runs that wait in a queue, the higher goes first. */
  readonly priority: number;
  /**
   * When the server acts on the run unless it is in another state by then: a claimed run is offered again, a paused
   * one fails, a cancelling one is cancelled, a running one that promised heartbeats is taken for crashed. Null
   * where the run may stay as it is for as long as it likes.
   */
  readonly deadline: string | null;
}

/** For how long a run that has sent a heartbeat may be silent while it runs; null: it never sent one. */
export interface HeartbeatPromise {
  readonly silence_seconds: Generated<number | null>;
}

/**
 * The ids of the transitions before the present state, see `runs/orchestration/earlier-
 * transitions.ts`.
 */
export interface EarlierTransitions {
  readonly earlier_transitions: Generated<string | null>;
}

/** A state that a run has been in. */
export interface FlowRunStateRow {
  readonly id: string;
  readonly flow_run_id: string;
  readonly timestamp: string;
  readonly type: StateType;
  readonly name: string;
  readonly state: string;
}

export interface FlowRunInputRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly flow_run_id: string;
  readonly key: string;
  readonly value: string;
  readonly sender: string | null;
}

/** While a run runs, its time goes on from its last state. */
export const ESTIMATED_RUN_TIME: ComputedField = {
  kind: "real",
  expression: (dialect) =>
    `case when $.state_type = 'RUNNING' then $.total_run_time + ${dialect.greatest("0", dialect.secondsBetween("$.state_timestamp", ":now"))} else $.total_run_time end`,
};

/** How late a run started, or how long it has been due without starting. */
export const ESTIMATED_START_TIME_DELTA: ComputedField = {
  kind: "real",
  expression: (dialect) =>
    `case when $.start_time > $.expected_start_time then ${dialect.secondsBetween("$.expected_start_time", "$.start_time")} ` +
    `when $.start_time is null and $.expected_start_time < :now and $.end_time is null then ${dialect.secondsBetween("$.expected_start_time", ":now")} else 0 end`,
};

const column = (kind: ComputedField["kind"], name: string): ComputedField => ({
  kind,
  expression: () => name,
});

/** What the record of anything with a `work_queue_id` tells of its queue and the pool that is in. */
const PLACE = {
  work_queue_name: column("text", "work_queues.name"),
  work_pool_name: column("text", "work_pools.name"),
};
const WHERE =
  "work_queues join work_pools on work_pools.id = work_queues.work_pool_id where work_queues.id = $.work_queue_id";

export const WORK_PLACE: LookedUpFields = { from: WHERE, fields: PLACE };

/** Runs that have ended keep the id of a queue that is gone; nobody else should see it. */
const RUN_PLACE: LookedUpFields = {
  from: WHERE,
  fields: {
    work_queue_id: column("id", "work_queues.id"),
    work_pool_id: column("id", "work_pools.id"),
    ...PLACE,
  },
};

/** The record on the wire, in this order. */
export const FLOW_RUN_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  flow_id: "id",
  state_id: "id",
  deployment_id: "id",
  deployment_version: "text",
  place: RUN_PLACE,
  flow_version: "text",
  parameters: "json",
  idempotency_key: "text",
  context: "json",
  empirical_policy: "json",
  tags: "tags",
  labels: "json",
  parent_task_run_id: "id",
  state_type: "text",
  state_name: "text",
  run_count: "integer",
  expected_start_time: "time",
  next_scheduled_start_time: "time",
  start_time: "time",
  end_time: "time",
  total_run_time: "real",
  estimated_run_time: ESTIMATED_RUN_TIME,
  estimated_start_time_delta: ESTIMATED_START_TIME_DELTA,
  auto_scheduled: "flag",
  infrastructure_document_id: "id",
  infrastructure_pid: "text",
  created_by: "json",
  state: "json",
  job_variables: "json",
  priority: "integer",
} as const satisfies Fields;
