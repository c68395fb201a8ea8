import {
  type ConfirmedVersion,
  isAsRead,
  pick,
  type Queries,
  rowInsert,
  type Statement,
  type Transaction,
} from "@orchestrator/kernel/storage";
import type { Kysely, Selectable } from "kysely";
import {
  FLOW_RUN_STATES,
  type FlowRunRow,
  type FlowRunStateRow,
} from "../../db/tables/flow-runs.table.ts";
import { lockedRow, statement, type Tables } from "../../db/tables.ts";

type FlowRun = Readonly<Selectable<Tables["flow_runs"]>>;

/** What the rules and the event of a transition need of a run. */
const LOCKED = [
  "id",
  "name",
  "flow_id",
  "deployment_id",
  "work_queue_id",
  "parent_task_run_id",
  "tags",
  "empirical_policy",
  "state",
  "state_type",
  "state_timestamp",
  "run_count",
  "expected_start_time",
  "next_scheduled_start_time",
  "start_time",
  "effective_start_time",
  "end_time",
  "total_run_time",
  "infrastructure_pid",
  "created_by",
  "deadline",
  "silence_seconds",
  "labels",
  "earlier_transitions",
  "concurrency_key",
] as const;
export type LockedFlowRun = Pick<FlowRun, (typeof LOCKED)[number]>;

const flowRunById = (
  db: Pick<Kysely<Tables>, "selectFrom">,
  p: { readonly workspace_id: string; readonly id: string },
) => db.selectFrom("flow_runs").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id);

const lockedFlowRun = lockedRow<{ id: string }>()((db, p) => flowRunById(db, p).select(LOCKED));

/**
 * Locks the run until the commit: the second of two concurrent proposals sees what the first did.
 */
export async function lockFlowRun(tx: Transaction, id: string): Promise<LockedFlowRun | null> {
  return (await tx.lockRow(lockedFlowRun, { id })) ?? null;
}

/** What every transition changes in the run's row. */
const ENTERED = [
  "updated",
  "state_id",
  "state_type",
  "state_name",
  "state_timestamp",
  "state",
  "run_count",
  "total_run_time",
] as const;

/**
 * Columns that mostly stay as they are. An engine goes through every index on a column that is set,
 * be it to the same value.
 */
const RARE_CHANGES = {
  empirical_policy: ["empirical_policy", "retry_type"],
  expected_start_time: ["expected_start_time"],
  next_scheduled_start_time: ["next_scheduled_start_time"],
  start_time: ["start_time"],
  effective_start_time: ["effective_start_time"],
  end_time: ["end_time"],
  deadline: ["deadline"],
  infrastructure_pid: ["infrastructure_pid"],
  silence_seconds: ["silence_seconds"],
  labels: ["labels"],
  earlier_transitions: ["earlier_transitions"],
} as const;
type RareChange = keyof typeof RARE_CHANGES;
const RARE = Object.keys(RARE_CHANGES) as RareChange[];

export type FlowRunChange = Pick<FlowRun, "id" | (typeof RARE_CHANGES)[RareChange][number]> & {
  readonly [Column in (typeof ENTERED)[number]]: NonNullable<FlowRun[Column]>;
};

const insertStates = rowInsert<FlowRunStateRow, object>({
  table: "flow_run_states",
  columns: FLOW_RUN_STATES.kinds,
  shared: {},
  skipsKnown: false,
});

export function insertFlowRunState(tx: Transaction, row: FlowRunStateRow): void {
  insertStates(tx, {}, [row]);
}

export function insertFlowRunStates(tx: Transaction, rows: readonly FlowRunStateRow[]): void {
  insertStates(tx, {}, rows);
}

type Update = Statement<FlowRunChange & ConfirmedVersion, unknown>;
const updates = new Map<number, Update>();

/** The statement that sets what always changes, and of the rest what the bits of `changed` say. */
function updateOf(changed: number): Update {
  const known = updates.get(changed);
  if (known !== undefined) return known;
  const rare = RARE.filter((_, bit) => (changed & (1 << bit)) !== 0);
  const columns = rare.flatMap((name): readonly (keyof FlowRunChange)[] => RARE_CHANGES[name]);
  const update = statement<FlowRunChange & ConfirmedVersion>()((db, p, { locksRows }) =>
    db
      .updateTable("flow_runs")
      .set(pick(p, [...ENTERED, ...columns]))
      .where("workspace_id", "=", p.workspace_id)
      .where("id", "=", p.id)
      .$if(locksRows, (changing) => changing.where(isAsRead(flowRunById(db, p), p.row_version))),
  );
  updates.set(changed, update);
  return update;
}

/** Writes the state that a run enters, and what that has changed in the run as it was locked. */
export function enterFlowRunState(
  tx: Transaction,
  run: LockedFlowRun,
  change: FlowRunChange,
): void {
  let changed = 0;
  for (let bit = 0; bit < RARE.length; bit += 1) {
    const name = RARE[bit] as RareChange;
    if (run[name] !== change[name]) changed |= 1 << bit;
  }
  insertFlowRunState(tx, {
    id: change.state_id,
    flow_run_id: change.id,
    timestamp: change.state_timestamp,
    type: change.state_type,
    name: change.state_name,
    state: change.state,
  });
  tx.updateLocked(run, updateOf(changed), change);
}

const selectSurroundings = statement<{
  flow_id: string;
  deployment_id: string | null;
  work_queue_id: string | null;
  parent_task_run_id: string | null;
}>()((db, p) =>
  db
    .selectFrom("flows")
    .leftJoin("deployments", (join) =>
      join
        .on("deployments.id", "=", p.deployment_id)
        .on("deployments.workspace_id", "=", p.workspace_id),
    )
    .leftJoin("work_queues", (join) =>
      join
        .on("work_queues.id", "=", p.work_queue_id)
        .on("work_queues.workspace_id", "=", p.workspace_id),
    )
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .leftJoin("task_runs", (join) =>
      join
        .on("task_runs.id", "=", p.parent_task_run_id)
        .on("task_runs.workspace_id", "=", p.workspace_id),
    )
    .select([
      "flows.name as flow_name",
      "flows.tags as flow_tags",
      "deployments.id as deployment_id",
      "deployments.name as deployment_name",
      "deployments.tags as deployment_tags",
      "work_queues.id as work_queue_id",
      "work_queues.name as work_queue_name",
      "work_pools.id as work_pool_id",
      "work_pools.name as work_pool_name",
      "work_pools.type as work_pool_type",
      "task_runs.id as task_run_id",
      "task_runs.name as task_run_name",
      "task_runs.tags as task_run_tags",
    ])
    .where("flows.workspace_id", "=", p.workspace_id)
    .where("flows.id", "=", p.flow_id),
);

/** The names and tags of what a run belongs to. */
export type RunRelations = NonNullable<Awaited<ReturnType<typeof findRunRelations>>>;

export async function findRunRelations(
  queries: Queries,
  run: Pick<FlowRunRow, "flow_id" | "deployment_id" | "work_queue_id" | "parent_task_run_id">,
) {
  const { flow_id, deployment_id, work_queue_id, parent_task_run_id } = run;
  return (
    (await queries.get(selectSurroundings, {
      flow_id,
      deployment_id,
      work_queue_id,
      parent_task_run_id,
    })) ?? null
  );
}
