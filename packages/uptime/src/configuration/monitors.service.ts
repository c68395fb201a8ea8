import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import type { MonitorConfigRow } from "../db/tables/monitors.table.ts";
import { emitMonitorEvent, emitMonitorEvents } from "../events/monitor-events.ts";
import { removeFromWindows } from "../maintenance/windows-of-monitor.service.ts";
import type { Monitor, MonitorCreate, MonitorUpdate } from "../models.ts";
import {
  deleteDependencies,
  followParents,
} from "../monitors/dependencies/dependencies.service.ts";
import { followPipeline } from "../monitors/heartbeats/heartbeats.service.ts";
import { removeHeartbeat } from "../monitors/heartbeats/heartbeats.store.ts";
import {
  type MonitorConfig,
  receiveMonitor,
  validateMonitorSchedule,
} from "../monitors/monitor-input.rules.ts";
import {
  limitsOf,
  MONITOR_DEFAULTS,
  monitorConfigOf,
  nextRun,
  rowOf,
  type Writing,
} from "../monitors/monitor-row.ts";
import { originOfUrl } from "../monitors/monitor-url.rules.ts";
import {
  changedMonitorFields,
  MONITORS_TOPIC,
  monitorPayload,
} from "../monitors/monitors.events.ts";
import {
  endStreak,
  findMonitor,
  insertMonitors,
  lockMonitor,
  removeMonitorRow,
  updateMonitorConfig,
} from "../monitors/monitors.store.ts";
import { endObservation, endOpenIncident } from "../results/rollups/observation.service.ts";
import { resetCertificate } from "../results/rollups/tracks.store.ts";
import { deleteVersions } from "../results/versions/versions.store.ts";

export async function createMonitor(
  ctx: UptimeContext,
  scope: Scope,
  body: MonitorCreate,
): Promise<{ readonly id: string; readonly json: JsonText<Monitor> }> {
  const given = receiveMonitor(body, limitsOf(ctx));
  const draft: MonitorConfig = { ...MONITOR_DEFAULTS, name: body.name, url: body.url, ...given };
  validateMonitorSchedule(draft);
  const now = ctx.clock.now();
  const id = ctx.ids.uuid7();
  const row = rowOf(ctx, { id, created_at: now, updated_at: now, next_run: null }, draft);
  const json = await ctx.db.write(scope.workspaceId, async (tx) => {
    await addMonitors(ctx, tx, [row]);
    if (body.parents != null) await followParents(tx, id, body.parents);
    return found(await findMonitor(tx, id));
  });
  return { id, json };
}

/** All that new monitors bring with them, within a transaction. */
export async function addMonitors(
  ctx: Writing,
  tx: Transaction,
  rows: readonly MonitorConfigRow[],
): Promise<void> {
  await insertMonitors(tx, rows);
  for (const { id, pipeline, created_at: now } of rows)
    await followPipeline(tx, { monitorId: id, pipeline, isResumed: false, now, before: "[]" });
  const events = rows.map((row) => ({
    monitor: row,
    verb: "Created",
    occurred: row.created_at,
    payload: monitorPayload(row),
  }));
  await emitMonitorEvents(ctx, tx, events);
  tx.notify(MONITORS_TOPIC);
}

export async function readMonitor(
  ctx: UptimeContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Monitor>> {
  return found(await findMonitor(ctx.db.in(scope.workspaceId), id));
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateMonitor(
  ctx: Writing,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: MonitorUpdate },
): Promise<JsonText<Monitor>> {
  const given = receiveMonitor(changes, limitsOf(ctx));
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = found(await lockMonitor(tx, id));
    const draft = { ...monitorConfigOf(before), ...given };
    if (given.schedule !== undefined || given.timezone !== undefined)
      validateMonitorSchedule(draft);
    const after = rowOf(ctx, { ...before, updated_at: now }, draft);
    await changeMonitor(ctx, tx, { before, after, parents: changes.parents ?? null });
    return found(await findMonitor(tx, id));
  });
}

export interface MonitorChange {
  /** The row, held by the transaction. */
  readonly before: MonitorConfigRow;
  readonly after: MonitorConfigRow;
  /** The monitors it depends on; left as they are when left out. */
  readonly parents?: readonly string[] | null;
  /** Whether its parents have been changed in the same transaction. */
  readonly hasOtherParents?: boolean;
}

/** All that a change of a monitor brings with it, within a transaction. */
export async function changeMonitor(
  ctx: Writing,
  tx: Transaction,
  { before, after, parents = null, hasOtherParents = false }: MonitorChange,
): Promise<void> {
  const changed = changedMonitorFields(before, after);
  if (hasOtherParents || (parents !== null && (await followParents(tx, after.id, parents))))
    changed.push("parents");
  if (changed.length === 0) return;
  const { id, pipeline, updated_at: now } = after;
  await updateMonitorConfig(tx, { ...after, next_run: nextRun(before, changed) });
  const isResumed = after.enabled && !before.enabled;
  await followPipeline(tx, { monitorId: id, pipeline, isResumed, now, before: before.pipeline });
  if (isElsewhere(before, after)) await resetCertificate(tx, id);
  const told = { monitor: after, occurred: now, payload: { ...monitorPayload(after), changed } };
  if (changed.some((field) => field !== "enabled"))
    await emitMonitorEvent(ctx, tx, { ...told, verb: "Updated" });
  if (before.enabled !== after.enabled)
    await emitMonitorEvent(ctx, tx, { ...told, verb: after.enabled ? "Resumed" : "Paused" });
  // From now on its status is not known: paused time is outside of all figures.
  if (before.enabled && !after.enabled) {
    await endStreak(tx, id);
    await endObservation(tx, before, now);
    await endOpenIncident(tx, id, { ended_at: now, ended_by: "paused" });
  }
  tx.notify(MONITORS_TOPIC);
}

/** Whether it may be another target that is looked at from now on. */
function isElsewhere(before: MonitorConfigRow, after: MonitorConfigRow): boolean {
  return originOfUrl(before.url) !== originOfUrl(after.url) || before.pipeline !== after.pipeline;
}

export async function deleteMonitor(ctx: UptimeContext, scope: Scope, id: string): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await dropMonitor(ctx, tx, found(await lockMonitor(tx, id)));
  });
}

/** All that the end of a monitor brings with it, within a transaction that holds its row. */
export async function dropMonitor(
  ctx: Writing,
  tx: Transaction,
  row: MonitorConfigRow,
): Promise<void> {
  const { id } = row;
  const now = ctx.clock.now();
  await endOpenIncident(tx, id, { ended_at: now, ended_by: "deleted" });
  await removeFromWindows(tx, id);
  await deleteDependencies(tx, id);
  await removeMonitorRow(tx, id);
  await removeHeartbeat(tx, id);
  await deleteVersions(tx, id);
  await emitMonitorEvent(ctx, tx, {
    monitor: row,
    verb: "Deleted",
    occurred: now,
    payload: monitorPayload(row),
  });
  tx.notify(MONITORS_TOPIC);
}

function found<T>(monitor: T | null): T {
  if (monitor === null) throw new AppError("not_found", "Monitor not found");
  return monitor;
}
