import { type HeartbeatCheck, heartbeatKind } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel";
import type { Check, Heartbeat } from "./check.ts";
import { type Finding, outcomeOf } from "./outcome.ts";

const SECOND_MICROS = 1_000_000;

/** Nobody is called: the target calls us, and is missed when it does not. */
export const heartbeat: Check<"heartbeat"> = {
  type: "heartbeat",
  secrets: ({ token = "" }) => [token],

  async attempt(config, { heartbeat: beat }, { clock }) {
    if (beat === null) return outcomeOf([{ status: "up", text: "waiting for the first call" }], {});
    return outcomeOf([judgeHeartbeat(config, beat, clock.nowMicros())], {
      last_call: beat.lastCallAt,
      due: formatMicros(heartbeatDueMicros(config, beat)),
    });
  },
};

/** When a target that has not called until then is down. */
export function heartbeatDueMicros(
  { period, grace = heartbeatKind.defaults.grace }: Pick<HeartbeatCheck, "period" | "grace">,
  beat: Heartbeat,
): number {
  const since = parseMicros(beat.awaitedSince);
  const last = beat.lastCallAt === null ? since : Math.max(since, parseMicros(beat.lastCallAt));
  return last + ((period ?? beat.interval) + grace) * SECOND_MICROS;
}

/** What the calls of a target say about it at a time. */
export function judgeHeartbeat(
  config: Pick<HeartbeatCheck, "period" | "grace">,
  beat: Heartbeat,
  nowMicros: number,
): Finding {
  const isOverdue = nowMicros > heartbeatDueMicros(config, beat);
  if (beat.lastCallAt === null)
    return isOverdue
      ? { status: "down", text: "it has never called" }
      : { status: "up", text: "waiting for the first call" };
  const ago = Math.max(0, Math.round((nowMicros - parseMicros(beat.lastCallAt)) / SECOND_MICROS));
  if (isOverdue) return { status: "down", text: `no call for ${ago} s` };
  if (beat.hasFailed) return { status: "down", text: "its last call told of a failure" };
  return { status: "up", text: `called ${ago} s ago` };
}
