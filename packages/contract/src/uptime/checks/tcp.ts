import { type Static, Type } from "typebox";
import { Model } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  DegradedAfterMs,
  hostField,
  MAX_TEXT,
  portField,
  slowField,
  target,
} from "./parts.ts";

export const TcpCheck = Model(
  {
    type: Type.Literal("tcp"),
    ...target,
    send: Type.Optional(
      Type.String({ maxLength: MAX_TEXT, description: "Sent once the connection is open" }),
    ),
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT,
        description: "What must be in the first 64 KiB that the other side says",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "TcpCheck", title: "TCP connection" },
);
export type TcpCheck = Static<typeof TcpCheck>;

export const tcpKind = checkKind(TcpCheck, {
  title: "TCP",
  about: "Opens a connection to a port",
  icon: "pool",
  defaults: attemptDefaults,
  fields: [
    hostField,
    portField,
    { key: "send", label: "Send", kind: "text", rare: true },
    { key: "contains", label: "The answer holds", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],
});
