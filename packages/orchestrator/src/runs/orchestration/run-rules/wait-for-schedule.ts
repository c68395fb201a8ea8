import { parseMicros } from "@orchestrator/kernel/pure";
import { only, type RuleVerdict, type RunRule, type Transition } from "../rule.ts";

const MICROS_PER_SECOND = 1_000_000;

/** A run does not start before its time. */
export const waitForSchedule: RunRule = {
  name: "wait-for-schedule",
  from: only("SCHEDULED", "PENDING"),
  to: only("RUNNING"),
  before: untilScheduled,
};

/** What to say to whoever comes before the run's time; nothing to those who come at it. */
export function untilScheduled({
  initial,
  now,
}: Pick<Transition<unknown>, "initial" | "now">): RuleVerdict | undefined {
  const time = initial?.state_details.scheduled_time ?? null;
  if (time === null || time <= now) return;
  const delaySeconds = Math.round((parseMicros(time) - parseMicros(now)) / MICROS_PER_SECOND);
  if (delaySeconds === 0) return;
  return { status: "WAIT", delaySeconds, reason: `The run is scheduled for ${time}` };
}
