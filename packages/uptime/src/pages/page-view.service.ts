import { MAX_PAGE_MONITORS, type PageGroup, type StatusPageView } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import { groupsOf, type StatusPageRow, showOf } from "../db/tables/status-pages.table.ts";
import { plannedWindows } from "../maintenance/maintenance.service.ts";
import type { MaintenanceContext } from "../maintenance/maintenance-context.ts";
import { untilMaintenance } from "../results/rollups/maintenance-time.rules.ts";
import { openMinuteOf } from "../results/rollups/open-minute.rules.ts";
import { rollupStart, SIZE_MICROS } from "../results/rollups/rollup.rules.ts";
import { readSteadily } from "../results/rollups/steady-reading.ts";
import { currentSpanOf } from "../results/rollups/track.rules.ts";
import {
  listCurrentStatuses,
  listDays,
  listLatencies,
  listRecentIncidents,
} from "./page-facts.store.ts";
import type { CurrentStatusRow, DayRow, LatencyRow } from "./page-facts.table.ts";
import { isMaintained, MAINTENANCE_AHEAD, shownMaintenance } from "./page-maintenance.rules.ts";
import { firstDay, type PageMember, statusPageView } from "./page-view.rules.ts";
import { PAGE_MONITOR_LIST, type PageMonitorRow } from "./status-pages.filter.ts";
import { listRecentReports } from "./status-reports.store.ts";

const { day: DAY, hour: HOUR } = SIZE_MICROS;
const HISTORY_DAYS = 14;

/** What everybody may see of a page, as it is now. */
export async function readPageView(
  ctx: MaintenanceContext,
  workspaceId: string,
  page: StatusPageRow,
): Promise<StatusPageView> {
  const queries = ctx.db.in(workspaceId);
  const now = ctx.clock.nowMicros();
  const show = new Set(showOf(page));
  const groups = await groupedMonitors(queries, groupsOf(page));
  const ids = [...new Set(groups.flatMap(({ monitors }) => monitors.map(({ id }) => id)))];
  const since = formatMicros(now - HISTORY_DAYS * DAY);
  const latencySince = formatMicros(rollupStart("hour", now) - 23 * HOUR);
  const hasDays = show.has("bars") || show.has("uptime");
  const [{ held, days, latencies }, incidents, reports, planned, windows] = await Promise.all([
    readSteadily(
      () => listCurrentStatuses(queries, ids),
      async (held) => {
        const [days, latencies] = await Promise.all([
          hasDays ? listDays(queries, ids, formatMicros(firstDay(now))) : [],
          show.has("latency") ? listLatencies(queries, ids, latencySince) : [],
        ]);
        return { held, days, latencies };
      },
    ),
    show.has("incidents") ? listRecentIncidents(queries, ids, since) : [],
    listRecentReports(queries, { page_id: page.id, since }),
    plannedWindows(ctx, workspaceId, { from: now, until: now + MAINTENANCE_AHEAD }),
    ctx.maintenance.windowsIn(workspaceId),
  ]);
  const daysOf = new Map<string, DayRow[]>(ids.map((id) => [id, []]));
  for (const row of days) daysOf.get(row.monitor_id)?.push(row);
  const heldBy = new Map(held.map((row) => [row.monitor_id, row]));
  const latencyOf = new Map(latencies.map((row) => [row.monitor_id, row]));
  const memberOf = (monitor: PageMonitorRow): PageMember => ({
    id: monitor.id,
    name: monitor.name,
    enabled: monitor.enabled,
    confirmed: monitor.confirmed_status,
    holding: untilMaintenance(currentSpanOf(heldBy.get(monitor.id) ?? null), now, {
      windows,
      monitor: { id: monitor.id, tags: JSON.stringify(monitor.tags) },
    }),
    isMaintained: isMaintained(planned, monitor, now),
    days: daysOf.get(monitor.id) ?? [],
    latency: withOpenMinute(latencyOf.get(monitor.id), heldBy.get(monitor.id), latencySince),
  });
  const monitors = groups.flatMap((group) => group.monitors);
  return statusPageView({
    page,
    groups: groups.map(({ name, monitors }) => ({ name, members: monitors.map(memberOf) })),
    incidents,
    reports,
    maintenance: show.has("maintenance") ? shownMaintenance(planned, monitors, now) : [],
    now,
  });
}

/** The latencies of the hours, and those that are in none yet. */
function withOpenMinute(
  hours: LatencyRow | undefined,
  held: CurrentStatusRow | undefined,
  since: string,
): PageMember["latency"] {
  const open = openMinuteOf(held ?? null);
  if (open === null || open.start < since) return hours;
  return {
    total_us: (hours?.total_us ?? 0) + open.latency_us,
    count: (hours?.count ?? 0) + open.up_count + open.degraded_count,
  };
}

interface MonitorGroup {
  readonly name: string;
  readonly monitors: readonly PageMonitorRow[];
}

/**
 * The monitors of each group under the names that they have on the page: those that are listed,
 * then those with the tags.
 */
async function groupedMonitors(
  queries: Queries,
  groups: readonly PageGroup[],
): Promise<MonitorGroup[]> {
  const ids = [...new Set(groups.flatMap(({ monitors }) => monitors.map(({ id }) => id)))];
  const [listed, ...tagged] = await Promise.all([
    ids.length === 0 ? [] : monitorsIn(queries, { id: { any_: ids } }),
    ...groups.map(({ tags }) =>
      tags.length === 0 ? [] : monitorsIn(queries, { tags: { all_: tags } }),
    ),
  ]);
  const byId = new Map(listed.map((monitor) => [monitor.id, monitor]));
  let left = MAX_PAGE_MONITORS;
  return groups.map(({ name, monitors }, index) => {
    const members = new Map<string, PageMonitorRow>();
    for (const { id, name: shown } of monitors) {
      const monitor = byId.get(id);
      // One that was deleted is not there any more.
      if (monitor !== undefined) members.set(id, { ...monitor, name: shown ?? monitor.name });
    }
    for (const monitor of tagged[index] ?? [])
      if (!members.has(monitor.id)) members.set(monitor.id, monitor);
    const shown = [...members.values()].slice(0, left);
    left -= shown.length;
    return { name, monitors: shown };
  });
}

async function monitorsIn(
  queries: Queries,
  filter: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<PageMonitorRow[]> {
  const page = { filter, limit: MAX_PAGE_MONITORS, offset: 0 };
  return JSON.parse(await listJson(queries, PAGE_MONITOR_LIST, page)) as PageMonitorRow[];
}
