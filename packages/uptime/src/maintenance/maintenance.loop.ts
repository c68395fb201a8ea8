// Tells when a maintenance begins and ends. What has been told is noted in the row of the window,
// in the same transaction and while the row is held: so each beginning and each end is told once,
// however many replicas look.

import { MAX_WINDOWS } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import type { CachedWindow } from "./coverage.rules.ts";
import {
  listWindowsDueForEvents,
  lockWindow,
  removePastWindows,
  updateWindow,
} from "./maintenance.store.ts";
import type { MaintenanceContext } from "./maintenance-context.ts";
import { publishWindowEvent } from "./maintenance-events.service.ts";
import { type MaintenancePeriodSpan, periodAt, periodText } from "./periods.rules.ts";

/** Tells how many windows had something to tell. */
export async function publishMaintenanceEvents(
  ctx: MaintenanceContext,
  signal: AbortSignal,
): Promise<number> {
  let told = 0;
  for (const { workspace_id, row } of await listWindowsDueForEvents(ctx.db)) {
    if (signal.aborted) break;
    const { periodFrom, problem } = ctx.maintenance.know(row);
    // Another replica may know when it takes place.
    if (problem !== null) continue;
    if (!hasNews(row, { periodFrom, now: ctx.clock.nowMicros() })) continue;
    told += await ctx.db.write(workspace_id, async (tx) => {
      const held = await lockWindow(tx, row.id);
      if (held === null) return 0;
      const now = ctx.clock.nowMicros();
      const current = periodAt(held, now);
      if (startOf(current) === held.told_start) return 0;
      if (held.told_start !== null) {
        const end = formatMicros(endOf(held, now));
        await publishWindowEvent(ctx, tx, {
          row: held,
          verb: "ended",
          start: held.told_start,
          end,
        });
      }
      if (current !== null)
        await publishWindowEvent(ctx, tx, { row: held, verb: "started", ...periodText(current) });
      await updateWindow(tx, { ...held, told_start: startOf(current) });
      return 1;
    });
  }
  return told;
}

/** Deletes windows that came once and have been over for as long as hours are kept. */
export async function deletePastWindows(ctx: MaintenanceContext): Promise<number> {
  const before = formatMicros(ctx.clock.nowMicros() - ctx.settings.hourlyRetention * 1000);
  return ctx.db.writeSystem((tx) => removePastWindows(tx, { before, limit: MAX_WINDOWS }));
}

/** Nothing but beginnings count: a period that is made longer or shorter while it lasts goes on. */
function hasNews(
  { told_start }: MaintenanceRow,
  { periodFrom, now }: Pick<CachedWindow, "periodFrom"> & { readonly now: number },
): boolean {
  const period = periodFrom(now);
  return startOf(period !== null && period.start <= now ? period : null) !== told_start;
}

function startOf(period: MaintenancePeriodSpan | null): string | null {
  return period === null ? null : formatMicros(period.start);
}

/** When the period that was told of has ended: as planned, or now where plans have changed. */
function endOf(row: MaintenanceRow, now: number): number {
  if (row.told_start === null) return now;
  const period = periodAt(row, parseMicros(row.told_start));
  return period === null ? now : Math.min(period.end, now);
}
