import { type Static, Type } from "typebox";
import { Int, Model } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";

const MAX_SECONDS = 2_678_400;

export const HeartbeatCheck = Model(
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
export type HeartbeatCheck = Static<typeof HeartbeatCheck>;

export const heartbeatKind = checkKind(HeartbeatCheck, {
  title: "Heartbeat",
  about: "Your job calls us; silence is down",
  icon: "clock",
  defaults: { grace: 60 },
  fields: [
    { key: "period", label: "Calls every (s)", kind: "number", hint: "Else the interval" },
    { key: "grace", label: "May be late by (s)", kind: "number" },
  ],
});
