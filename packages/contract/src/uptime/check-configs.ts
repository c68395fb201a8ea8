import { type Static, Type } from "typebox";
import { Int, Model, StringEnum, TaggedUnion } from "../schema/index.ts";
import {
  attempts,
  DegradedAfterMs,
  Host,
  MAX_HOST,
  MAX_TEXT,
  target,
  VerifyTls,
  WarnDays,
} from "./check-parts.ts";
import { HttpCheck } from "./http-check.ts";

const MAX_SECONDS = 2_678_400;

export const CHECK_TYPES = ["http", "instance", "tcp", "dns", "tls", "ping", "heartbeat"] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

export const InstanceCheck = Model(
  {
    type: Type.Literal("instance"),
    username: Type.Optional(Type.String({ maxLength: 255 })),
    password: Type.Optional(secretText("Sealed, and shown as a mask")),
    path: Type.Optional(
      Type.String({
        maxLength: 1000,
        // One slash at the beginning: two would lead to another host.
        pattern: "^/(?![/\\\\])[^\\\\\\s]*$|^/$",
        description: "Behind `url`; `/api/system/info` when left out",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
    verify_tls: Type.Optional(VerifyTls),
    tls_warn_days: Type.Optional(WarnDays),
  },
  { $id: "InstanceCheck", title: "Instance with system info" },
);
export type InstanceCheck = Static<typeof InstanceCheck>;

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

export const DNS_RECORDS = [
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "NS",
  "TXT",
  "SRV",
  "CAA",
  "SOA",
  "PTR",
] as const;

export const DnsCheck = Model(
  {
    type: Type.Literal("dns"),
    host: target.host,
    record: Type.Optional(StringEnum(DNS_RECORDS, { description: "A when left out" })),
    server: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_HOST,
        description: "The address of the name server to ask, with a port if it is not 53",
      }),
    ),
    expected: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 50,
        description: "All of these must be among the answers",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "DnsCheck", title: "DNS record" },
);
export type DnsCheck = Static<typeof DnsCheck>;

export const TlsCheck = Model(
  {
    type: Type.Literal("tls"),
    ...target,
    servername: Type.Optional(
      Host("The name that the certificate must be for, when it is not the host"),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
    tls_warn_days: Type.Optional(WarnDays),
  },
  { $id: "TlsCheck", title: "Certificate" },
);
export type TlsCheck = Static<typeof TlsCheck>;

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

export const CheckConfig = TaggedUnion(
  "type",
  [HttpCheck, InstanceCheck, TcpCheck, DnsCheck, TlsCheck, PingCheck, HeartbeatCheck],
  { $id: "CheckConfig", description: "One check of a pipeline" },
);
export type CheckConfig = Static<typeof CheckConfig>;

function secretText(description: string) {
  return Type.Unsafe<string>({ type: "string", maxLength: 1000, secret: true, description });
}
