// What was promised and what came of it.

import type { SlaRecord } from "@orchestrator/contract";
import type { CsvCell } from "@orchestrator/kernel/lists";
import type { RollupCounters } from "../../results/rollups/rollup.rules.ts";
import { type StatusTimes, statsFiguresOf, type TimeRange } from "../stats/stats.rules.ts";

export interface IncidentFigures {
  readonly count: number;
  readonly longest: number | null;
  readonly meanToRepair: number | null;
}

export interface SlaSource {
  readonly monitor: { readonly id: string; readonly name: string; readonly tags: string };
  readonly range: TimeRange;
  readonly times: StatusTimes;
  readonly rollups: readonly RollupCounters[];
  readonly incidents: IncidentFigures;
  readonly target: number;
  /** How much of the range was maintenance. */
  readonly maintenanceMicros: number;
}

export function slaRecord(source: SlaSource): SlaRecord {
  const { monitor, range, times, incidents, target } = source;
  const figures = statsFiguresOf(times, source.rollups);
  const known = times.up + times.degraded + times.down;
  const unknown = Math.max(0, range.until - range.from - known);
  const maintenance = Math.min(source.maintenanceMicros, unknown);
  // In whole microseconds, so that a target that is just met is met.
  const budget = Math.round((known * (100 - target)) / 100);
  return {
    id: monitor.id,
    name: monitor.name,
    tags: JSON.parse(monitor.tags) as string[],
    uptime_percent: figures.uptime_percent,
    up_seconds: figures.up_seconds,
    degraded_seconds: figures.degraded_seconds,
    down_seconds: figures.down_seconds,
    maintenance_seconds: maintenance / 1e6,
    unknown_seconds: (unknown - maintenance) / 1e6,
    checks: figures.checks,
    incidents: incidents.count,
    longest_incident_seconds: rounded(incidents.longest),
    mean_time_to_repair_seconds: rounded(incidents.meanToRepair),
    p50_ms: figures.elapsed_ms.p50,
    p95_ms: figures.elapsed_ms.p95,
    p99_ms: figures.elapsed_ms.p99,
    target_percent: target,
    error_budget_seconds: budget / 1e6,
    error_budget_left_seconds: (budget - times.down) / 1e6,
    target_met: known === 0 ? null : times.down <= budget,
  };
}

/** Databases count seconds with fractions that are not quite what was meant. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(Math.max(0, seconds) * 1e6) / 1e6;
}

/** The columns of the table, in order. */
const COLUMNS = [
  "name",
  "id",
  "tags",
  "from",
  "until",
  "uptime_percent",
  "up_seconds",
  "degraded_seconds",
  "down_seconds",
  "maintenance_seconds",
  "unknown_seconds",
  "checks",
  "incidents",
  "longest_incident_seconds",
  "mean_time_to_repair_seconds",
  "p50_ms",
  "p95_ms",
  "p99_ms",
  "target_percent",
  "error_budget_seconds",
  "error_budget_left_seconds",
  "target_met",
] as const;

export const SLA_HEADINGS: readonly string[] = COLUMNS;

export function slaCells(
  record: SlaRecord,
  range: { readonly from: string; readonly until: string },
): CsvCell[] {
  const row = { ...record, ...range, tags: record.tags.join(" ") };
  return COLUMNS.map((column) => row[column]);
}
