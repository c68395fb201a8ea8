import type { StateType } from "@orchestrator/contract";
import {
  type ChangesOf,
  type ComputedField,
  column,
  defineTable,
  type LookedUpFields,
  type RowOf,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";

const { flag, id, integer, json, real, tags, text, time } = column;

/** While a run runs, its time goes on from its last state. */
export const ESTIMATED_RUN_TIME: ComputedField = {
  kind: "real",
  expression({ dialect, column: of, now }) {
    const since = dialect.greatest(sql`0`, dialect.secondsBetween(of("state_timestamp"), now));
    const whole = of("total_run_time");
    return sql`case when ${of("state_type")} = 'RUNNING' then ${whole} + ${since} else ${whole} end`;
  },
};

/** How late a run started, or how long it has been due without starting. */
export const ESTIMATED_START_TIME_DELTA: ComputedField = {
  kind: "real",
  expression({ dialect, column: of, now }) {
    const [expected, start] = [of("expected_start_time"), of("start_time")];
    return sql`case when ${start} > ${expected} then ${dialect.secondsBetween(expected, start)} when ${start} is null and ${expected} < ${now} and ${of("end_time")} is null then ${dialect.secondsBetween(expected, now)} else 0 end`;
  },
};

const found = (kind: ComputedField["kind"], name: string): ComputedField => ({
  kind,
  expression: ({ text }) => text(name),
});

/**
 * What the record of anything with a `work_queue_id` tells of its queue and the pool that is in.
 */
const PLACE = {
  work_queue_name: found("text", "work_queues.name"),
  work_pool_name: found("text", "work_pools.name"),
};
const WHERE =
  "work_queues join work_pools on work_pools.id = work_queues.work_pool_id where work_queues.id = $.work_queue_id";

export const WORK_PLACE: LookedUpFields = { from: WHERE, fields: PLACE };

/** Runs that have ended keep the id of a queue that is gone; nobody else should see it. */
const RUN_PLACE: LookedUpFields = {
  from: WHERE,
  fields: {
    work_queue_id: found("id", "work_queues.id"),
    work_pool_id: found("id", "work_pools.id"),
    ...PLACE,
  },
};

/** Changeable is what a caller may change without a new state. */
export const FLOW_RUNS = defineTable("flow_runs", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text().changeable(),
  flow_id: id(),
  state_id: id().orNull(),
  deployment_id: id().orNull(),
  deployment_version: text().orNull(),
  work_queue_id: id().orNull().internal(),
  place: RUN_PLACE,
  flow_version: text().orNull().changeable(),
  parameters: json().changeable(),
  idempotency_key: text().orNull(),
  context: json(),
  empirical_policy: json().changeable(),
  /** `retry_type` of the policy, in a column because polling asks for it. */
  retry_type: text().orNull().internal().changeable(),
  tags: tags().changeable(),
  labels: json().changeable(),
  parent_task_run_id: id().orNull(),
  state_type: text<StateType>().orNull(),
  state_name: text().orNull(),
  state_timestamp: time().orNull().internal(),
  run_count: integer(),
  expected_start_time: time().orNull(),
  next_scheduled_start_time: time().orNull(),
  start_time: time().orNull(),
  /** `start_time`, or `expected_start_time` before there is one: lists sort and filter by it. */
  effective_start_time: time().orNull().internal(),
  end_time: time().orNull(),
  total_run_time: real(),
  estimated_run_time: ESTIMATED_RUN_TIME,
  estimated_start_time_delta: ESTIMATED_START_TIME_DELTA,
  auto_scheduled: flag(),
  infrastructure_document_id: id().orNull(),
  infrastructure_pid: text().orNull().changeable(),
  created_by: json().orNull(),
  created_by_id: id().orNull().internal(),
  created_by_type: text().orNull().internal(),
  /** The whole state, as it was last committed. */
  state: json().orNull(),
  job_variables: json().orNull().changeable(),
  /** Among the runs that wait in a queue, the higher goes first. */
  priority: integer().changeable(),
  /** The value of the deployment's concurrency key, from the moment the run was created. */
  concurrency_key: text().orNull(),
  /**
   * When the server acts on the run unless it is in another state by then: a claimed run is offered
   * again, a paused one fails, a cancelling one is cancelled, a running one that promised
   * heartbeats is taken for crashed. Null where the run may stay as it is for as long as it likes.
   */
  deadline: time().orNull().internal(),
  /**
   * For how long a run that has sent a heartbeat may be silent while it runs; null: it never sent
   * one.
   */
  silence_seconds: real().orNull().internal().later(),
  /**
   * The ids of the transitions before the present state:
   * `runs/orchestration/earlier-transitions.ts`.
   */
  earlier_transitions: text().orNull().internal().later(),
  /** Which value of a limit's key the run was last refused a slot of. */
  awaited_value: text().internal().later(),
});
export type FlowRunRow = RowOf<typeof FLOW_RUNS>;
export type FlowRunEdit = Pick<FlowRunRow, "id"> & ChangesOf<typeof FLOW_RUNS>;

/** A state that a run has been in. */
export const FLOW_RUN_STATES = defineTable("flow_run_states", {
  id: id(),
  flow_run_id: id(),
  timestamp: time(),
  type: text<StateType>(),
  name: text(),
  state: json(),
});
export type FlowRunStateRow = RowOf<typeof FLOW_RUN_STATES>;

export const FLOW_RUN_INPUTS = defineTable("flow_run_inputs", {
  id: id(),
  created: time(),
  updated: time(),
  flow_run_id: id(),
  key: text(),
  value: text(),
  sender: text().orNull(),
});
export type FlowRunInputRow = RowOf<typeof FLOW_RUN_INPUTS>;
