import { MONITOR_DECIDED, type MonitorConfigRow } from "../db/tables/monitors.table.ts";
import { urlInEvents } from "../events/monitor-events.ts";

/** The engine, which plans the runs of monitors, listens for this topic. */
export const MONITORS_TOPIC = "monitors";

/** What events tell of a monitor's configuration: nothing that is secret, and nothing long. */
export function monitorPayload(row: MonitorConfigRow): Readonly<Record<string, unknown>> {
  const { name, interval, schedule, timezone, enabled } = row;
  const tags: unknown = JSON.parse(row.tags);
  return { name, url: urlInEvents(row.url), interval, schedule, timezone, enabled, tags };
}

/** The fields that differ. A secret counts to the pipeline. */
export function changedMonitorFields(before: MonitorConfigRow, after: MonitorConfigRow): string[] {
  const changed: string[] = MONITOR_DECIDED.filter((field) => before[field] !== after[field]);
  if (before.secrets !== after.secrets && !changed.includes("pipeline")) changed.push("pipeline");
  return changed;
}
