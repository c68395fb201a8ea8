import type { BadgeQuery, PagePart, ShownState } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import { activeWindows } from "../../maintenance/maintenance.service.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { currentSpanOf } from "../../results/rollups/track.rules.ts";
import { readStats } from "../../statistics/stats/stats.service.ts";
import { listCurrentStatuses } from "../page-facts.store.ts";
import { isMaintained } from "../page-maintenance.rules.ts";
import { shownState } from "../page-view.rules.ts";
import { PAGE_MONITOR_LIST, type PageMonitorRow } from "../status-pages.filter.ts";

/** What badges tell of a monitor. */
export interface BadgeFacts {
  readonly state: ShownState;
  /** By range; null where nothing is known, or it is not shown. */
  readonly uptime: Readonly<Record<BadgeQuery["range"], number | null>> | null;
  readonly latencyMs: number | null;
  readonly shown: ReadonlySet<PagePart>;
}

type ShownOf = (monitor: PageMonitorRow) => Promise<ReadonlySet<PagePart> | null>;

/** Null where the public sees nothing of the monitor, or there is none. */
export async function readBadgeFacts(
  ctx: MaintenanceContext,
  scope: Scope,
  { monitorId, shownOf }: { readonly monitorId: string; readonly shownOf: ShownOf },
): Promise<BadgeFacts | null> {
  const queries = ctx.db.in(scope.workspaceId);
  const filter = { id: { any_: [monitorId] } };
  const rows = await listJson(queries, PAGE_MONITOR_LIST, { filter, limit: 1, offset: 0 });
  const [monitor] = JSON.parse(rows) as readonly PageMonitorRow[];
  const shown = monitor === undefined ? null : await shownOf(monitor);
  if (monitor === undefined || shown === null) return null;
  const needsFigures = shown.has("uptime") || shown.has("latency");
  const now = ctx.clock.nowMicros();
  const [[held], windows, stats] = await Promise.all([
    listCurrentStatuses(queries, [monitorId]),
    activeWindows(ctx, scope.workspaceId, now),
    needsFigures ? readStats(ctx, scope, { monitorId }) : null,
  ]);
  const { enabled, confirmed_status: confirmed } = monitor;
  const holding = currentSpanOf(held ?? null);
  return {
    state: shownState(
      { enabled, confirmed, holding, isMaintained: isMaintained(windows, monitor, now) },
      now,
    ),
    uptime: shown.has("uptime") ? (stats?.uptime ?? null) : null,
    latencyMs: shown.has("latency") ? (stats?.elapsed_ms.average ?? null) : null,
    shown,
  };
}
