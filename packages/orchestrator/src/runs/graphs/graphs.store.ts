import type { FlowRunGraph, StateType } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { listJson } from "@orchestrator/kernel/lists";
import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { TASK_RUNS } from "../../db/tables/task-runs.table.ts";
import { statement } from "../../db/tables.ts";
import { TASK_RUN_LIST } from "../../lists/task-runs.filter.ts";
import type { DependencyRow, GraphRow, PlacedArtifact } from "./graphs.rules.ts";

const run = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["effective_start_time as start_time", "end_time"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findRunTimes(
  queries: Queries,
  id: string,
): Promise<Pick<FlowRunGraph, "start_time" | "end_time"> | null> {
  return (await queries.get(run, { id })) ?? null;
}

// A task that completed without ever ending took no time at all. What had ended before is read as
// well, for its edges; of more than can be read, what ended last.
const nodes = statement<{ id: string; since: string; limit: number }>()((db, p) =>
  db
    .selectFrom((some) =>
      some
        .selectFrom((query) =>
          query
            .selectFrom("task_runs")
            .leftJoin("flow_runs", (join) =>
              join
                .onRef("flow_runs.workspace_id", "=", "task_runs.workspace_id")
                .onRef("flow_runs.parent_task_run_id", "=", "task_runs.id"),
            )
            .leftJoin("flows", "flows.id", "flow_runs.flow_id")
            .select([
              "task_runs.id as task_run_id",
              "task_runs.task_inputs",
              sql<
                GraphRow["kind"]
              >`case when flow_runs.id is null then 'task-run' else 'flow-run' end`.as("kind"),
              sql<string>`coalesce(flow_runs.id, task_runs.id)`.as("id"),
              sql<string>`coalesce(flows.name || ' / ' || flow_runs.name, task_runs.name)`.as(
                "label",
              ),
              sql<StateType>`coalesce(flow_runs.state_type, task_runs.state_type)`.as("state_type"),
              sql<string>`coalesce(flow_runs.effective_start_time, task_runs.start_time, task_runs.expected_start_time)`.as(
                "start_time",
              ),
              sql<
                string | null
              >`coalesce(flow_runs.end_time, task_runs.end_time, case when task_runs.state_type = 'COMPLETED' then task_runs.expected_start_time end)`.as(
                "end_time",
              ),
            ])
            .where("task_runs.workspace_id", "=", p.workspace_id)
            .where("task_runs.flow_run_id", "=", p.id)
            .where("task_runs.state_type", "is not", null)
            .as("node"),
        )
        .selectAll()
        .select(sql<number>`case when end_time < ${p.since} then 1 else 0 end`.as("has_ended"))
        .where("start_time", "is not", null)
        .orderBy("has_ended")
        .orderBy("end_time", "desc")
        .limit(p.limit)
        .as("some"),
    )
    .selectAll()
    .orderBy("start_time")
    .orderBy("end_time", (order) => order.asc().nullsLast())
    .orderBy("id"),
);

export async function listGraphRows(
  queries: Queries,
  request: { readonly id: string; readonly since: string; readonly limit: number },
): Promise<GraphRow[]> {
  return queries.all(nodes, request);
}

const artifacts = statement<{ id: string; limit: number }>()((db, p) =>
  db
    .selectFrom("artifacts")
    .leftJoin("artifact_collections", (join) =>
      join
        .onRef("artifact_collections.workspace_id", "=", "artifacts.workspace_id")
        .onRef("artifact_collections.key", "=", "artifacts.key"),
    )
    .select([
      "artifacts.id",
      "artifacts.created",
      "artifacts.key",
      "artifacts.type",
      "artifacts.task_run_id",
      "artifact_collections.latest_id",
      sql<string | null>`case when artifacts.type = 'progress' then artifacts.data end`.as("data"),
    ])
    .where("artifacts.workspace_id", "=", p.workspace_id)
    .where("artifacts.flow_run_id", "=", p.id)
    .where("artifacts.type", "<>", sql.lit("result"))
    .orderBy("artifacts.created")
    .orderBy("artifacts.id")
    .limit(p.limit),
);

/** The artifacts of the run and of its task runs, the oldest first; results are not among them. */
export async function listGraphArtifacts(
  queries: Queries,
  request: { readonly id: string; readonly limit: number },
): Promise<PlacedArtifact[]> {
  const rows = await queries.all(artifacts, request);
  return rows.map(({ latest_id, data, ...artifact }) => ({
    ...artifact,
    is_latest: artifact.key === null || latest_id === artifact.id,
    data: data === null ? null : (readJson(data) as PlacedArtifact["data"]),
  }));
}

/** There are few; this is only so that there is an end. */
const MAX_STATES = 10_000;

const states = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_run_states")
    .select(["id", "timestamp", "type", "name"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.id)
    .orderBy("timestamp")
    .orderBy("id")
    .limit(sql.lit(MAX_STATES)),
);

export async function listGraphStates(
  queries: Queries,
  id: string,
): Promise<FlowRunGraph["states"]> {
  return queries.all(states, { id });
}

const { id, name, task_inputs, state, expected_start_time, start_time, end_time } =
  TASK_RUNS.fields;
const { total_run_time, estimated_run_time } = TASK_RUNS.fields;
const DEPENDENCY_LIST = {
  ...TASK_RUN_LIST,
  fields: {
    id,
    name,
    task_inputs,
    state,
    expected_start_time,
    start_time,
    end_time,
    total_run_time,
    estimated_run_time,
  },
} as const;

export async function listDependencyRows(
  queries: Queries,
  {
    flowRunId,
    ...page
  }: { readonly flowRunId: string; readonly limit: number; readonly now: string },
): Promise<DependencyRow[]> {
  const json = await listJson<DependencyRow>(queries, DEPENDENCY_LIST, {
    filter: { flow_run_id: { any_: [flowRunId] } },
    sort: "EXPECTED_START_TIME_ASC",
    offset: 0,
    ...page,
  });
  return JSON.parse(json) as DependencyRow[];
}
