// Rows put straight into the database, in any state and at any time, for tests that only read them.

import type { StateType } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import type {
  ConcurrencyLeaseRow,
  ConcurrencyLimitRow,
  ConcurrencySlotRow,
} from "../db/tables/concurrency-limits.table.ts";
import type { DeploymentRow, ScheduleRow } from "../db/tables/deployments.table.ts";
import type { FlowRunRow, FlowRunStateRow } from "../db/tables/flow-runs.table.ts";
import type { FlowRow } from "../db/tables/flows.table.ts";
import type { TaskRunRow, TaskRunStateRow } from "../db/tables/task-runs.table.ts";
import type { WorkPoolRow, WorkQueueRow } from "../db/tables/work-pools.table.ts";
import { statement } from "../db/tables.ts";
import type { TestApi } from "./test-api.ts";

/** When rows were made that do not say otherwise. */
const EPOCH = "2026-01-01T00:00:00.000000Z";
const WORKSPACE = openScope("fixtures").workspaceId;

/**
 * Adds rows to a table: each is the defaults, an id, and what the test gives. Lists and objects become JSON text.
 * Answers the row, so that others can refer to it.
 */
function adder<Row extends { readonly id: string }>(table: string, defaults: Omit<Row, "id">) {
  const columns = ["id", ...Object.keys(defaults)];
  const insert = statement<Record<string, unknown>>()((db, p) => {
    const values = columns.map((column) => [column, p[column]] as const);
    // A list of columns is more than the builder's types can follow.
    return db
      .insertInto(table as "flows")
      .values({ workspace_id: p.workspace_id, ...Object.fromEntries(values) } as never);
  });
  return async (api: TestApi, given: Fixture<Row> = {}): Promise<Row> => {
    const id = api.ctx.ids.uuid7();
    const row = { id, ...defaults, ...withTexts(given) } as unknown as Row;
    await api.ctx.db.write(WORKSPACE, (tx) => tx.run(insert, { ...row }));
    return row;
  };
}

/** The columns to set; what is kept as JSON text may be given as it is. */
type Fixture<Row> = { readonly [Column in keyof Row]?: Row[Column] | object };

function withTexts(given: object): object {
  const entries = Object.entries(given).map(([name, value]: readonly [string, unknown]) => {
    const isJson = typeof value === "object" && value !== null;
    return [name, isJson ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

const record = { created: EPOCH, updated: EPOCH } as const;

export const addFlow = adder<FlowRow>("flows", {
  ...record,
  name: "etl",
  tags: "[]",
  labels: "{}",
});

export const addWorkPool = adder<WorkPoolRow>("work_pools", {
  ...record,
  name: "pool",
  description: null,
  type: "process",
  base_job_template: "{}",
  is_paused: false,
  concurrency_limit: null,
  storage_configuration: "{}",
  default_queue_id: null,
  status: null,
  status_event_id: null,
  status_changed: null,
});

export const addWorkQueue = adder<WorkQueueRow>("work_queues", {
  ...record,
  work_pool_id: "",
  name: "default",
  description: "",
  is_paused: false,
  concurrency_limit: null,
  priority: 1,
  last_polled: null,
  status: "NOT_READY",
  status_event_id: null,
  status_changed: null,
});

export const addDeployment = adder<DeploymentRow>("deployments", {
  ...record,
  name: "nightly",
  flow_id: "",
  version: null,
  description: null,
  paused: false,
  concurrency_limit_id: null,
  concurrency_options: null,
  job_variables: "{}",
  parameters: "{}",
  parameter_openapi_schema: "{}",
  enforce_parameter_schema: true,
  tags: "[]",
  labels: "{}",
  work_queue_id: null,
  path: null,
  entrypoint: null,
  pull_steps: null,
  storage_document_id: null,
  infrastructure_document_id: null,
  status: "NOT_READY",
  last_polled: null,
});

export const addSchedule = adder<ScheduleRow>("deployment_schedules", {
  ...record,
  deployment_id: "",
  schedule: '{"cron":"0 9 * * *"}',
  active: true,
  max_scheduled_runs: null,
  parameters: "{}",
  slug: null,
  catchup: "all",
  overlap: "allow",
  jitter_seconds: 0,
  filled_until: null,
  due: null,
});

export const addLimit = adder<ConcurrencyLimitRow>("concurrency_limits", {
  ...record,
  name: "limit",
  slot_limit: 1,
  active: true,
  slot_decay_per_second: 0,
  decaying_slots: 0,
  decaying_since: EPOCH,
  denied_slots: 0,
  denied_since: EPOCH,
  avg_slot_occupancy_seconds: 0,
  key: null,
});

const addLeaseRow = adder<ConcurrencyLeaseRow>("concurrency_leases", {
  created: EPOCH,
  expires: null,
  holder_type: "flow_run",
  holder_id: null,
});
const addSlotRow = adder<ConcurrencySlotRow>("concurrency_slots", {
  created: EPOCH,
  limit_id: "",
  lease_id: null,
  slots: 1,
  key_value: "",
});

/** A slot of a limit that a flow run holds. */
export async function addHeldSlot(
  api: TestApi,
  { limit_id, ...lease }: { readonly limit_id: string } & Fixture<ConcurrencyLeaseRow>,
): Promise<void> {
  const { id: lease_id } = await addLeaseRow(api, lease);
  await addSlotRow(api, { limit_id, lease_id });
}

/** What a run has from the state it is in. */
const inState = {
  state_id: null,
  state_type: "COMPLETED",
  state_name: "Completed",
  state_timestamp: EPOCH,
  state: null,
  run_count: 1,
  expected_start_time: EPOCH,
  next_scheduled_start_time: null,
  start_time: EPOCH,
  end_time: EPOCH,
  total_run_time: 0,
} as const;

const addFlowRunRow = adder<FlowRunRow>("flow_runs", {
  ...record,
  ...inState,
  name: "calm-otter",
  flow_id: "",
  deployment_id: null,
  deployment_version: null,
  work_queue_id: null,
  flow_version: null,
  parameters: "{}",
  idempotency_key: null,
  context: "{}",
  empirical_policy: "{}",
  retry_type: null,
  tags: "[]",
  labels: "{}",
  parent_task_run_id: null,
  effective_start_time: EPOCH,
  auto_scheduled: false,
  infrastructure_document_id: null,
  infrastructure_pid: null,
  created_by: null,
  created_by_id: null,
  created_by_type: null,
  job_variables: null,
  priority: 0,
  deadline: null,
});

/** A flow run; its name of the state and its effective start follow from the rest unless they are given. */
export async function addFlowRun(api: TestApi, given: Fixture<FlowRunRow>): Promise<FlowRunRow> {
  const { start_time = EPOCH, expected_start_time = EPOCH } = given;
  const effective_start_time = start_time ?? expected_start_time;
  return addFlowRunRow(api, { effective_start_time, ...named(given), ...given });
}

const addTaskRunRow = adder<TaskRunRow>("task_runs", {
  ...record,
  ...inState,
  name: "step-0",
  flow_run_id: null,
  task_key: "step",
  dynamic_key: "0",
  cache_key: null,
  cache_expiration: null,
  task_version: null,
  empirical_policy: "{}",
  tags: "[]",
  labels: "{}",
  task_inputs: "{}",
  flow_run_run_count: 0,
});

/** A task run; its key is its id unless it is given. */
export async function addTaskRun(
  api: TestApi,
  given: Fixture<TaskRunRow> = {},
): Promise<TaskRunRow> {
  const id = (given.id as string | undefined) ?? api.ctx.ids.uuid7();
  return addTaskRunRow(api, { id, dynamic_key: id, ...named(given), ...given });
}

function named({ state_type }: { readonly state_type?: unknown }): { state_name?: string } {
  if (typeof state_type !== "string") return {};
  return { state_name: `${state_type.charAt(0)}${state_type.slice(1).toLowerCase()}` };
}

interface StateFixture {
  readonly id?: string;
  readonly timestamp?: string;
  readonly type?: StateType;
  readonly name?: string;
}

const state = { timestamp: EPOCH, type: "COMPLETED", name: "Completed", state: "{}" } as const;
const addFlowRunStateRow = adder<FlowRunStateRow>("flow_run_states", { ...state, flow_run_id: "" });
const addTaskRunStateRow = adder<TaskRunStateRow>("task_run_states", { ...state, task_run_id: "" });

const stateOf = (
  api: TestApi,
  { id, timestamp = EPOCH, type = "COMPLETED", name }: StateFixture,
) => {
  const { state_name = "" } = named({ state_type: type });
  const known = { id: id ?? api.ctx.ids.uuid7(), type, name: name ?? state_name, timestamp };
  return { ...known, state: { ...known, message: null, data: null, state_details: {} } };
};

/** A state that a flow run has been in. */
export async function addFlowRunState(api: TestApi, flowRunId: string, given: StateFixture = {}) {
  return addFlowRunStateRow(api, { ...stateOf(api, given), flow_run_id: flowRunId });
}

/** A state that a task run has been in. */
export async function addTaskRunState(api: TestApi, taskRunId: string, given: StateFixture = {}) {
  return addTaskRunStateRow(api, { ...stateOf(api, given), task_run_id: taskRunId });
}
