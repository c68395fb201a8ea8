import type { Static } from "typebox";
import { TaggedUnion } from "../../schema/index.ts";
import { dnsKind } from "./dns.ts";
import { heartbeatKind } from "./heartbeat.ts";
import { httpKind } from "./http.ts";
import { instanceKind } from "./instance.ts";
import { pingKind } from "./ping.ts";
import { tcpKind } from "./tcp.ts";
import { tlsKind } from "./tls.ts";

/** Every type of check there is, in the order in which a form offers them. */
export const CHECK_KINDS = {
  http: httpKind,
  instance: instanceKind,
  tcp: tcpKind,
  dns: dnsKind,
  tls: tlsKind,
  ping: pingKind,
  heartbeat: heartbeatKind,
} as const;

export type CheckType = keyof typeof CHECK_KINDS;

export const CheckConfig = TaggedUnion(
  "type",
  Object.values(CHECK_KINDS).map(({ schema }) => schema),
  { $id: "CheckConfig", description: "One check of a pipeline" },
);
export type CheckConfig = Static<typeof CheckConfig>;
