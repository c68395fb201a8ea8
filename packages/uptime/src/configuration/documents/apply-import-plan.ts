// What was planned, done within one transaction.

import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { MonitorConfigRow } from "../../db/tables/monitors.table.ts";
import { dropWindow } from "../../maintenance/maintenance.service.ts";
import { insertWindow, updateWindow } from "../../maintenance/maintenance.store.ts";
import { MAINTENANCE_TOPIC } from "../../maintenance/maintenance-calendar.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { replaceParents } from "../../monitors/dependencies/dependencies.store.ts";
import {
  addStatusPage,
  changeStatusPage,
  dropStatusPage,
} from "../../pages/status-pages.service.ts";
import { addMonitors, changeMonitor, dropMonitor } from "../monitors.service.ts";
import type { StoredConfiguration } from "./documents.store.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { PlannedPage } from "./plan-pages.ts";
import type { PlannedWindow } from "./plan-windows.ts";
import type { PlannedMonitor } from "./planned-monitor.ts";

/** So many monitors are created at once. */
const AT_ONCE = 100;

/** `present` is what the plan was made of, held by the transaction. */
export async function applyImportPlan(
  ctx: MaintenanceContext,
  tx: Transaction,
  { plan, present }: { readonly plan: ImportPlan; readonly present: StoredConfiguration },
): Promise<void> {
  const held = [...present.monitors, ...present.others];
  const rows = new Map(held.map((row) => [row.id, row]));
  await carryOutMonitors(ctx, tx, { planned: plan.monitors ?? [], rows });
  for (const one of plan.pages ?? []) await carryOutPage(ctx, tx, one);
  const told = new Map(present.windows.map(({ id, told_start }) => [id, told_start]));
  for (const one of plan.windows ?? []) await carryOutWindow(ctx, tx, { one, told });
  tx.notify(MAINTENANCE_TOPIC);
}

interface Monitors {
  readonly planned: readonly PlannedMonitor[];
  /** As they are now: when they are due may have changed since the plan was made. */
  readonly rows: ReadonlyMap<string, MonitorConfigRow>;
}

async function carryOutMonitors(
  ctx: MaintenanceContext,
  tx: Transaction,
  { planned, rows }: Monitors,
): Promise<void> {
  const turn = yieldingBetweenSteps();
  const fresh = planned.flatMap(({ before, after }) => (before === null ? (after ?? []) : []));
  for (let i = 0; i < fresh.length; i += AT_ONCE) {
    await addMonitors(ctx, tx, fresh.slice(i, i + AT_ONCE));
    await turn();
  }
  // Whoever is to be a parent is there now, and that nobody depends on itself is known.
  for (const { after, family } of planned) {
    if (after !== null && family !== null) await replaceParents(tx, after.id, family.parentIds);
    await turn();
  }
  for (const { action, before, after, family } of planned) {
    if (before === null || action === "unchanged") continue;
    const row = rows.get(before.id) ?? before;
    const hasOtherParents = family !== null;
    if (after === null) await dropMonitor(ctx, tx, row);
    else await changeMonitor(ctx, tx, { before: row, after, hasOtherParents });
    await turn();
  }
}

async function carryOutWindow(
  ctx: MaintenanceContext,
  tx: Transaction,
  {
    one: { action, before, after },
    told,
  }: { readonly one: PlannedWindow; readonly told: ReadonlyMap<string, string | null> },
): Promise<void> {
  if (action === "unchanged") return;
  const told_start = told.get((before ?? after)?.id ?? "") ?? null;
  if (after === null) {
    if (before !== null) await dropWindow(ctx, tx, { ...before, told_start });
  } else if (before === null) await insertWindow(tx, after);
  else await updateWindow(tx, { ...after, told_start });
}

async function carryOutPage(
  ctx: MaintenanceContext,
  tx: Transaction,
  { action, before, after }: PlannedPage,
): Promise<void> {
  if (action === "unchanged") return;
  if (after === null) {
    if (before !== null) await dropStatusPage(ctx, tx, before);
  } else if (before === null) await addStatusPage(ctx, tx, after);
  else await changeStatusPage(ctx, tx, { before, row: after });
}
