import { type Static, Type } from "typebox";
import { Flag, Int, JsonValue, Model, StringEnum, TaggedUnion } from "../schema/index.ts";

const MAX_TEXT = 10_000;
const MAX_BODY = 65_536;
const MAX_HEADERS = 50;
const MAX_HEADER_VALUE = 8192;
const MAX_TIMEOUT_MS = 120_000;
const MAX_HOST = 253;
const MAX_SECONDS = 2_678_400;

export const CHECK_TYPES = ["http", "instance", "tcp", "dns", "tls", "ping", "heartbeat"] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

/** What a failed expectation makes of the check. */
const SEVERITIES = ["fail", "warn"] as const;

const Severity = StringEnum(SEVERITIES, {
  description: "`fail`, which is meant when it is left out, makes the check down, `warn` degraded",
});

const TimeoutMs = Int({
  minimum: 100,
  maximum: MAX_TIMEOUT_MS,
  description: "How long one attempt may take",
});

const Retries = Int({
  minimum: 0,
  maximum: 5,
  description: "How often a failed attempt is made again within the run",
});

const DegradedAfterMs = Int({
  minimum: 1,
  maximum: MAX_TIMEOUT_MS,
  description: "From this long on the check is degraded",
});

const VerifyTls = Flag({
  description: "Whether the certificate must be valid; true when left out",
});

const WarnDays = Int({
  minimum: 0,
  maximum: 365,
  description: "The check is degraded when the certificate ends within this many days",
});

const Host = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_HOST,
    pattern: "^[A-Za-z0-9._:\\[\\]-]+$",
    description,
  });

const Port = Int({ minimum: 1, maximum: 65_535 });

/** The host and the port of the monitor's `url` unless these say otherwise. */
const target = {
  host: Type.Optional(Host("The host of `url` when left out")),
  port: Type.Optional(Port),
};

const attempts = { timeout_ms: Type.Optional(TimeoutMs), retries: Type.Optional(Retries) };

const Headers = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  propertyNames: {
    type: "string",
    minLength: 1,
    maxLength: 256,
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  },
  additionalProperties: {
    type: "string",
    maxLength: MAX_HEADER_VALUE,
    pattern: "^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$",
  },
  maxProperties: MAX_HEADERS,
  description: "Sent with the request; those that look secret are sealed and shown as a mask",
});

const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT });

const TextExpectation = Model({
  text: Text,
  severity: Type.Optional(Severity),
});

/** A text alone means that the check fails without it. */
const Texts = (description: string) =>
  Type.Unsafe<string | readonly (string | Static<typeof TextExpectation>)[]>({
    anyOf: [Text, { type: "array", items: { anyOf: [Text, TextExpectation] }, maxItems: 20 }],
    description,
  });

export const JSON_COMPARISONS = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "exists",
  "absent",
] as const;
export type JsonComparison = (typeof JSON_COMPARISONS)[number];

const JsonExpectation = Model({
  path: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "Where the value stands: `status`, `checks[0].state`, `$.data.items`",
  }),
  comparison: Type.Optional(
    StringEnum(JSON_COMPARISONS, {
      description: "`==` when left out; `exists` and `absent` need no value",
    }),
  ),
  value: Type.Optional(JsonValue({ maxJsonLength: MAX_TEXT })),
  severity: Type.Optional(Severity),
});
export type JsonExpectation = Static<typeof JsonExpectation>;

/** A status code or `"200-299"`. */
const ExpectedStatus = Type.Unsafe<readonly (number | string)[]>({
  type: "array",
  items: {
    anyOf: [
      { type: "integer", minimum: 100, maximum: 599 },
      { type: "string", pattern: "^[1-5][0-9]{2}(?:-[1-5][0-9]{2})?$" },
    ],
  },
  minItems: 1,
  maxItems: 50,
  description: "Status codes and ranges such as `200-299`; any other is down",
});

export const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export const HttpCheck = Model(
  {
    type: Type.Literal("http"),
    headers: Type.Optional(Headers),
    method: Type.Optional(StringEnum(HTTP_METHODS, { description: "GET when left out" })),
    body: Type.Optional(Type.String({ maxLength: MAX_BODY })),
    expected_status: Type.Optional(ExpectedStatus),
    contains: Type.Optional(Texts("What the body must hold")),
    not_contains: Type.Optional(Texts("What the body must not hold")),
    json: Type.Optional(
      Type.Array(JsonExpectation, {
        maxItems: 20,
        description: "What the JSON of the body must be",
      }),
    ),
    degraded_after_ms: Type.Optional(DegradedAfterMs),
    ...attempts,
    follow_redirects: Type.Optional(
      Flag({ description: "Whether redirects are followed; true when left out" }),
    ),
    verify_tls: Type.Optional(VerifyTls),
    tls_warn_days: Type.Optional(WarnDays),
  },
  { $id: "HttpCheck", title: "HTTP request" },
);
export type HttpCheck = Static<typeof HttpCheck>;

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
