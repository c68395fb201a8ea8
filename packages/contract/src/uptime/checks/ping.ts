import { type Static, Type } from "typebox";
import { Int, Model } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  DegradedAfterMs,
  hostField,
  portField,
  slowField,
  target,
} from "./parts.ts";

export const PingCheck = Model(
  {
    type: Type.Literal("ping"),
    ...target,
    count: Type.Optional(
      Int({ minimum: 1, maximum: 10, description: "How many; 1 when left out" }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "PingCheck", title: "Ping" },
);
export type PingCheck = Static<typeof PingCheck>;

export const pingKind = checkKind(PingCheck, {
  title: "Ping",
  about: "Measures how long a connection takes",
  icon: "monitor",
  defaults: { count: 1, ...attemptDefaults },
  fields: [
    hostField,
    portField,
    { key: "count", label: "How many", kind: "number" },
    { ...slowField, rare: true },
    ...attemptFields,
  ],
});
