// Figures for rows of a table, by the ids that the table shows.

import type { NextRun, StateType, TaskRunInContext } from "@orchestrator/contract";
import {
  type Fields,
  idRows,
  type JsonText,
  listedIds,
  type Queries,
  recordSql,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { TASK_RUNS } from "../db/tables/task-runs.table.ts";
import { statement } from "../db/tables.ts";

/** A task run that stands for a subflow is not counted: the subflow is a run of its own. */
const taskRuns = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("task_runs")
    .select((e) => ["flow_run_id as id", e.fn.countAll<number>().as("count")])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "in", listedIds(dialect, p.ids))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("flow_runs")
            .select("flow_runs.id")
            .whereRef("flow_runs.workspace_id", "=", "task_runs.workspace_id")
            .whereRef("flow_runs.parent_task_run_id", "=", "task_runs.id"),
        ),
      ),
    )
    .groupBy("flow_run_id"),
);

export async function countTaskRunsOf(
  queries: Queries,
  flowRunIds: readonly string[],
): Promise<{ readonly id: string | null; readonly count: number }[]> {
  return queries.all(taskRuns, { ids: idRows(flowRunIds) });
}

const deployments = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select((e) => ["flow_id as id", e.fn.countAll<number>().as("count")])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_id", "in", listedIds(dialect, p.ids))
    .groupBy("flow_id"),
);

export async function countDeploymentsOf(
  queries: Queries,
  flowIds: readonly string[],
): Promise<{ readonly id: string; readonly count: number }[]> {
  return queries.all(deployments, { ids: idRows(flowIds) });
}

const nextRuns = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom((query) =>
      query
        .selectFrom("flow_runs")
        .select([
          "id",
          "flow_id",
          "name",
          "state_name",
          "state_type",
          "next_scheduled_start_time",
          sql<number>`row_number() over (partition by flow_id order by next_scheduled_start_time, id)`.as(
            "place",
          ),
        ])
        .where("workspace_id", "=", p.workspace_id)
        .where("state_type", "=", sql.lit<StateType>("SCHEDULED"))
        .where("next_scheduled_start_time", "is not", null)
        .where("flow_id", "in", listedIds(dialect, p.ids))
        .as("waiting"),
    )
    .select(["id", "flow_id", "name", "state_name", "state_type", "next_scheduled_start_time"])
    .where("place", "=", sql.lit(1)),
);

/** The scheduled run of each flow that is due first. */
export async function findNextRuns(
  queries: Queries,
  flowIds: readonly string[],
): Promise<NextRun[]> {
  return (await queries.all(nextRuns, { ids: idRows(flowIds) })) as NextRun[];
}

const IN_CONTEXT: Fields = {
  ...TASK_RUNS.fields,
  flow_run_name: {
    kind: "text",
    expression: ({ text }) =>
      text("select flow_runs.name from flow_runs where flow_runs.id = $.flow_run_id"),
  },
};

const taskRun = statement<{ id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("task_runs")
    .select(recordSql(dialect, { fields: IN_CONTEXT, table: "task_runs", now: p.now }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** A task run with the name of its flow run. */
export async function findTaskRunInContext(
  queries: Queries,
  key: { readonly id: string; readonly now: string },
): Promise<JsonText<TaskRunInContext> | null> {
  return (await queries.get(taskRun, key))?.json ?? null;
}
