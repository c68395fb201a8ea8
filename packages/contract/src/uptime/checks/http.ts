import { type Static, Type } from "typebox";
import { Flag, JsonValue, Model, StringEnum } from "../../schema/index.ts";
import { checkKind } from "./check-kind.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  certificateFields,
  DegradedAfterMs,
  MAX_TEXT,
  slowField,
  VerifyTls,
  WarnDays,
} from "./parts.ts";

const MAX_BODY = 65_536;
const MAX_HEADERS = 50;
const MAX_HEADER_VALUE = 8192;

/** What a failed expectation makes of the check. */
const SEVERITIES = ["fail", "warn"] as const;

const Severity = StringEnum(SEVERITIES, {
  description: "`fail`, which is meant when it is left out, makes the check down, `warn` degraded",
});

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

const JSON_COMPARISONS = [
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

const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

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

export const httpKind = checkKind(HttpCheck, {
  about: "Asks a web address and looks at the answer",
  icon: "link",
  title: "HTTP",
  defaults: { method: "GET", follow_redirects: true, verify_tls: true, ...attemptDefaults },
  prefill: { expected_status: ["200-399"], degraded_after_ms: 2000, retries: 1 },
  fields: [
    {
      key: "expected_status",
      label: "Expected status",
      kind: "list",
      placeholder: "200-399, 401",
      hint: "Codes and ranges; any other is down. Empty: 400 and above is degraded",
    },
    slowField,
    { key: "contains", label: "The body holds", kind: "lines", hint: "One text a line" },
    { key: "json", label: "The JSON of the body", kind: "expectations" },
    { key: "method", label: "Method", kind: "choice", rare: true },
    {
      key: "headers",
      label: "Headers",
      kind: "headers",
      hint: "Values that look secret are sealed and never shown again",
      rare: true,
    },
    { key: "body", label: "Body", kind: "area", rare: true },
    {
      key: "not_contains",
      label: "The body does not hold",
      kind: "lines",
      hint: "One text a line",
      rare: true,
    },
    ...attemptFields,
    { key: "follow_redirects", label: "Follow redirects", kind: "flag", rare: true },
    ...certificateFields,
  ],
});
