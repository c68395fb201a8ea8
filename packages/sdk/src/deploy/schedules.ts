import type { DeploymentScheduleCreate, Schedule } from "@orchestrator/contract";

/** When runs are made: by one of `cron`, `intervalSeconds` and `rrule`. */
export interface ScheduleOptions {
  /** @example "0 9 * * 1-5" */
  readonly cron?: string | undefined;
  readonly intervalSeconds?: number | undefined;
  /** One of the times of an interval. */
  readonly anchorDate?: string | undefined;
  /** @example "FREQ=DAILY;BYHOUR=9" */
  readonly rrule?: string | undefined;
  /** @example "Europe/Paris" */
  readonly timezone?: string | undefined;
}

/** One of several schedules of a deployment. */
export interface DeploymentScheduleOptions extends ScheduleOptions {
  /** By which it is known when the deployment is made again. */
  readonly slug?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** What to do with times that passed while no server ran. @default "none" */
  readonly catchup?: "none" | "latest" | "all" | undefined;
  /** What to do while an earlier run has not ended. @default "allow" */
  readonly overlap?: "allow" | "skip" | "queue" | "cancel-running" | undefined;
  readonly jitterSeconds?: number | undefined;
}

export function schedulesOf(
  options: ScheduleOptions & {
    readonly schedules?: readonly DeploymentScheduleOptions[] | undefined;
  },
): DeploymentScheduleCreate[] {
  const { schedules = [], cron, intervalSeconds, rrule } = options;
  const hasOwn = cron !== undefined || intervalSeconds !== undefined || rrule !== undefined;
  return [...(hasOwn ? [options] : []), ...schedules].map(scheduleOf);
}

function scheduleOf(options: DeploymentScheduleOptions): DeploymentScheduleCreate {
  const { slug, isActive = true, parameters, catchup, overlap, jitterSeconds } = options;
  return {
    schedule: timesOf(options),
    active: isActive,
    ...(slug !== undefined && { slug }),
    ...(parameters !== undefined && { parameters: parameters as Record<string, never> }),
    ...(catchup !== undefined && { catchup }),
    ...(overlap !== undefined && { overlap }),
    ...(jitterSeconds !== undefined && { jitter_seconds: jitterSeconds }),
  };
}

function timesOf({
  cron,
  intervalSeconds,
  anchorDate,
  rrule,
  timezone,
}: ScheduleOptions): Schedule {
  const given = [cron, intervalSeconds, rrule].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw new TypeError("A schedule has exactly one of `cron`, `intervalSeconds` and `rrule`");
  }
  return {
    ...(cron !== undefined && { cron }),
    ...(intervalSeconds !== undefined && { interval: intervalSeconds }),
    ...(anchorDate !== undefined && { anchor_date: anchorDate }),
    ...(rrule !== undefined && { rrule }),
    ...(timezone !== undefined && { timezone }),
  };
}
