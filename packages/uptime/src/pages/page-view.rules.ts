// What everybody may see of a page, from what is known. Times are microseconds since 1970.

import type {
  PageDay,
  PageState,
  ShownIncident,
  ShownMaintenance,
  ShownMonitor,
  ShownReport,
  ShownState,
  StatusPageView,
} from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { type StatusPageRow, showOf } from "../db/tables/status-pages.table.ts";
import { type StatusReportRow, updatesOf } from "../db/tables/status-reports.table.ts";
import { rollupStart, SIZE_MICROS } from "../results/rollups/rollup.rules.ts";
import { type CurrentSpan, uncounted } from "../results/rollups/track.rules.ts";
import {
  addStatusTimes,
  type StatusTimes,
  statusTimesWithin,
  uptimePercent,
} from "../statistics/stats/stats.rules.ts";
import { latestFirst } from "./page-entries.rules.ts";
import type { DayRow, LatencyRow, PageIncidentRow } from "./page-facts.table.ts";

const SHOWN_DAYS = 90;
const { day: DAY, minute: MINUTE } = SIZE_MICROS;

/** A monitor of a page, with all that is known of it. */
export interface PageMember {
  readonly id: string;
  /** As this page calls it. */
  readonly name: string;
  readonly enabled: boolean;
  readonly confirmed: "up" | "degraded" | "down" | null;
  readonly holding: CurrentSpan | null;
  readonly isMaintained: boolean;
  readonly days: readonly DayRow[];
  readonly latency: Omit<LatencyRow, "monitor_id"> | undefined;
}

export interface PageFacts {
  readonly page: StatusPageRow;
  readonly groups: readonly { readonly name: string; readonly members: readonly PageMember[] }[];
  readonly incidents: readonly PageIncidentRow[];
  readonly reports: readonly StatusReportRow[];
  readonly maintenance: readonly ShownMaintenance[];
  readonly now: number;
}

export function firstDay(now: number): number {
  return rollupStart("day", now) - (SHOWN_DAYS - 1) * DAY;
}

export function statusPageView(facts: PageFacts): StatusPageView {
  const { page, now } = facts;
  const { slug, title, description, theme } = page;
  const show = new Set(showOf(page));
  const groups = facts.groups.map(({ name, members }) => ({
    name,
    monitors: members.map((member) => shownMonitor(member, show, now)),
  }));
  const states = groups.flatMap(({ monitors }) => monitors.map(({ state }) => state));
  const reports = facts.reports.map(shownReport);
  const incidents = show.has("incidents") ? shownIncidents(facts) : null;
  const known = new Set(incidents?.map(({ id }) => id));
  return {
    slug,
    title,
    description,
    theme,
    state: pageState(states, reports),
    as_of: formatMicros(Math.floor(now / MINUTE) * MINUTE),
    groups,
    reports: reports.map((report) =>
      report.incident_id === null || known.has(report.incident_id)
        ? report
        : { ...report, incident_id: null },
    ),
    incidents,
    maintenance: show.has("maintenance") ? [...facts.maintenance] : null,
  };
}

/** A run that takes long, as those do whose target hangs, must not look as if nobody looked. */
const GRACE = 5 * MINUTE;

/** What a monitor says of its target, as far as it can be relied on. */
export function shownState(
  {
    enabled,
    confirmed,
    holding,
    isMaintained,
  }: Omit<PageMember, "id" | "name" | "days" | "latency">,
  now: number,
): ShownState {
  if (!enabled) return "paused";
  if (isMaintained) return "maintenance";
  if (holding === null || holding.validUntil + GRACE <= now) return "unknown";
  return confirmed ?? "unknown";
}

/** The worst wins; what nobody looks at says nothing. */
export function pageState(
  states: readonly ShownState[],
  reports: readonly Pick<ShownReport, "state" | "impact">[],
): PageState {
  const impacts = reports.flatMap(({ state, impact }) => (state === "resolved" ? [] : [impact]));
  const seen = states.filter((state) => state !== "paused" && state !== "unknown");
  const down = seen.filter((state) => state === "down").length;
  if (down > 0 && down === seen.length) return "major_outage";
  if (down > 0 || impacts.includes("down")) return "partial_outage";
  if (seen.includes("degraded") || impacts.includes("degraded")) return "degraded";
  if (seen.includes("maintenance")) return "maintenance";
  return seen.length === 0 ? "unknown" : "operational";
}

function shownMonitor(member: PageMember, show: ReadonlySet<string>, now: number): ShownMonitor {
  const { id, name, latency } = member;
  const days = daysOf(member, now);
  const all = addStatusTimes(...days.map(({ times }) => times));
  const isMeasured = latency !== undefined && latency.count > 0;
  return {
    id,
    name,
    state: shownState(member, now),
    uptime_percent: show.has("uptime") ? uptimePercent(all) : null,
    latency_ms:
      show.has("latency") && isMeasured
        ? Math.round(latency.total_us / latency.count / 100) / 10
        : null,
    days: show.has("bars") ? days.map(({ start, times }) => shownDay(start, times)) : null,
  };
}

/** The last days with how long each status held: what is counted, and what holds at present. */
function daysOf({ days, holding }: PageMember, now: number) {
  const byStart = new Map(days.map((row) => [parseMicros(row.start), row]));
  const present = holding === null ? null : uncounted(holding, now);
  const open = present === null ? [] : [present];
  const first = firstDay(now);
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const start = first + index * DAY;
    const row = byStart.get(start);
    const counted = {
      up: row?.up_us ?? 0,
      degraded: row?.degraded_us ?? 0,
      down: row?.down_us ?? 0,
    };
    const times = addStatusTimes(
      counted,
      statusTimesWithin(open, { from: start, until: start + DAY }),
    );
    return { start, times };
  });
}

const DATE_LENGTH = "2026-11-14".length;

function shownDay(start: number, times: StatusTimes): PageDay {
  const { up, degraded, down } = times;
  const state = down > 0 ? "down" : degraded > 0 ? "degraded" : up > 0 ? "up" : "none";
  const date = formatMicros(start).slice(0, DATE_LENGTH);
  return { date, state, uptime_percent: uptimePercent(times) };
}

function shownIncidents({ groups, incidents, reports }: PageFacts): ShownIncident[] {
  const members = groups.flatMap((group) => group.members);
  // In case a monitor is there twice, under the name that comes first.
  const names = new Map(members.toReversed().map(({ id, name }) => [id, name]));
  const reportOf = new Map(reports.map(({ id, incident_id }) => [incident_id, id]));
  const shown = incidents.map(({ id, monitor_id, status, started_at, ended_at, ended_by }) => ({
    id,
    monitor_id,
    monitor: names.get(monitor_id) ?? "",
    status,
    started_at,
    ended_at,
    duration_seconds:
      ended_at === null ? null : (parseMicros(ended_at) - parseMicros(started_at)) / 1e6,
    // When nobody looks any more it is over, but nobody knows how it ended.
    recovered: ended_at !== null && (ended_by ?? "recovered") === "recovered",
    report_id: reportOf.get(id) ?? null,
  }));
  return shown.sort((a, b) => latestFirst(a.started_at, b.started_at));
}

function shownReport(row: StatusReportRow): ShownReport {
  const { id, title, state, impact, created_at, resolved_at, incident_id } = row;
  const updates = [...updatesOf(row)];
  return { id, title, state, impact, created_at, resolved_at, incident_id, updates };
}
