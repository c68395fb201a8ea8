// A schedule as it is typed.
import type { DeploymentSchedule, Schedule } from "@orchestrator/contract";

export type ScheduleKind = "cron" | "interval" | "rrule";

export const DEFAULT_SCHEDULES: Readonly<Record<ScheduleKind, string>> = {
  cron: "0 9 * * *",
  interval: "3600",
  rrule: "FREQ=DAILY;BYHOUR=9",
};

export interface ScheduleDraft {
  readonly kind: ScheduleKind;
  readonly text: string;
  readonly timezone: string;
  readonly overlap: DeploymentSchedule["overlap"];
  readonly catchup: DeploymentSchedule["catchup"];
}

/** One that is changed keeps its zone; a new one begins in that of whoever writes it. */
export function scheduleDraftOf(kept: DeploymentSchedule | undefined): ScheduleDraft {
  if (kept === undefined) {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
      kind: "cron",
      text: DEFAULT_SCHEDULES.cron,
      timezone,
      overlap: "allow",
      catchup: "none",
    };
  }
  const { schedule, overlap, catchup } = kept;
  const kind = kindOf(schedule);
  const timezone = schedule.timezone ?? "UTC";
  return { kind, text: String(schedule[kind] ?? ""), timezone, overlap, catchup };
}

/** What is not typed, such as the anchor of an interval, stays as it is kept. */
export function scheduleIn({ kind, text, timezone }: ScheduleDraft, kept?: Schedule): Schedule {
  const rest = kept !== undefined && kindOf(kept) === kind ? kept : {};
  return { ...rest, [kind]: kind === "interval" ? Number(text) : text, timezone };
}

const kindOf = ({ cron, interval }: Schedule): ScheduleKind =>
  cron !== undefined ? "cron" : interval !== undefined ? "interval" : "rrule";
