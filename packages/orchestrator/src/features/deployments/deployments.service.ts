import type { Deployment } from "@orchestrator/contract";
import { type JsonText, listIds, type Scope, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { rescheduleDeployment } from "../scheduler/reschedule.service.ts";
import { deleteUnstartedRuns } from "../scheduler/scheduled-runs.store.ts";
import { readSchedules, removeSchedules } from "../schedules/schedules.store.ts";
import { deleteOwnLimit } from "./apply-changes.service.ts";
import { deploymentEvent } from "./deployments.events.ts";
import { DEPLOYMENT_LIST } from "./deployments.filter.ts";
import {
  type DeploymentKey,
  findDeployment,
  findSurroundings,
  lockDeployment,
  removeDeploymentRow,
  updateDeploymentRow,
} from "./deployments.store.ts";
import { deploymentNotFound } from "./not-found.ts";
import { tellUpdate } from "./update-deployment.service.ts";

export async function readDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  key: DeploymentKey,
): Promise<JsonText<Deployment>> {
  const found = await findDeployment(ctx.db.in(scope.workspaceId), key, ctx.clock.now());
  if (found === null) throw deploymentNotFound(key);
  return found;
}

/** Stops or resumes all schedules of a deployment; each keeps its own switch. */
export async function setPaused(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, paused }: { readonly id: string; readonly paused: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockDeployment(tx, { id });
    if (before === null) throw deploymentNotFound({ id });
    // What was paused by an update may still have runs that are overdue.
    if (paused)
      await rescheduleDeployment(tx, { deploymentId: id, isPaused: true, now, overdue: "delete" });
    if (before.paused === paused) return;
    const after = { ...before, paused, updated: now };
    await updateDeploymentRow(tx, after);
    if (!paused) await rescheduleDeployment(tx, { deploymentId: id, isPaused: false, now });
    await tellUpdate(ctx, tx, { before, after, now });
  });
}

export async function deleteDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await remove(ctx, tx, id))) throw deploymentNotFound({ id });
  });
}

/** Deletes the first deployments of a selection, each with all that belongs to it, and tells which. */
export async function deleteDeployments(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: Parameters<typeof listIds>[2],
): Promise<string[]> {
  const ids = await listIds(ctx.db.in(scope.workspaceId), DEPLOYMENT_LIST, selection);
  const deleted: string[] = [];
  for (const id of ids)
    if (await ctx.db.write(scope.workspaceId, (tx) => remove(ctx, tx, id))) deleted.push(id);
  return deleted;
}

/** Runs that have begun stay and keep the id of a deployment that is no more. */
async function remove(ctx: OrchestratorContext, tx: Transaction, id: string): Promise<boolean> {
  const row = await lockDeployment(tx, { id });
  if (row === null) return false;
  const now = ctx.clock.now();
  const around = await findSurroundings(tx, id);
  const schedules = await readSchedules(tx, id);
  await removeSchedules(
    tx,
    schedules.map((schedule) => schedule.id),
  );
  await deleteUnstartedRuns(tx, { deploymentId: id, which: "all" });
  await deleteOwnLimit(ctx, tx, { row, now });
  await removeDeploymentRow(tx, id);
  if (around !== null) await emitResourceEvent(ctx, tx, deploymentEvent("deleted", around, now));
  return true;
}
