import type { Flow, FlowCreate, FlowUpdate } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { listIds } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import { inBatches, MORE, RUNS_AT_ONCE } from "../db/in-batches.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { deleteLimit } from "../limits/deployment-limit.service.ts";
import { FLOW_LIST } from "../lists/flows.filter.ts";
import { removeRuns } from "../runs/flow-runs/run-removal.service.ts";
import { someRunsOfFlow } from "../runs/flow-runs/run-removal.store.ts";
import { flowEvent } from "./flows.events.ts";
import {
  type FlowKey,
  findFlow,
  findOwnLimits,
  insertFlow,
  lockFlow,
  removeFlow,
  setFlowTags,
} from "./flows.store.ts";

type FlowSelection = Parameters<typeof listIds>[2];

/** The flow of that name, made when there is none yet. One that is there stays as it is. */
export async function ensureFlow(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, tags, labels }: FlowCreate,
): Promise<{ readonly flow: JsonText<Flow>; readonly isNew: boolean }> {
  const known = await findFlow(ctx.db.in(scope.workspaceId), { name });
  if (known !== null) return { flow: known, isNew: false };
  const now = ctx.clock.now();
  const flow: Flow = {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    name,
    tags: tags ?? [],
    labels: labels ?? {},
  };
  const row = { ...flow, tags: JSON.stringify(flow.tags), labels: writeJson(flow.labels) };
  return ctx.db.write(scope.workspaceId, async (tx) => {
    if (await insertFlow(tx, row)) {
      await emitResourceEvent(ctx, tx, flowEvent("created", row, now));
      return { flow: writeJson(flow), isNew: true };
    }
    const winner = await findFlow(tx, { name });
    if (winner === null) throw new AppError("conflict", `The flow ${name} was deleted meanwhile`);
    return { flow: winner, isNew: false };
  });
}

export async function readFlow(
  ctx: OrchestratorContext,
  scope: Scope,
  key: FlowKey,
): Promise<JsonText<Flow>> {
  const flow = await findFlow(ctx.db.in(scope.workspaceId), key);
  if (flow === null) throw notFound(key);
  return flow;
}

/** Changes the tags. What is the same afterwards is not an update and tells no one. */
export async function updateFlow(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: FlowUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockFlow(tx, id);
    if (before === null) throw notFound({ id });
    const tags = changes.tags == null ? before.tags : JSON.stringify(changes.tags);
    if (tags === before.tags) return;
    await setFlowTags(tx, { id, tags, updated: now });
    await emitResourceEvent(ctx, tx, flowEvent("updated", { ...before, tags }, now));
  });
}

export async function deleteFlow(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  if (!(await inBatches(ctx.db, scope.workspaceId, (tx) => deleteFlowBatch(ctx, tx, id))))
    throw notFound({ id });
}

/** Deletes the flows that match, at most so many and each for itself, and tells which. */
export async function deleteFlows(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: FlowSelection,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const id of await listIds(ctx.db.in(scope.workspaceId), FLOW_LIST, selection)) {
    if (await inBatches(ctx.db, scope.workspaceId, (tx) => deleteFlowBatch(ctx, tx, id)))
      deleted.push(id);
  }
  return deleted;
}

/** Its runs go first, as many as go at once; with the last of them the flow goes. */
async function deleteFlowBatch(
  ctx: OrchestratorContext,
  tx: Transaction,
  id: string,
): Promise<boolean | typeof MORE> {
  const row = await lockFlow(tx, id);
  if (row === null) return false;
  const runs = await someRunsOfFlow(tx, { flow_id: id, limit: RUNS_AT_ONCE + 1 });
  const removed = await removeRuns(ctx, tx, runs.slice(0, RUNS_AT_ONCE));
  if (removed === MORE || runs.length > RUNS_AT_ONCE) return MORE;
  const now = ctx.clock.now();
  // Deployments of other flows may have been given these limits, and their runs wait for slots.
  for (const limit of await findOwnLimits(tx, id)) await deleteLimit(ctx, tx, { id: limit, now });
  await removeFlow(tx, id);
  await emitResourceEvent(ctx, tx, flowEvent("deleted", row, now));
  return true;
}

function notFound(key: FlowKey): AppError {
  const which = "id" in key ? key.id : `named ${key.name}`;
  return new AppError("not_found", `Flow ${which} not found`);
}
