import type { FlowRunGraph, TaskRunDependencies } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { buildGraph, dependenciesOf } from "./graphs.rules.ts";
import {
  findRunTimes,
  listDependencyRows,
  listGraphArtifacts,
  listGraphRows,
  listGraphStates,
} from "./graphs.store.ts";

const MAX_NODES = 10_000;
const MAX_ARTIFACTS = 10_000;

/**
 * What ran inside a flow run and what waited for what; `since` leaves out what had ended before.
 */
export async function readGraph(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, since }: { readonly id: string; readonly since?: string | undefined },
): Promise<FlowRunGraph> {
  const queries = ctx.db.in(scope.workspaceId);
  const times = await findRunTimes(queries, id);
  if (times === null) throw notFound(id);
  const [rows, artifacts, states] = await Promise.all([
    since === undefined
      ? listGraphRows(queries, { id, since: "", limit: MAX_NODES + 1 })
      : listGraphRows(queries, { id, since, limit: 2 * MAX_NODES }),
    listGraphArtifacts(queries, { id, limit: MAX_ARTIFACTS }),
    listGraphStates(queries, id),
  ]);
  if (rows.filter((row) => row.has_ended === 0).length > MAX_NODES) throw tooLarge(id);
  return { ...times, ...buildGraph(rows, artifacts), states };
}

export async function readDependencies(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<TaskRunDependencies[]> {
  const queries = ctx.db.in(scope.workspaceId);
  if ((await findRunTimes(queries, id)) === null) throw notFound(id);
  const page = { flowRunId: id, limit: MAX_NODES + 1, now: ctx.clock.now() };
  const rows = await listDependencyRows(queries, page);
  if (rows.length > MAX_NODES) throw tooLarge(id);
  return rows.map(dependenciesOf);
}

const notFound = (id: string): AppError => new AppError("not_found", `Flow run ${id} not found`);

const tooLarge = (id: string): AppError =>
  new AppError("bad_request", `The graph of flow run ${id} has more than ${MAX_NODES} nodes`);
