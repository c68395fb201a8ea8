import { Int, Model } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { type Static, Type } from "typebox";
import { defineCheck, type HeartbeatCalls } from "./check.ts";
import { type CheckFinding, outcomeOf } from "./outcome.ts";

const MAX_SECONDS = 2_678_400;

const HeartbeatCheck = Model(
  {
    type: Type.Literal("heartbeat"),
    token: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{22,64}$",
        description: "The target calls `/heartbeat/{token}`; one is made when it is left out",
      }),
    ),
    period: Type.Optional(
      Int({
        minimum: 1,
        maximum: MAX_SECONDS,
        description: "Seconds between two calls; the monitor's interval when left out",
      }),
    ),
    grace: Type.Optional(
      Int({ minimum: 0, maximum: MAX_SECONDS, description: "Seconds that a call may be late" }),
    ),
  },
  { $id: "HeartbeatCheck", title: "Heartbeat from the target" },
);
type HeartbeatCheck = Static<typeof HeartbeatCheck>;

const DEFAULTS = { grace: 60 } as const;

const SECOND_MICROS = 1_000_000;

/** Nobody is called: the target calls us, and is missed when it does not. */
export const heartbeatCheck = defineCheck(HeartbeatCheck, {
  title: "Heartbeat",
  about: "Your job calls us; silence is down",
  icon: "clock",
  defaults: DEFAULTS,
  fields: [
    { key: "period", label: "Calls every (s)", kind: "number", hint: "Else the interval" },
    { key: "grace", label: "May be late by (s)", kind: "number" },
  ],

  secrets: ({ token = "" }) => [token],

  async attempt(config, { heartbeat: beat }, { clock }) {
    if (beat === null) return outcomeOf([{ status: "up", text: "waiting for the first call" }], {});
    return outcomeOf([evaluateHeartbeat(config, beat, clock.nowMicros())], {
      last_call: beat.lastCallAt,
      due: formatMicros(heartbeatDueMicros(config, beat)),
    });
  },
});

/** When a target that has not called until then is down. */
export function heartbeatDueMicros(
  { period, grace = DEFAULTS.grace }: Pick<HeartbeatCheck, "period" | "grace">,
  beat: HeartbeatCalls,
): number {
  const allowed = ((period ?? beat.interval) + grace) * SECOND_MICROS;
  return silentSince(beat) + allowed + beat.unheardMicros;
}

/** The last call, or since when one is awaited. */
export function silentSince({
  awaitedSince,
  lastCallAt,
}: Pick<HeartbeatCalls, "awaitedSince" | "lastCallAt">): number {
  const since = parseMicros(awaitedSince);
  return lastCallAt === null ? since : Math.max(since, parseMicros(lastCallAt));
}

/** What the calls of a target say about it at a time. */
export function evaluateHeartbeat(
  config: Pick<HeartbeatCheck, "period" | "grace">,
  beat: HeartbeatCalls,
  nowMicros: number,
): CheckFinding {
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
