import type { TaskRun } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { TASK_RUNS, type TaskRunRow } from "../../db/tables/task-runs.table.ts";
import { statement } from "../../db/tables.ts";
import { taskKey } from "../../texts/run-texts.ts";
import { ROWS_AT_ONCE } from "../flow-runs/run-removal.store.ts";

const insert = statement<TaskRunRow>()((db, p) =>
  db
    .insertInto("task_runs")
    .values(TASK_RUNS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);

/** Tells whether there was none with the id or the keys. */
export async function insertTaskRunRow(tx: Transaction, row: TaskRunRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const record = statement<{ id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("task_runs")
    .select(
      recordSql(dialect, { fields: TASK_RUNS.fields, table: "task_runs", now: p.now }).as("json"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findTaskRun(
  queries: Queries,
  key: { readonly id: string; readonly now: string },
): Promise<JsonText<TaskRun> | null> {
  return (await queries.get(record, key))?.json ?? null;
}

/** What makes a task run the same one when it is made again. */
export interface TaskRunKeys {
  readonly flow_run_id: string;
  readonly task_key: string;
  readonly dynamic_key: string;
}

const idByKeys = statement<TaskRunKeys>()((db, p) =>
  db
    .selectFrom("task_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("task_key", "=", p.task_key)
    .where("dynamic_key", "=", p.dynamic_key),
);

export async function findTaskRunByKeys(
  tx: Transaction,
  keys: TaskRunKeys,
): Promise<string | null> {
  const { flow_run_id, ...given } = keys;
  const cut = { task_key: taskKey(given.task_key), dynamic_key: taskKey(given.dynamic_key) };
  const isCut = cut.task_key !== given.task_key || cut.dynamic_key !== given.dynamic_key;
  // As `formsOf` says it, but both keys are in the same form.
  const found =
    (await tx.get(idByKeys, { flow_run_id, ...cut })) ??
    (isCut ? await tx.get(idByKeys, keys) : undefined);
  return found?.id ?? null;
}

const rename = statement<{ id: string; updated: string; name: string }>()((db, p) =>
  db
    .updateTable("task_runs")
    .set((e) => ({
      updated: e.case().when("name", "=", p.name).then(e.ref("updated")).else(p.updated).end(),
      name: p.name,
    }))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function renameTaskRunRow(
  tx: Transaction,
  change: { readonly id: string; readonly updated: string; readonly name: string },
): Promise<boolean> {
  return (await tx.run(rename, change)) === 1;
}

// A literal: planned for any number, the statement might as well read a whole table.
const LOGS = sql.lit(ROWS_AT_ONCE);

const removeLogs = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("logs")
    .where("workspace_id", "=", p.workspace_id)
    .where(
      sql<boolean>`(timestamp, id) in (select item.timestamp, item.id from task_runs task cross join logs item
        where task.workspace_id = ${p.workspace_id} and task.id = ${p.id}
          and item.workspace_id = ${p.workspace_id} and item.task_run_id = ${p.id} limit ${LOGS})`,
    ),
);

/** Deletes some of the log of a task run that is there, and tells whether that was all. */
export async function removeLogsOfTask(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(removeLogs, { id })) < ROWS_AT_ONCE;
}

const deleteTaskRunRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("task_runs").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Deletes the task run with its states. */
export async function removeTaskRunRow(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(deleteTaskRunRow, { id })) === 1;
}

const flowRunLabels = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("labels")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** The labels of the flow run; null when there is no such run. */
export async function findFlowRunLabels(tx: Transaction, id: string): Promise<string | null> {
  return (await tx.get(flowRunLabels, { id }))?.labels ?? null;
}
