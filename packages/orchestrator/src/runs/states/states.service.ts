import type { State } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { findState, listStates } from "./states.store.ts";

type Of = "flow run" | "task run";

export async function readState(
  ctx: OrchestratorContext,
  scope: Scope,
  { of, id }: { readonly of: Of; readonly id: string },
): Promise<JsonText<State>> {
  const state = await findState(ctx.db.in(scope.workspaceId), { of, id });
  if (state === null) throw new AppError("not_found", `State ${id} of a ${of} not found`);
  return state;
}

/** The states that a run has been in, the oldest first; none when there is no such run. */
export async function readStates(
  ctx: OrchestratorContext,
  scope: Scope,
  { of, runId }: { readonly of: Of; readonly runId: string },
): Promise<JsonText<State[]>> {
  return listStates(ctx.db.in(scope.workspaceId), { of, runId });
}
