import type { SlaQuery, SlaRecord } from "@orchestrator/contract";
import { sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { Windows } from "../../maintenance/coverage.rules.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { untilMaintenance } from "../../results/rollups/maintenance-time.rules.ts";
import { openMinuteOf } from "../../results/rollups/open-minute.rules.ts";
import { SIZE_MICROS } from "../../results/rollups/rollup.rules.ts";
import { readSteadily } from "../../results/rollups/steady-reading.ts";
import { currentSpanOf } from "../../results/rollups/track.rules.ts";
import { findTracks } from "../../results/rollups/tracks.store.ts";
import type { TimeRange } from "../stats/stats.rules.ts";
import { asText, rangeOf, rollupsIn, timesIn } from "../stats/stats.service.ts";
import { maintenanceShare } from "./maintenance-share.ts";
import { BEFORE_ALL_MONITORS, listMonitorsAfter, readIncidentFigures } from "./reports.store.ts";
import { slaRecord } from "./sla.rules.ts";

const MONITORS_AT_ONCE = 100;
const DEFAULT_LENGTH = 30 * SIZE_MICROS.day;

export interface SlaReading {
  readonly from: string;
  readonly until: string;
  readonly target: number;
  /** One monitor after the other, the oldest first: read as they are asked for. */
  readonly records: AsyncGenerator<SlaRecord>;
}

/** Throws at once when the range is none. */
export function readSlaReport(ctx: MaintenanceContext, scope: Scope, query: SlaQuery): SlaReading {
  const { since, until, tag = [], target } = query;
  const now = ctx.clock.nowMicros();
  const range = rangeOf({ since, until }, { now, length: DEFAULT_LENGTH });
  const report = { tags: tag, target, range, now };
  return { ...asText(range), target, records: records(ctx, scope.workspaceId, report) };
}

interface Report {
  readonly tags: readonly string[];
  readonly target: number;
  readonly range: TimeRange;
  readonly now: number;
}

async function* records(
  ctx: MaintenanceContext,
  workspaceId: string,
  report: Report,
): AsyncGenerator<SlaRecord> {
  const queries = ctx.db.in(workspaceId);
  const windows = await ctx.maintenance.windowsIn(workspaceId);
  const maintenanceOf = maintenanceShare(windows.known, report.range);
  for (let after = BEFORE_ALL_MONITORS; ; ) {
    const page = await listMonitorsAfter(queries, after, MONITORS_AT_ONCE);
    for (const monitor of page) {
      const tags = JSON.parse(monitor.tags) as readonly string[];
      if (!report.tags.every((tag) => tags.includes(tag))) continue;
      const maintenanceMicros = await maintenanceOf(monitor);
      yield await recordOf(queries, monitor, { ...report, windows, maintenanceMicros });
      // Queries that are answered within this process hold up others.
      if (!queries.dialect.isRemote) await sleep(0);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < MONITORS_AT_ONCE) return;
    after = last;
  }
}

async function recordOf(
  queries: Queries,
  monitor: { readonly id: string; readonly name: string; readonly tags: string },
  {
    range,
    now,
    target,
    windows,
    maintenanceMicros,
  }: Report & { readonly windows: Windows; readonly maintenanceMicros: number },
): Promise<SlaRecord> {
  const monitorId = monitor.id;
  const [times, rollups, incidents] = await readSteadily(
    () => findTracks(queries, monitorId),
    ([track = null]) => {
      const holding = untilMaintenance(currentSpanOf(track), now, { windows, monitor });
      const source = { queries, monitorId, holding, open: openMinuteOf(track), now };
      return Promise.all([
        timesIn(source, range),
        rollupsIn(source, range),
        readIncidentFigures(queries, { monitor_id: monitorId, ...asText(range) }),
      ]);
    },
  );
  return slaRecord({ monitor, range, times, rollups, incidents, target, maintenanceMicros });
}
