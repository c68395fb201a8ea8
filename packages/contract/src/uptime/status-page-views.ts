// What everybody may see of a status page.

import { type Static, Type } from "typebox";
import { Model, Nullable, Num, StringEnum, Timestamp, Uuid } from "../schema/index.ts";
import { INCIDENT_STATUSES } from "./incidents.ts";
import { PAGE_THEMES, REPORT_IMPACTS, REPORT_STATES, ReportUpdate } from "./status-pages.ts";

export const PAGE_STATES = [
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
  "unknown",
] as const;
export type PageState = (typeof PAGE_STATES)[number];

export const SHOWN_STATES = ["up", "degraded", "down", "maintenance", "paused", "unknown"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export const DAY_STATES = ["up", "degraded", "down", "none"] as const;

const Share = () => Nullable(Num({ minimum: 0, maximum: 100 }));

export const PageDay = Model(
  {
    date: Type.String({ description: "A day of UTC, `2026-11-14`" }),
    state: StringEnum(DAY_STATES, {
      description: "The worst of the day; `none`: nothing is known",
    }),
    uptime_percent: Share(),
  },
  { $id: "PageDay" },
);
export type PageDay = Static<typeof PageDay>;

const ShownMonitor = Model(
  {
    id: Uuid(),
    name: Type.String(),
    state: StringEnum(SHOWN_STATES),
    uptime_percent: Nullable(Num({ minimum: 0, maximum: 100 }), {
      description:
        "By time, over the last 90 days; null where it is not shown, or nothing is known",
    }),
    latency_ms: Nullable(Num({ minimum: 0 }), {
      description:
        "The average of the last 24 hours; null where it is not shown, or nothing is known",
    }),
    days: Nullable(Type.Array(PageDay), {
      description: "The last 90 days, the oldest first; null where they are not shown",
    }),
  },
  { $id: "ShownMonitor" },
);
export type ShownMonitor = Static<typeof ShownMonitor>;

const ShownIncident = Model(
  {
    id: Uuid(),
    monitor_id: Uuid(),
    monitor: Type.String({ description: "The name of the monitor on this page" }),
    status: StringEnum(INCIDENT_STATUSES),
    started_at: Timestamp(),
    ended_at: Nullable(Timestamp()),
    duration_seconds: Nullable(Num({ minimum: 0 })),
    recovered: Type.Boolean({
      description:
        "Whether it ended because the target was up again, not because nobody looks any more",
    }),
    report_id: Nullable(Uuid(), { description: "The report that is about it" }),
  },
  { $id: "ShownIncident" },
);
export type ShownIncident = Static<typeof ShownIncident>;

const ShownReport = Model(
  {
    id: Uuid(),
    title: Type.String(),
    state: StringEnum(REPORT_STATES),
    impact: StringEnum(REPORT_IMPACTS),
    created_at: Timestamp(),
    resolved_at: Nullable(Timestamp()),
    incident_id: Nullable(Uuid()),
    updates: Type.Array(ReportUpdate),
  },
  { $id: "ShownReport" },
);
export type ShownReport = Static<typeof ShownReport>;

const ShownMaintenance = Model(
  {
    title: Type.String(),
    description: Nullable(Type.String()),
    starts_at: Timestamp(),
    ends_at: Timestamp(),
    active: Type.Boolean(),
    monitors: Type.Array(Type.String()),
  },
  { $id: "ShownMaintenance" },
);
export type ShownMaintenance = Static<typeof ShownMaintenance>;

export const StatusPageView = Model(
  {
    slug: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    theme: StringEnum(PAGE_THEMES),
    state: StringEnum(PAGE_STATES),
    as_of: Timestamp({ description: "To the minute" }),
    groups: Type.Array(Model({ name: Type.String(), monitors: Type.Array(ShownMonitor) })),
    reports: Type.Array(ShownReport, {
      description: "Those that are not resolved, and those of the last 14 days; the latest first",
    }),
    incidents: Nullable(Type.Array(ShownIncident), {
      description:
        "Those that last, and those that ended in the last 14 days; null where they are not shown",
    }),
    maintenance: Nullable(Type.Array(ShownMaintenance), {
      description: "What is under way and what is planned; null where it is not shown",
    }),
  },
  { $id: "StatusPageView" },
);
export type StatusPageView = Static<typeof StatusPageView>;

export const StatusPageSlug = Type.Object({ slug: Type.String() });
