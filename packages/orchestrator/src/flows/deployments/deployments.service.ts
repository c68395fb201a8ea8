import type { Deployment } from "@orchestrator/contract";
import { listIds } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches, MORE } from "../../db/in-batches.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { DEPLOYMENT_LIST } from "../../lists/deployments.filter.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import {
  type DeploymentKey,
  findDeployment,
  findDeploymentRelations,
  lockDeployment,
} from "../../runs/deployment/deployments.store.ts";
import { rescheduleDeployment } from "../../scheduling/scheduler/reschedule.service.ts";
import {
  deleteSomeUnstartedRuns,
  deleteUnstartedRuns,
} from "../../scheduling/scheduler/scheduled-runs.store.ts";
import {
  readSchedules,
  removeSchedules,
  restSchedules,
} from "../../scheduling/schedules/schedules.store.ts";
import { deleteOwnLimit } from "./apply-changes.service.ts";
import { removeDeploymentRow, updateDeploymentRow } from "./deployment-rows.store.ts";
import { deploymentEvent } from "./deployments.events.ts";
import { publishDeploymentUpdate } from "./update-deployment.service.ts";

export async function readDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  key: DeploymentKey,
): Promise<JsonText<Deployment>> {
  const found = await findDeployment(ctx.db.in(scope.workspaceId), key, ctx.clock.now());
  if (found === null) throw deploymentNotFound(key);
  return found;
}

/**
 * Stops or resumes all schedules of a deployment; each keeps its own switch. Stopping it deletes
 * their runs that have not begun, also where it was stopped before: an update may have left those
 * that are overdue.
 */
export async function setPaused(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, paused }: { readonly id: string; readonly paused: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  await inBatches(ctx.db, scope.workspaceId, async (tx) => {
    const before = await lockDeployment(tx, { id });
    if (before === null) throw deploymentNotFound({ id });
    if (before.paused !== paused) {
      const after = { ...before, paused, updated: now };
      await updateDeploymentRow(tx, after);
      if (!paused) await rescheduleDeployment(tx, { deploymentId: id, isPaused: false, now });
      await publishDeploymentUpdate(ctx, tx, { before, after, now });
    }
    if (!paused) return;
    await restSchedules(tx, id);
    return (await deleteSomeUnstartedRuns(tx, scheduledRunsOf(id))) ? MORE : undefined;
  });
}

const scheduledRunsOf = (deploymentId: string) =>
  ({ deploymentId, which: "auto-scheduled" }) as const;

/**
 * Leaves so few runs of its schedules that a deployment can be stopped as a part of another
 * transaction.
 */
export async function thinOutScheduledRuns(
  ctx: OrchestratorContext,
  { workspaceId }: Pick<Scope, "workspaceId">,
  id: string,
): Promise<void> {
  await inBatches(ctx.db, workspaceId, async (tx) => {
    if ((await lockDeployment(tx, { id })) === null) return;
    return (await deleteSomeUnstartedRuns(tx, scheduledRunsOf(id))) ? MORE : undefined;
  });
}

export async function deleteDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  if (!(await inBatches(ctx.db, scope.workspaceId, (tx) => deleteDeploymentBatch(ctx, tx, id))))
    throw deploymentNotFound({ id });
}

/**
 * Deletes the first deployments of a selection, each with all that belongs to it, and tells which.
 */
export async function deleteDeployments(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: Parameters<typeof listIds>[2],
): Promise<string[]> {
  const ids = await listIds(ctx.db.in(scope.workspaceId), DEPLOYMENT_LIST, selection);
  const deleted: string[] = [];
  for (const id of ids)
    if (await inBatches(ctx.db, scope.workspaceId, (tx) => deleteDeploymentBatch(ctx, tx, id)))
      deleted.push(id);
  return deleted;
}

/**
 * Runs that have begun stay and keep the id of a deployment that is no more; the others go first,
 * some at a time.
 */
async function deleteDeploymentBatch(
  ctx: OrchestratorContext,
  tx: Transaction,
  id: string,
): Promise<boolean | typeof MORE> {
  const row = await lockDeployment(tx, { id });
  if (row === null) return false;
  const runs = { deploymentId: id, which: "all" } as const;
  // Schedules are held before their runs, and from here on make no more of them.
  await restSchedules(tx, id);
  if (await deleteSomeUnstartedRuns(tx, runs)) return MORE;
  const now = ctx.clock.now();
  const around = await findDeploymentRelations(tx, id);
  const schedules = await readSchedules(tx, id);
  await removeSchedules(
    tx,
    schedules.map((schedule) => schedule.id),
  );
  // What the scheduler has written in this moment.
  await deleteUnstartedRuns(tx, runs);
  await deleteOwnLimit(ctx, tx, { row, now });
  await removeDeploymentRow(tx, id);
  if (around !== null) await emitResourceEvent(ctx, tx, deploymentEvent("deleted", around, now));
  return true;
}
