// Searches through the schedules of users. Those that are not cheap run on a thread, so no write to
// the database may wait for one.

import { searchInline } from "@orchestrator/calendar";
import {
  type Compute,
  computeJob,
  inlineOrOnThread,
  threadModule,
} from "@orchestrator/kernel/compute";
import * as jobs from "./schedule-jobs.ts";

const module = threadModule(import.meta.url, "schedule-jobs");

function search<In, Out>(name: keyof typeof jobs, work: (input: In) => Out) {
  const job = computeJob<(input: In) => Out>(module, name, "The schedule");
  return (compute: Compute, input: In): Promise<Out> =>
    inlineOrOnThread(
      () => searchInline(() => work(input)),
      () => compute.run(job, input),
    );
}

export const computeCheck = search("checkSchedule", jobs.checkSchedule);
export const computeFilling = search("fillSchedule", jobs.fillSchedule);
export const computeNextTimes = search("nextTimes", jobs.nextTimes);
export const computeTimesWithin = search("scheduleTimesWithin", jobs.scheduleTimesWithin);
export const computeTimesOfPlan = search("timesOfPlan", jobs.timesOfPlan);
export const computeCountOfPlan = search("countOfPlan", jobs.countOfPlan);
