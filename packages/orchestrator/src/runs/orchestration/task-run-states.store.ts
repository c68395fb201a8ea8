import { pick, type Transaction } from "@orchestrator/kernel/storage";
import {
  TASK_RUN_CACHE,
  TASK_RUN_STATES,
  type TaskRunCacheRow,
  type TaskRunRow,
  type TaskRunStateRow,
} from "../../db/tables/task-runs.table.ts";
import { lockedRow, statement } from "../../db/tables.ts";
import { formsOf, runKey } from "../../texts/run-texts.ts";

/** What the rules of a task run need of it. */
const LOCKED = [
  "id",
  "flow_run_id",
  "tags",
  "empirical_policy",
  "state",
  "state_type",
  "state_timestamp",
  "run_count",
  "flow_run_run_count",
  "expected_start_time",
  "next_scheduled_start_time",
  "start_time",
  "end_time",
  "total_run_time",
] as const;
export type LockedTaskRun = Pick<TaskRunRow, (typeof LOCKED)[number]>;

/** What a task run needs to know of the flow run it belongs to. */
export interface ParentFlowRun {
  readonly state: string | null;
  readonly run_count: number;
}

const lockedTaskRun = lockedRow<{ id: string }>()((db, p) =>
  db
    .selectFrom("task_runs")
    .select(LOCKED)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function lockTaskRun(tx: Transaction, id: string): Promise<LockedTaskRun | null> {
  return (await tx.lockRow(lockedTaskRun, { id })) ?? null;
}

const selectParent = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["state", "run_count"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findParentFlowRun(
  tx: Transaction,
  flowRunId: string | null,
): Promise<ParentFlowRun | null> {
  return flowRunId === null ? null : ((await tx.get(selectParent, { id: flowRunId })) ?? null);
}

const insertState = statement<TaskRunStateRow>()((db, p) =>
  db
    .insertInto("task_run_states")
    .values(TASK_RUN_STATES.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing()),
);

export async function insertTaskRunState(tx: Transaction, row: TaskRunStateRow): Promise<void> {
  tx.enqueue(insertState, row);
}

/** What a transition changes in the run's row. */
const ENTERED = [
  "updated",
  "state_id",
  "state_type",
  "state_name",
  "state_timestamp",
  "state",
  "run_count",
  "flow_run_run_count",
  "expected_start_time",
  "next_scheduled_start_time",
  "start_time",
  "end_time",
  "total_run_time",
] as const;
export type TaskRunChange = Pick<TaskRunRow, "id" | (typeof ENTERED)[number]>;

const update = statement<TaskRunChange>()((db, p) =>
  db
    .updateTable("task_runs")
    .set(pick(p, ENTERED))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateTaskRunState(tx: Transaction, change: TaskRunChange): Promise<void> {
  tx.enqueue(update, change);
}

const insertCache = statement<TaskRunCacheRow>()((db, p) =>
  db.insertInto("task_run_cache").values(TASK_RUN_CACHE.values(p)),
);

export async function insertCachedState(tx: Transaction, row: TaskRunCacheRow): Promise<void> {
  tx.enqueue(insertCache, { ...row, cache_key: runKey(row.cache_key) });
}

const selectCached = statement<{ cache_key: string; now: string }>()((db, p) =>
  db
    .selectFrom("task_run_cache")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("cache_key", "=", p.cache_key)
    .where((eb) => eb.or([eb("expiration", "is", null), eb("expiration", ">", p.now)]))
    .orderBy("id", "desc")
    .limit(1),
);

const selectState = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("task_run_states")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** False when its run was deleted. */
export async function isStateStored(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.get(selectState, { id })) !== undefined;
}

const keyForms = formsOf(runKey);

/** The newest state that was remembered under the key and has not expired. */
export async function findCachedState(
  tx: Transaction,
  { cache_key, now }: { readonly cache_key: string; readonly now: string },
): Promise<string | null> {
  for (const form of keyForms(cache_key)) {
    const found = await tx.get(selectCached, { cache_key: form, now });
    if (found !== undefined) return found.state;
  }
  return null;
}
