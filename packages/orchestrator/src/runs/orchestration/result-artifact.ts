// The result that a state brings is an artifact of its run, too, written in the transaction of the
// state.

import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { collectionEvent } from "../../telemetry/artifacts/artifacts.events.ts";
import { resultContent } from "../../telemetry/artifacts/artifacts.rules.ts";
import { insertResultArtifact } from "../../telemetry/artifacts/artifacts.store.ts";
import { isUnpersisted, type RunState } from "./run-state.ts";

/** The run whose result it is: a task run also names the flow run it belongs to. */
interface Owner {
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

/**
 * Keeps the result, if the state brings one. What the result says about the artifact it becomes is
 * taken off it.
 */
export async function storeResultArtifact(
  ctx: Pick<OrchestratorContext, "ids" | "dialect">,
  tx: Transaction,
  { state, owner }: { readonly state: RunState; readonly owner: Owner },
): Promise<RunState> {
  const { data: result, timestamp: now } = state;
  if (result === null || isUnpersisted(result)) return state;
  const id = ctx.ids.uuid7();
  const collectionId = ctx.ids.uuid7();
  const artifact = { id, collectionId, now, result, ...owner };
  const change = await insertResultArtifact(tx, artifact);
  if (change !== null) await emitResourceEvent(ctx, tx, collectionEvent(change, now));
  return { ...state, data: resultContent(result).data };
}
