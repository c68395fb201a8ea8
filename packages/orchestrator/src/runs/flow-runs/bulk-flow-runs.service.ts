import type { OrchestrationResult, StateCreate } from "@orchestrator/contract";
import { listIds } from "@orchestrator/kernel/lists";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches } from "../../db/in-batches.ts";
import { FLOW_RUN_LIST } from "../../lists/flow-runs.filter.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { removeRuns } from "./run-removal.service.ts";

type Filter = { readonly [key: string]: unknown };

interface Selected {
  readonly flow_runs?: Filter;
  readonly limit?: number;
}

const MAX_BULK = 50;

/**
 * Proposes the state for each run in a transaction of its own, so that one refusal stops no other,
 * nor one that is deleted meanwhile.
 */
export async function bulkSetFlowRunState(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    state,
    force,
    ...selected
  }: Selected & { readonly state: StateCreate; readonly force?: boolean },
): Promise<{ results: (OrchestrationResult & { flow_run_id: string })[] }> {
  const results: (OrchestrationResult & { flow_run_id: string })[] = [];
  for (const id of await selectedIds(ctx, scope, selected)) {
    const result = await setFlowRunState(ctx, scope, { id, state, force }).catch(nullIfDeleted);
    if (result !== null) results.push({ flow_run_id: id, ...result });
  }
  return { results };
}

/** Deletes each run for itself. */
export async function bulkDeleteFlowRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  selected: Selected,
): Promise<{ deleted: string[] }> {
  const deleted: string[] = [];
  for (const id of await selectedIds(ctx, scope, selected)) {
    const removed = await inBatches(ctx.db, scope.workspaceId, (tx) => removeRuns(ctx, tx, [id]));
    if (removed > 0) deleted.push(id);
  }
  return { deleted };
}

function nullIfDeleted(error: unknown): null {
  if (isAppError(error, "not_found")) return null;
  throw error;
}

async function selectedIds(
  ctx: OrchestratorContext,
  scope: Scope,
  { flow_runs: filter, limit = MAX_BULK }: Selected,
): Promise<string[]> {
  return listIds(ctx.db.in(scope.workspaceId), FLOW_RUN_LIST, { filter, limit });
}
