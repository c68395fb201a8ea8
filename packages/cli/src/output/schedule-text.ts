import type { DeploymentSchedule, Schedule } from "@orchestrator/contract";
import { formatExactDuration } from "./time.ts";

/** So much of it stands in a table: a rule may have any length. */
export const LONGEST_IN_TABLE = 60;

/** `0 9 * * * (Europe/Paris)`, `every 10m`. */
export function scheduleText({
  schedule,
  active,
}: Pick<DeploymentSchedule, "schedule" | "active">): string {
  return `${timesText(schedule)}${active ? "" : " (paused)"}`;
}

function timesText({ cron, interval, rrule, timezone }: Schedule): string {
  const zone = timezone && timezone !== "UTC" ? ` (${timezone})` : "";
  const times =
    cron ?? rrule ?? (interval === undefined ? "never" : `every ${formatExactDuration(interval)}`);
  return times + zone;
}
