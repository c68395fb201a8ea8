import type { State } from "@orchestrator/contract";
import type { JsonText, Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";

// States are kept as they go over the wire, so they are handed out without being looked into.

const flowRunState = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);
const taskRunState = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("task_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findState(
  queries: Queries,
  { of, id }: { readonly of: "flow run" | "task run"; readonly id: string },
): Promise<JsonText<State> | null> {
  const row = await queries.get(of === "flow run" ? flowRunState : taskRunState, { id });
  return row?.state ?? null;
}

/** There are few; this is only so that there is an end. */
const MAX_STATES = 10_000;

const statesOfFlowRun = statement<{ run_id: string }>()((db, p) =>
  db
    .selectFrom("flow_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.run_id)
    .orderBy("timestamp")
    .orderBy("id")
    .limit(sql.lit(MAX_STATES)),
);
const statesOfTaskRun = statement<{ run_id: string }>()((db, p) =>
  db
    .selectFrom("task_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("task_run_id", "=", p.run_id)
    .orderBy("timestamp")
    .orderBy("id")
    .limit(sql.lit(MAX_STATES)),
);

/** The states that a run has been in, the oldest first. */
export async function listStates(
  queries: Queries,
  { of, runId }: { readonly of: "flow run" | "task run"; readonly runId: string },
): Promise<JsonText<State[]>> {
  const statesOf = of === "flow run" ? statesOfFlowRun : statesOfTaskRun;
  const rows = await queries.all(statesOf, { run_id: runId });
  return `[${rows.map(({ state }) => state).join(",")}]`;
}

const LAST_STATES = 50;

const lastOfFlowRun = statement<{ run_id: string }>()((db, p) =>
  db
    .selectFrom("flow_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.run_id)
    .orderBy("timestamp", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(LAST_STATES)),
);
const lastOfTaskRun = statement<{ run_id: string }>()((db, p) =>
  db
    .selectFrom("task_run_states")
    .select("state")
    .where("workspace_id", "=", p.workspace_id)
    .where("task_run_id", "=", p.run_id)
    .orderBy("timestamp", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(LAST_STATES)),
);

/** The last states that a run has been in, the latest first. */
export async function listLastStates(
  queries: Queries,
  { of, runId }: { readonly of: "flow run" | "task run"; readonly runId: string },
): Promise<JsonText<State>[]> {
  const lastOf = of === "flow run" ? lastOfFlowRun : lastOfTaskRun;
  return (await queries.all(lastOf, { run_id: runId })).map(({ state }) => state);
}
