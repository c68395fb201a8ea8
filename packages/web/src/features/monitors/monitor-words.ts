import type { MonitorOverview, OverviewState } from "@orchestrator/contract";

/** The worst first. */
export const STATES: readonly OverviewState[] = ["down", "degraded", "unknown", "up", "paused"];

export const MONITOR_STATE_WORDS: Readonly<Record<OverviewState | "maintenance", string>> = {
  down: "Down",
  degraded: "Degraded",
  unknown: "No results yet",
  up: "Up",
  paused: "Paused",
  maintenance: "Maintenance",
};

type MonitorStateFacts = Pick<MonitorOverview, "enabled" | "last_status"> &
  Partial<Pick<MonitorOverview, "in_maintenance">>;

/** What is said of a monitor at a glance: paused and maintenance go before what was seen last. */
export function monitorStateOf(monitor: MonitorStateFacts): OverviewState | "maintenance" {
  if (!monitor.enabled) return "paused";
  if (monitor.in_maintenance) return "maintenance";
  return monitor.last_status ?? "unknown";
}

/** Rounded down: 99.995 is not 100. */
export function roundedPercentText(percent: number | null | undefined, digits = 2): string {
  if (percent == null) return "–";
  const factor = 10 ** digits;
  const shown = Math.floor(percent * factor) / factor;
  return `${shown === 100 || percent === 0 ? shown : shown.toFixed(digits)}%`;
}

export function msText(ms: number | null | undefined): string {
  if (ms == null) return "–";
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${Math.round(ms)} ms` : `${Math.round(ms * 10) / 10} ms`;
}

export const UPTIME_HINT =
  "Share of the known time in which it was up or degraded. Pauses, maintenance and gaps are excluded.";
