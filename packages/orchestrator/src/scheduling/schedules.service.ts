import {
  type DeploymentSchedule,
  type DeploymentScheduleCreate,
  type DeploymentScheduleUpdate,
  MOST_SCHEDULES,
  type Schedule,
} from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import { inBatches, MORE } from "../db/in-batches.ts";
import type { DeploymentRow } from "../db/tables/deployments.table.ts";
import { deploymentNotFound } from "../runs/deployment/deployment-not-found.ts";
import { findDeploymentRow, lockDeployment } from "../runs/deployment/deployments.store.ts";
import { rescheduleDeployment, SCHEDULER_TOPIC } from "./scheduler/reschedule.service.ts";
import { deleteSomeUnstartedRuns, deleteUnstartedRuns } from "./scheduler/scheduled-runs.store.ts";
import {
  inPlaceOf,
  receiveEntries,
  receiveSingle,
  refuseTooMany,
  replaceSchedules,
  slugTaken,
} from "./schedules/replace-schedules.service.ts";
import { changedScheduleRow, newScheduleRow } from "./schedules/schedule-rows.rules.ts";
import { SCHEDULE_LIST } from "./schedules/schedules.filter.ts";
import {
  insertSchedules,
  lockSchedule,
  readSchedules,
  removeSchedules,
  updateScheduleRow,
} from "./schedules/schedules.store.ts";

interface ScheduleKey {
  readonly id: string;
  readonly schedule_id: string;
}

export async function listSchedules(
  ctx: OrchestratorContext,
  scope: Scope,
  deploymentId: string,
): Promise<JsonText<DeploymentSchedule[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  if ((await findDeploymentRow(queries, deploymentId)) === null)
    throw deploymentNotFound({ id: deploymentId });
  const filter = { deployment_id: { any_: [deploymentId] } };
  return schedulesJson(queries, { filter, sort: "UPDATED_DESC" });
}

function schedulesJson(
  queries: Queries,
  asked: {
    readonly filter: Readonly<Record<string, unknown>>;
    readonly sort: "UPDATED_DESC" | "MADE_ASC";
  },
): Promise<JsonText<DeploymentSchedule[]>> {
  return listJson(queries, SCHEDULE_LIST, { ...asked, limit: MOST_SCHEDULES, offset: 0 });
}

/**
 * Adds schedules to those the deployment has, and answers the new ones in the order they were given
 * in.
 */
export async function addSchedules(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, creates }: { readonly id: string; readonly creates: readonly DeploymentScheduleCreate[] },
): Promise<JsonText<DeploymentSchedule[]>> {
  const entries = await receiveEntries(ctx, scope, creates, ["body"]);
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const deployment = await hold(tx, id);
    const owner = { deploymentId: id, isPaused: deployment.paused };
    const rows = entries.flatMap(({ entry, stored: schedule }) =>
      schedule === null ? [] : newScheduleRow(entry, { id: ctx.ids.uuid7(), schedule, owner, now }),
    );
    const existing = await readSchedules(tx, id);
    refuseTooMany(existing.length + rows.length);
    await insertSchedules(tx, rows).catch(asSlugTaken);
    tx.notify(SCHEDULER_TOPIC);
    const filter = { id: { any_: rows.map((row) => row.id) } };
    return schedulesJson(tx, { filter, sort: "MADE_ASC" });
  });
}

/** Changes the given fields only. Its runs that have not begun are made anew. */
export async function updateSchedule(
  ctx: OrchestratorContext,
  scope: Scope,
  { key, changes }: { readonly key: ScheduleKey; readonly changes: DeploymentScheduleUpdate },
): Promise<void> {
  const given = changes.schedule == null ? null : await receiveSingle(ctx, scope, changes.schedule);
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const deployment = await hold(tx, key.id);
    const row = await lockSchedule(tx, { deployment_id: key.id, id: key.schedule_id });
    if (row === null) throw scheduleNotFound(key);
    const owner = { deploymentId: key.id, isPaused: deployment.paused };
    const schedule = given === null ? null : inPlaceOf(given, row);
    const changed = changedScheduleRow(row, changes, { schedule, owner, now });
    if (changed === null) return;
    await updateScheduleRow(tx, changed).catch(asSlugTaken);
    await deleteUnstartedRuns(tx, {
      deploymentId: key.id,
      scheduleId: key.schedule_id,
      which: "auto-scheduled",
      after: now,
    });
    tx.notify(SCHEDULER_TOPIC);
  });
}

/** Deletes the schedule after its runs that have not begun, also those that are overdue. */
export async function deleteSchedule(
  ctx: OrchestratorContext,
  scope: Scope,
  key: ScheduleKey,
): Promise<void> {
  await inBatches(ctx.db, scope.workspaceId, async (tx) => {
    await hold(tx, key.id);
    const row = await lockSchedule(tx, { deployment_id: key.id, id: key.schedule_id });
    if (row === null) throw scheduleNotFound(key);
    const runs = { deploymentId: key.id, scheduleId: row.id, which: "auto-scheduled" } as const;
    if (await deleteSomeUnstartedRuns(tx, runs)) return MORE;
    return removeSchedules(tx, [row.id]);
  });
}

/**
 * Gives the deployment this schedule and no other. One that it has alone is changed and keeps all
 * else it is.
 */
export async function setOnlySchedule(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, schedule }: { readonly id: string; readonly schedule: Schedule },
): Promise<void> {
  const entry = await receiveSingle(ctx, scope, schedule);
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const deployment = await hold(tx, id);
    const owner = { deploymentId: id, isPaused: deployment.paused };
    const existing = await readSchedules(tx, id);
    const [only, ...others] = existing;
    if (only !== undefined && others.length === 0) {
      const schedule = inPlaceOf(entry, only);
      const changed = changedScheduleRow(only, { active: true }, { schedule, owner, now });
      if (changed === null) return;
      await updateScheduleRow(tx, changed);
    } else {
      await replaceSchedules(ctx, tx, { existing, entries: [entry], owner, now });
    }
    await rescheduleDeployment(tx, { ...owner, now });
  });
}

async function hold(tx: Transaction, id: string): Promise<DeploymentRow> {
  const deployment = await lockDeployment(tx, { id });
  if (deployment === null) throw deploymentNotFound({ id });
  return deployment;
}

function asSlugTaken(error: unknown): never {
  throw isAppError(error, "conflict") ? slugTaken() : error;
}

function scheduleNotFound({ id, schedule_id }: ScheduleKey): AppError {
  return new AppError("not_found", `Deployment ${id} has no schedule ${schedule_id}`);
}
