import {
  MAX_WINDOWS,
  type MaintenanceCreate,
  type MaintenanceList,
  type MaintenanceUpdate,
  type MaintenanceWindow,
} from "@orchestrator/contract";
import { AppError, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { countMonitors, findMonitorRow } from "../monitors/monitors.store.ts";
import { cacheWindow } from "./coverage.rules.ts";
import {
  countWindows,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
  removeWindow,
  updateWindow,
} from "./maintenance.store.ts";
import { MAINTENANCE_TOPIC } from "./maintenance-calendar.ts";
import type { MaintenanceContext } from "./maintenance-context.ts";
import { publishWindowEvent } from "./maintenance-events.service.ts";
import {
  checkWindow,
  type MaintenanceDraft,
  receiveChanges,
  receiveNewWindow,
  refused,
} from "./maintenance-input.rules.ts";
import { type MaintenancePeriodSpan, periodAfter, periodAt, periodText } from "./periods.rules.ts";

export async function createWindow(
  ctx: MaintenanceContext,
  scope: Scope,
  body: MaintenanceCreate,
): Promise<MaintenanceWindow> {
  const draft = receiveNewWindow(body);
  checkWindow(draft, ctx.clock.nowMicros());
  const now = ctx.clock.now();
  const row = {
    ...draft,
    id: ctx.ids.uuid7(),
    created_at: now,
    updated_at: now,
    finished_at: null,
    told_start: null,
  };
  await change(ctx, scope, async (tx) => {
    if ((await countWindows(tx)) >= MAX_WINDOWS)
      throw new AppError("conflict", `There are ${MAX_WINDOWS} windows already: delete some first`);
    await refuseUnknown(tx, idsOf(row));
    await insertWindow(tx, row);
  });
  return shown(ctx, row);
}

export async function readWindow(
  ctx: MaintenanceContext,
  scope: Scope,
  id: string,
): Promise<MaintenanceWindow> {
  return shown(ctx, found(await findWindow(ctx.db.in(scope.workspaceId), id)));
}

/** The oldest first. */
export async function readWindows(
  ctx: MaintenanceContext,
  scope: Scope,
  { active, monitor_id, limit, offset }: MaintenanceList,
): Promise<MaintenanceWindow[]> {
  const queries = ctx.db.in(scope.workspaceId);
  let rows = await listWindows(queries);
  if (monitor_id !== undefined) {
    const monitor = await findMonitorRow(queries, monitor_id);
    rows = monitor === null ? [] : rows.filter((row) => cacheWindow(row).isFor(monitor));
  }
  return rows
    .map((row) => shown(ctx, row))
    .filter((window) => active === undefined || window.active === active)
    .slice(offset, offset + limit);
}

/** Changes the given fields only. What has passed stays as it was counted. */
export async function changeWindow(
  ctx: MaintenanceContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: MaintenanceUpdate },
): Promise<MaintenanceWindow> {
  const given = receiveChanges(changes);
  const row = await change(ctx, scope, async (tx) => {
    const before = found(await lockWindow(tx, id));
    const after = { ...before, ...given };
    if (isSame(before, after)) return before;
    checkWindow(after, ctx.clock.nowMicros());
    const known = new Set(idsOf(before));
    await refuseUnknown(
      tx,
      idsOf(after).filter((each) => !known.has(each)),
    );
    const changed = { ...after, updated_at: ctx.clock.now() };
    await updateWindow(tx, changed);
    return changed;
  });
  return shown(ctx, row);
}

/** Ends the present period now; a recurring window comes again as planned. */
export async function finishWindow(
  ctx: MaintenanceContext,
  scope: Scope,
  id: string,
): Promise<MaintenanceWindow> {
  const row = await change(ctx, scope, async (tx) => {
    const before = found(await lockWindow(tx, id));
    const now = ctx.clock.now();
    if (periodAt(before, parseMicros(now)) === null)
      throw new AppError("conflict", "The maintenance does not take place at present");
    const end = before.schedule === null ? { ends_at: now } : { finished_at: now };
    const after = { ...before, ...end, updated_at: now };
    await updateWindow(tx, after);
    return after;
  });
  return shown(ctx, row);
}

export async function deleteWindow(
  ctx: MaintenanceContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await change(ctx, scope, async (tx) => {
    await dropWindow(ctx, tx, found(await lockWindow(tx, id)));
  });
}

/** All that the end of a window brings with it, within a transaction that holds its row. */
export async function dropWindow(
  ctx: MaintenanceContext,
  tx: Transaction,
  row: MaintenanceRow,
): Promise<void> {
  // Whoever was told that it began is told that it ended.
  if (row.told_start !== null) {
    const now = ctx.clock.now();
    await publishWindowEvent(ctx, tx, { row, verb: "ended", start: row.told_start, end: now });
  }
  await removeWindow(tx, row.id);
}

/** A window with one of its periods. */
export interface PlannedMaintenance extends MaintenancePeriodSpan {
  readonly window: MaintenanceRow;
  readonly isFor: (monitor: { readonly id: string; readonly tags: string }) => boolean;
}

/** What takes place at a moment (microseconds since 1970), the earliest first. */
export async function activeWindows(
  ctx: Pick<MaintenanceContext, "maintenance">,
  workspaceId: string,
  at: number,
): Promise<PlannedMaintenance[]> {
  return plannedWindows(ctx, workspaceId, { from: at, until: at });
}

/** The first period of each window that has a part of the range, the earliest first. */
export async function plannedWindows(
  ctx: Pick<MaintenanceContext, "maintenance">,
  workspaceId: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<PlannedMaintenance[]> {
  const { known } = await ctx.maintenance.windowsIn(workspaceId);
  return known
    .flatMap(({ row, isFor, periodFrom }) => {
      const period = periodFrom(from);
      const isWithin = period !== null && period.start <= until;
      return isWithin ? [{ window: row, isFor, ...period }] : [];
    })
    .sort((a, b) => a.start - b.start);
}

/** Writes, and has everybody look again. */
async function change<T>(
  ctx: MaintenanceContext,
  scope: Scope,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const result = await ctx.db.write(scope.workspaceId, async (tx) => {
    tx.notify(MAINTENANCE_TOPIC);
    return work(tx);
  });
  // A nudge may take a moment, also to this process.
  ctx.maintenance.forget();
  return result;
}

async function refuseUnknown(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0 && (await countMonitors(tx, ids)) < ids.length)
    throw refused("monitor_ids", "there is no such monitor for every id");
}

function idsOf({ monitor_ids }: Pick<MaintenanceDraft, "monitor_ids">): string[] {
  return JSON.parse(monitor_ids) as string[];
}

function isSame(before: MaintenanceRow, after: MaintenanceRow): boolean {
  return (Object.keys(before) as (keyof MaintenanceRow)[]).every((k) => before[k] === after[k]);
}

function shown({ clock }: MaintenanceContext, row: MaintenanceRow): MaintenanceWindow {
  const now = clock.nowMicros();
  const { id, name, description, monitor_ids, tags, all_monitors } = row;
  const { starts_at, ends_at, schedule, timezone, duration } = row;
  const { enabled, created_at, updated_at } = row;
  const current = periodAt(row, now);
  const next = periodAfter(row, now);
  return {
    id,
    name,
    description,
    monitor_ids: JSON.parse(monitor_ids) as string[],
    tags: JSON.parse(tags) as string[],
    all_monitors,
    starts_at,
    ends_at,
    schedule,
    timezone,
    duration,
    enabled,
    created_at,
    updated_at,
    active: current !== null,
    current: current === null ? null : periodText(current),
    next: next === null ? null : periodText(next),
  };
}

function found<T>(window: T | null): T {
  if (window === null) throw new AppError("not_found", "Maintenance window not found");
  return window;
}
