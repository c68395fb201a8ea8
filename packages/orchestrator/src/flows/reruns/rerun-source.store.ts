// What a run is made from that goes on behind results of another one.

import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

const original = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select([
      "id",
      "name",
      "deployment_id",
      "parent_task_run_id",
      "parameters",
      "tags",
      "labels",
      "job_variables",
      "empirical_policy",
      "priority",
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export type OriginalRun = NonNullable<Awaited<ReturnType<typeof findOriginalRun>>>;

export async function findOriginalRun(queries: Queries, id: string) {
  return (await queries.get(original, { id })) ?? null;
}

const taskRun = statement<{ id: string; flow_run_id: string }>()((db, p) =>
  db
    .selectFrom("task_runs")
    .select(["name", "start_time", "end_time"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("id", "=", p.id),
);

/** When a task run of a flow run began and ended; null where the flow run has no such task run. */
export async function findTaskTimes(
  queries: Queries,
  key: { readonly id: string; readonly flow_run_id: string },
) {
  return (await queries.get(taskRun, key)) ?? null;
}
