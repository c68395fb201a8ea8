import type { DeploymentScheduleCreate, JsonObject, Schedule } from "@orchestrator/contract";
import { parseDuration } from "../../io/options.ts";
import { UsageError } from "../../output/fail.ts";
import { flagValue, recordValue, rejectUnknownKeys, textValue } from "./file-values.ts";

const KINDS = ["cron", "interval", "rrule"] as const;
const TIMES = [...KINDS, "anchor_date", "timezone", "day_or"];
const REST = ["slug", "active", "parameters", "catchup", "overlap", "jitter", "max_scheduled_runs"];

/**
 * A schedule as the file says it: `cron`, `interval` (seconds, or a text such as `10m`) or `rrule`.
 */
export function scheduleFrom(entry: JsonObject, where: string): DeploymentScheduleCreate {
  rejectUnknownKeys(Object.keys(entry), { known: [...TIMES, ...REST], where });
  const kinds = KINDS.filter((kind) => entry[kind] !== undefined);
  if (kinds.length !== 1) throw new UsageError(`${where} needs one of ${KINDS.join(", ")}`);
  const { active, slug, parameters, catchup, overlap, jitter, max_scheduled_runs } = entry;
  // The words that may stand for catchup and overlap are the server's to know.
  return {
    schedule: timesOf(entry, where),
    ...(active !== undefined && { active: flagValue(active, `${where}.active`) }),
    ...(slug !== undefined && { slug: textValue(slug, `${where}.slug`) }),
    ...(parameters !== undefined && { parameters: recordValue(parameters, `${where}.parameters`) }),
    ...(catchup !== undefined && { catchup: textValue(catchup, `${where}.catchup`) }),
    ...(overlap !== undefined && { overlap: textValue(overlap, `${where}.overlap`) }),
    ...(jitter !== undefined && { jitter_seconds: seconds(jitter, `${where}.jitter`) }),
    ...(max_scheduled_runs !== undefined && { max_scheduled_runs }),
  } as DeploymentScheduleCreate;
}

function timesOf(entry: JsonObject, where: string): Schedule {
  const { cron, interval, rrule, anchor_date, timezone, day_or } = entry;
  return {
    ...(cron !== undefined && { cron: textValue(cron, `${where}.cron`) }),
    ...(interval !== undefined && { interval: seconds(interval, `${where}.interval`) }),
    ...(rrule !== undefined && { rrule: textValue(rrule, `${where}.rrule`) }),
    ...(anchor_date !== undefined && {
      anchor_date: textValue(anchor_date, `${where}.anchor_date`),
    }),
    ...(timezone !== undefined && { timezone: textValue(timezone, `${where}.timezone`) }),
    ...(day_or !== undefined && { day_or: flagValue(day_or, `${where}.day_or`) }),
  };
}

function seconds(value: unknown, where: string): number {
  try {
    return parseDuration(String(value));
  } catch {
    throw new UsageError(`${where} must be seconds, or a time span such as 10m`);
  }
}
