import type { DeploymentUpdate } from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import { assertDocumentsExist } from "../../blocks/documents/named-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import {
  findDeploymentRelations,
  findDeploymentRow,
  lockDeployment,
} from "../../runs/deployment/deployments.store.ts";
import { findJobTemplate } from "../../runs/deployment/job-templates.store.ts";
import {
  assertJobVariables,
  checkChangedParameters,
} from "../../runs/deployment/parameter-checks.service.ts";
import { rescheduleDeployment } from "../../scheduling/scheduler/reschedule.service.ts";
import {
  mergeSchedules,
  receiveEntries,
  receiveSingle,
  replaceSchedules,
  type ScheduleEntry,
} from "../../scheduling/schedules/replace-schedules.service.ts";
import { readSchedules } from "../../scheduling/schedules/schedules.store.ts";
import { applyChanges } from "./apply-changes.service.ts";
import { changesBetween, isSameRow, withoutEmptyPlace } from "./deployment-changes.rules.ts";
import { deploymentUpdatedEvent } from "./deployments.events.ts";

interface Change {
  readonly id: string;
  readonly changes: DeploymentUpdate;
}

/**
 * Changes the given fields only. Runs that were made from what it was and have not begun are made
 * anew.
 */
export async function updateDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes: given }: Change,
): Promise<void> {
  const schedules = await readScheduleChange(ctx, scope, given);
  const changes = await check(ctx, scope, { id, changes: withoutEmptyPlace(given) });
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockDeployment(tx, { id });
    if (before === null) throw deploymentNotFound({ id });
    const after = await applyChanges(ctx, tx, { before, changes, now });
    const owner = { deploymentId: id, isPaused: after.paused };
    const haveSchedulesChanged = await changeSchedules(ctx, tx, { schedules, owner, now });
    if (isSameRow(before, after) && !haveSchedulesChanged) return;
    await rescheduleDeployment(tx, { ...owner, now });
    await publishDeploymentUpdate(ctx, tx, { before, after, now });
  });
}

export async function publishDeploymentUpdate(
  ctx: OrchestratorContext,
  tx: Transaction,
  { before, after, now }: { before: DeploymentRow; after: DeploymentRow; now: string },
): Promise<void> {
  const changes = changesBetween(before, after);
  const around = changes.length === 0 ? null : await findDeploymentRelations(tx, after.id);
  if (around !== null)
    await emitResourceEvent(ctx, tx, deploymentUpdatedEvent(around, changes, now));
}

/**
 * What has to be known of the deployment, but not held, to say whether the changes are acceptable.
 */
async function check(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: Change,
): Promise<DeploymentUpdate> {
  if (changes.concurrency_limit != null && changes.global_concurrency_limit_id != null)
    refuse(
      "global_concurrency_limit_id",
      "concurrency_limit and global_concurrency_limit_id cannot both be given",
    );
  const queries = ctx.db.in(scope.workspaceId);
  const row = await findDeploymentRow(queries, id);
  if (row === null) throw deploymentNotFound({ id });
  await checkJobVariables(ctx, scope, { row, changes });
  await assertDocumentsExist(ctx, queries, changes);
  return checkChangedParameters(ctx, scope, row, changes);
}

async function checkJobVariables(
  ctx: OrchestratorContext,
  scope: Scope,
  { row, changes }: { readonly row: DeploymentRow; readonly changes: DeploymentUpdate },
): Promise<void> {
  const { work_pool_name: pool, job_variables: variables } = changes;
  if (variables == null || Object.keys(variables).length === 0) return;
  const place = pool == null ? { queueId: row.work_queue_id } : { pool };
  const template = await findJobTemplate(ctx.db.in(scope.workspaceId), place);
  if (template === null) return;
  await assertJobVariables(ctx, scope, {
    template,
    layers: [variables],
    requireAll: false,
    code: "conflict",
    doing: "updating deployment",
  });
}

/** A list is merged into the schedules there are, the single schedule takes their place. */
type ScheduleChange =
  | { readonly kind: "none" }
  | { readonly kind: "merge" | "replace"; readonly entries: readonly ScheduleEntry[] };

async function readScheduleChange(
  ctx: OrchestratorContext,
  scope: Scope,
  { schedule, schedules }: DeploymentUpdate,
): Promise<ScheduleChange> {
  if (schedules != null && schedule !== undefined)
    refuse("schedule", "schedule and schedules cannot both be given");
  if (schedules != null)
    return { kind: "merge", entries: await receiveEntries(ctx, scope, schedules) };
  if (schedule === undefined) return { kind: "none" };
  const entries = schedule === null ? [] : [await receiveSingle(ctx, scope, schedule)];
  return { kind: "replace", entries };
}

async function changeSchedules(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    schedules,
    owner,
    now,
  }: {
    readonly schedules: ScheduleChange;
    readonly owner: { readonly deploymentId: string; readonly isPaused: boolean };
    readonly now: string;
  },
): Promise<boolean> {
  if (schedules.kind === "none") return false;
  const existing = await readSchedules(tx, owner.deploymentId);
  const change = { existing, entries: schedules.entries, owner, now };
  return schedules.kind === "merge"
    ? mergeSchedules(ctx, tx, change)
    : replaceSchedules(ctx, tx, change);
}

function refuse(key: string, problem: string): never {
  const msg = `Value error, ${problem}`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", key], msg }]);
}
