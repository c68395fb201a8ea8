// Runs and what belongs to them go a bounded number of rows at a time: what is below a run first,
// the run last, so that nothing is ever left that no run leads to.

import {
  type Dialect,
  idRows,
  idTable,
  listedIds,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { RUNS_AT_ONCE } from "../../db/in-batches.ts";
import { statement } from "../../db/tables.ts";

/** So many rows below runs go in one transaction. */
export const ROWS_AT_ONCE = 1000;

// Literals: planned for any number, a statement might as well read a whole table.
const ROWS = sql.lit(ROWS_AT_ONCE);
const ONE_TOO_MANY = sql.lit(ROWS_AT_ONCE + 1);
const TASK_RUNS = sql.lit(RUNS_AT_ONCE);

interface Listed {
  readonly ids: string;
}

/**
 * Rows of the tables in `from` that belong to those of the listed runs that are there. Tables that
 * are joined crosswise are read in the order they are named in, by the conditions.
 */
const below =
  (dialect: Dialect, p: Listed & { readonly workspace_id: string }) =>
  (select: string, from: string, where: string): RawBuilder<unknown> =>
    sql`select ${sql.raw(select)} from ${idTable(dialect, p.ids)} cross join flow_runs run cross join ${sql.raw(from)}
      where run.id = listed.id and run.workspace_id = ${p.workspace_id} and ${sql.raw(where)}`;

const LOGS = [
  "logs item",
  "item.workspace_id = run.workspace_id and item.flow_run_id = run.id",
] as const;
const TASKS = ["task_runs item", "item.flow_run_id = run.id"] as const;
const TASK_STATES = [
  "task_runs task cross join task_run_states item",
  "task.flow_run_id = run.id and item.workspace_id = run.workspace_id and item.task_run_id = task.id",
] as const;
const STATES = ["flow_run_states item", "item.flow_run_id = run.id"] as const;
const INPUTS = ["flow_run_inputs item", "item.flow_run_id = run.id"] as const;
const JOURNAL = ["journal_entries item", "item.flow_run_id = run.id"] as const;
const WAITS = ["flow_run_waits item", "item.flow_run_id = run.id"] as const;
/** Those with a key are found by it, whether or not there still is the run that made them. */
const ARTIFACTS = [
  "artifacts item",
  "item.workspace_id = run.workspace_id and item.flow_run_id = run.id and item.key is null",
] as const;

/** Runs that task runs are the parents of. */
const subflows = (p: { readonly workspace_id: string }, taskIds: RawBuilder<unknown>) =>
  sql`select child.id from (${taskIds}) parent cross join flow_runs child
    where child.parent_task_run_id = parent.id and child.workspace_id = ${p.workspace_id}`;

const count = statement<Listed>()((db, p, dialect) => {
  const rows = below(dialect, p);
  // Of more task runs than go at once it does not matter what they are the parents of.
  const tasks = sql`${rows("item.id", ...TASKS)} limit ${ONE_TOO_MANY}`;
  const counts = [LOGS, TASKS, TASK_STATES, STATES, INPUTS, JOURNAL, WAITS, ARTIFACTS].map(
    ([from, where]) =>
      sql`(select count(*) from (${rows("1", from, where)} limit ${ONE_TOO_MANY}) counted)`,
  );
  counts.push(sql`(select count(*) from (${subflows(p, tasks)} limit ${ONE_TOO_MANY}) counted)`);
  return db.selectNoFrom(sql<number>`${sql.join(counts, sql` + `)}`.as("count"));
});

/**
 * How many rows belong to runs, or have a parent that does; those of a kind are not counted any
 * further than is too many.
 */
export async function countBelow(tx: Transaction, ids: readonly string[]): Promise<number> {
  return (await tx.get(count, { ids: idRows(ids) }))?.count ?? 0;
}

const removeLogs = statement<Listed>()((db, p, dialect) =>
  db
    .deleteFrom("logs")
    .where("workspace_id", "=", p.workspace_id)
    .where(
      sql<boolean>`(timestamp, id) in (${below(dialect, p)("item.timestamp, item.id", ...LOGS)} limit ${ROWS})`,
    ),
);

const removeByKey = (
  table: "journal_entries" | "flow_run_waits",
  rows: readonly [string, string],
) =>
  statement<Listed>()((db, p, dialect) =>
    db
      .deleteFrom(table)
      .where("workspace_id", "=", p.workspace_id)
      .where(
        sql<boolean>`(flow_run_id, key) in (${below(dialect, p)("item.flow_run_id, item.key", ...rows)} limit ${ROWS})`,
      ),
  );
const removeJournal = removeByKey("journal_entries", JOURNAL);
const removeWaits = removeByKey("flow_run_waits", WAITS);

const removeOf = (
  table: "flow_run_states" | "flow_run_inputs" | "artifacts",
  rows: readonly [string, string],
) =>
  statement<Listed>()((db, p, dialect) =>
    db
      .deleteFrom(table)
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`id in (${below(dialect, p)("item.id", ...rows)} limit ${ROWS})`),
  );
const removeStates = removeOf("flow_run_states", STATES);
const removeInputs = removeOf("flow_run_inputs", INPUTS);
const removeArtifacts = removeOf("artifacts", ARTIFACTS);

const someTasks = statement<Listed>()((db, p, dialect) =>
  db
    .selectFrom(
      sql<{ id: string }>`(${below(dialect, p)("item.id", ...TASKS)} limit ${TASK_RUNS})`.as(
        "task",
      ),
    )
    .select("task.id"),
);

const removeTaskStates = statement<Listed>()((db, p, dialect) =>
  db
    .deleteFrom("task_run_states")
    .where("workspace_id", "=", p.workspace_id)
    .where(
      sql<boolean>`id in (select item.id from ${idTable(dialect, p.ids)} cross join task_run_states item
        where item.workspace_id = ${p.workspace_id} and item.task_run_id = listed.id limit ${ROWS})`,
    ),
);

type TaskIds = (
  dialect: Dialect,
  p: Listed & { readonly workspace_id: string },
) => RawBuilder<unknown>;

const orphanSome = (taskIds: TaskIds) =>
  statement<Listed>()((db, p, dialect) =>
    db
      .updateTable("flow_runs")
      .set({ parent_task_run_id: null })
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`id in (${subflows(p, taskIds(dialect, p))} limit ${ROWS})`),
  );
const orphanSomeOf = orphanSome((dialect, p) => listedIds(dialect, p.ids));
const orphanBelow = orphanSome((dialect, p) => below(dialect, p)("item.id", ...TASKS));

/**
 * Takes their parent from some of the runs that task runs stand for, and tells whether those were
 * all.
 */
export async function orphanSubflows(
  tx: Transaction,
  taskRunIds: readonly string[],
): Promise<boolean> {
  return (await tx.run(orphanSomeOf, { ids: idRows(taskRunIds) })) < ROWS_AT_ONCE;
}

const removeTasks = statement<Listed>()((db, p, dialect) =>
  db
    .deleteFrom("task_runs")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/**
 * Deletes some of what belongs to runs, at most about as many rows as go at once, and tells which
 * task runs.
 */
export async function removeSomeBelow(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly string[]> {
  const runs = { ids: idRows(ids) };
  let removed = await tx.run(removeLogs, runs);
  removed += await tx.run(removeArtifacts, runs);
  if (removed >= ROWS_AT_ONCE) return [];
  const tasks = await removeSomeTasks(tx, runs);
  removed += tasks.removed;
  if (removed < ROWS_AT_ONCE) removed += await tx.run(removeStates, runs);
  if (removed < ROWS_AT_ONCE) removed += await tx.run(removeJournal, runs);
  if (removed < ROWS_AT_ONCE) removed += await tx.run(removeWaits, runs);
  if (removed < ROWS_AT_ONCE) await tx.run(removeInputs, runs);
  return tasks.ids;
}

/** A task run goes when its states have gone, and no run names it as its parent any more. */
async function removeSomeTasks(
  tx: Transaction,
  runs: Listed,
): Promise<{ readonly ids: readonly string[]; readonly removed: number }> {
  const ids = (await tx.all(someTasks, runs)).map(({ id }) => id);
  if (ids.length === 0) return { ids, removed: 0 };
  const some = { ids: idRows(ids) };
  const states = await tx.run(removeTaskStates, some);
  if (states >= ROWS_AT_ONCE || !(await orphanSubflows(tx, ids)))
    return { ids: [], removed: ROWS_AT_ONCE };
  return { ids, removed: states + (await tx.run(removeTasks, some)) };
}

const removeRuns = statement<Listed>()((db, p, dialect) =>
  db
    .deleteFrom("flow_runs")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .returning(["id", "state_type", "work_queue_id", "deployment_id"]),
);

/** Deletes runs with the little that belongs to them, and tells which were there, and where. */
export async function removeRunRows(tx: Transaction, ids: readonly string[]) {
  const runs = { ids: idRows(ids) };
  await tx.run(removeLogs, runs);
  await tx.run(removeArtifacts, runs);
  await tx.run(orphanBelow, runs);
  return tx.all(removeRuns, runs);
}

type HolderType = "flow_run" | "task_run";

const holders = statement<Listed & { type: HolderType }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_leases")
    .select("holder_id as id")
    .where("workspace_id", "=", p.workspace_id)
    .where("holder_type", "=", p.type)
    .where("holder_id", "in", listedIds(dialect, p.ids)),
);

/** Those among runs, or task runs, that hold slots. */
export async function findRunsHoldingSlots(
  tx: Transaction,
  { type, ids }: { readonly type: HolderType; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const found = ids.length === 0 ? [] : await tx.all(holders, { type, ids: idRows(ids) });
  return new Set(found.flatMap(({ id }) => id ?? []));
}

const holdingTasks = statement<Listed>()((db, p, dialect) =>
  db
    .selectFrom(
      sql<{ id: string }>`(${below(dialect, p)(
        "item.id",
        `${TASKS[0]} cross join concurrency_leases lease`,
        `${TASKS[1]} and lease.workspace_id = item.workspace_id and lease.holder_id = item.id and lease.holder_type = 'task_run'`,
      )})`.as("task"),
    )
    .select("task.id")
    .distinct(),
);

/** Task runs of runs with little below them that hold slots. */
export async function findHoldingTasks(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await tx.all(holdingTasks, { ids: idRows(ids) })).map(({ id }) => id);
}

const limits = statement<Listed>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(["id", "concurrency_limit_id"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .where("concurrency_limit_id", "is not", null),
);

/** Deployment → its limit, of those that have one. */
export async function findDeploymentLimits(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await tx.all(limits, { ids: idRows(ids) });
  return new Map(rows.map(({ id, concurrency_limit_id }) => [id, concurrency_limit_id ?? ""]));
}

const ofFlow = statement<{ flow_id: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_id", "=", p.flow_id)
    .orderBy("expected_start_time")
    .limit(p.limit),
);

/** Some of the runs of a flow. */
export async function someRunsOfFlow(
  tx: Transaction,
  request: { readonly flow_id: string; readonly limit: number },
): Promise<string[]> {
  return (await tx.all(ofFlow, request)).map(({ id }) => id);
}
