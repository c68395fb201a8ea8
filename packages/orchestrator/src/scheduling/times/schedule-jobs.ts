// What threads do for `compute-schedules.ts`.

import type { Schedule as CalendarSchedule } from "@orchestrator/calendar";
import {
  type BackfillPlan,
  type BackfillTime,
  countTimes,
  timesFrom,
} from "./backfill-times.rules.ts";
import {
  type Filling,
  fillSchedule,
  nextRunTimes,
  type RunTime,
  type TimeBounds,
  timesWithin,
} from "./fill.rules.ts";
import { checkSchedule } from "./schedules.rules.ts";

export { checkSchedule, fillSchedule };

export interface NextTimesJob extends Pick<Filling, "id" | "jitter" | "created" | "schedule"> {
  readonly now: number;
  readonly limit: number;
}

export const nextTimes = ({ now, limit, ...spread }: NextTimesJob): RunTime[] =>
  nextRunTimes(spread, { now, limit });

export interface WithinJob {
  readonly schedule: CalendarSchedule;
  readonly bounds: TimeBounds;
}

export const scheduleTimesWithin = ({ schedule, bounds }: WithinJob): number[] =>
  timesWithin(schedule, bounds);

export interface CountJob {
  readonly plan: Omit<BackfillPlan, "order">;
  readonly most: number;
}

export const countOfPlan = ({ plan, most }: CountJob): number => countTimes(plan, most);

export interface PlanJob {
  readonly plan: BackfillPlan;
  readonly at: BackfillTime | null;
  readonly count: number;
}

export const timesOfPlan = ({ plan, at, count }: PlanJob): BackfillTime[] =>
  timesFrom(plan, { at, count });
