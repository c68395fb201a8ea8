import { parseMicros } from "@orchestrator/kernel";
import { only } from "../rule.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

const MICROS_PER_SECOND = 1_000_000;

/** A task run does not start before its time. */
export const waitForSchedule: TaskRunRule = {
  name: "wait-for-schedule",
  from: only("SCHEDULED", "PENDING"),
  to: only("RUNNING"),
  before: ({ initial, now }) => {
    const time = initial?.state_details.scheduled_time ?? null;
    if (time === null || time <= now) return;
    const delaySeconds = Math.round((parseMicros(time) - parseMicros(now)) / MICROS_PER_SECOND);
    if (delaySeconds === 0) return;
    return { status: "WAIT", delaySeconds, reason: `The task run is scheduled for ${time}` };
  },
};
