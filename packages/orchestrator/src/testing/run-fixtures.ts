// Rows put straight into the database, in any state and at any time, for tests that only read them.

import type { StateType } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import {
  CONCURRENCY_LEASES,
  CONCURRENCY_LIMITS,
  CONCURRENCY_SLOTS,
  type ConcurrencyLeaseRow,
} from "../db/tables/concurrency-limits.table.ts";
import { DEPLOYMENTS, SCHEDULES } from "../db/tables/deployments.table.ts";
import { FLOW_RUN_STATES, FLOW_RUNS, type FlowRunRow } from "../db/tables/flow-runs.table.ts";
import { FLOWS } from "../db/tables/flows.table.ts";
import { TASK_RUN_STATES, TASK_RUNS, type TaskRunRow } from "../db/tables/task-runs.table.ts";
import { WORK_POOLS } from "../db/tables/work-pools.table.ts";
import { WORK_QUEUES } from "../db/tables/work-queues.table.ts";
import { statement } from "../db/tables.ts";
import type { TestApi } from "./test-api.ts";

/** When rows were made that do not say otherwise. */
const EPOCH = "2026-01-01T00:00:00.000000Z";
const WORKSPACE = openScope("fixtures").workspaceId;

/** What a column holds in a row of which nothing is said. */
const BLANK = {
  id: "",
  text: "",
  time: EPOCH,
  json: "{}",
  tags: "[]",
  flag: false,
  integer: 0,
  real: 0,
} as const;

interface Described<Row> {
  readonly name: string;
  readonly kinds: Readonly<Record<keyof Row, keyof typeof BLANK>>;
  readonly newRow: (given: Row) => Row;
  readonly values: (p: Row & { readonly workspace_id: string }) => object;
}

/**
 * Adds rows to a table: each is what the description of the table says of a new row, the defaults,
 * an id, and what the test gives. Lists and objects become JSON text. Returns the row, so that
 * others can refer to it.
 */
function adder<Row extends { readonly id: string }>(
  table: Described<Row>,
  defaults: Partial<Row> = {},
) {
  const kinds = Object.entries<keyof typeof BLANK>(table.kinds);
  const blank = {
    ...Object.fromEntries(kinds.map(([column, kind]) => [column, BLANK[kind]])),
    ...table.newRow({} as Row),
  };
  const insert = statement<Row>()((db, p) =>
    // A list of columns is more than the builder's types can follow.
    db.insertInto(table.name as "flows").values(table.values(p as never) as never),
  );
  return async (api: TestApi, given: Fixture<Row> = {}): Promise<Row> => {
    const row = { ...blank, ...defaults, id: api.ctx.ids.uuid7(), ...withTexts(given) } as Row;
    await api.ctx.db.write(WORKSPACE, (tx) => tx.run(insert, row));
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

export const addFlow = adder(FLOWS, { name: "etl" });

export const addWorkPool = adder(WORK_POOLS, { name: "pool", type: "process" });

export const addWorkQueue = adder(WORK_QUEUES, {
  name: "default",
  priority: 1,
  status: "NOT_READY",
});

export const addDeployment = adder(DEPLOYMENTS, { name: "nightly" });

export const addSchedule = adder(SCHEDULES, {
  schedule: '{"cron":"0 9 * * *"}',
  active: true,
  catchup: "all",
  overlap: "allow",
});

export const addLimit = adder(CONCURRENCY_LIMITS, { name: "limit", slot_limit: 1, active: true });

const addLeaseRow = adder(CONCURRENCY_LEASES, { holder_type: "flow_run" });
const addSlotRow = adder(CONCURRENCY_SLOTS, { slots: 1 });

/** A slot of a limit that a flow run holds. */
export async function addTakenSlot(
  api: TestApi,
  { limit_id, ...lease }: { readonly limit_id: string } & Fixture<ConcurrencyLeaseRow>,
): Promise<void> {
  const { id: lease_id } = await addLeaseRow(api, lease);
  await addSlotRow(api, { limit_id, lease_id });
}

/** What a run has from the state it is in. */
const inState = {
  state_type: "COMPLETED",
  state_name: "Completed",
  state_timestamp: EPOCH,
  run_count: 1,
  expected_start_time: EPOCH,
  start_time: EPOCH,
  end_time: EPOCH,
} as const;

const addFlowRunRow = adder(FLOW_RUNS, {
  ...inState,
  name: "calm-otter",
  effective_start_time: EPOCH,
});

/**
 * A flow run; its name of the state and its effective start follow from the rest unless they are
 * given.
 */
export async function addFlowRun(api: TestApi, given: Fixture<FlowRunRow>): Promise<FlowRunRow> {
  const { start_time = EPOCH, expected_start_time = EPOCH } = given;
  const effective_start_time = start_time ?? expected_start_time;
  return addFlowRunRow(api, { effective_start_time, ...named(given), ...given });
}

const addTaskRunRow = adder(TASK_RUNS, {
  ...inState,
  name: "step-0",
  task_key: "step",
  dynamic_key: "0",
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

const completed = { type: "COMPLETED", name: "Completed" } as const;
const addFlowRunStateRow = adder(FLOW_RUN_STATES, completed);
const addTaskRunStateRow = adder(TASK_RUN_STATES, completed);

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
