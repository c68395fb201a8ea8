import { Flag, Model, StringEnum } from "@orchestrator/contract";
import { MASK } from "@orchestrator/kernel/pure";
import { type CallAnswer, decodeBody } from "@orchestrator/outbound";
import { type Static, Type } from "typebox";
import { expiry } from "./certificate.ts";
import { type CheckAttempt, defineCheck } from "./check.ts";
import { evaluateWithinBudget } from "./evaluate-within-budget.ts";
import { BUSY, endsMicros, exchangeDetails, failedExchange } from "./exchange-outcome.ts";
import {
  type EvaluatedBody,
  ExpectedStatus,
  evaluateStatus,
  expectsText,
  JsonExpectation,
  Texts,
} from "./expectations.ts";
import { basic, callThrough, type HttpExchangeRequest, MAX_BODY_BYTES } from "./http-exchange.ts";
import { outcomeOf, slowness } from "./outcome.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  certificateFields,
  DegradedAfterMs,
  slowField,
  VerifyTls,
  WarnDays,
} from "./parts.ts";
import { bodySecrets, headerSecrets, isSecretHeader } from "./secrets.ts";

const MAX_BODY = 65_536;
const MAX_HEADERS = 50;
const MAX_HEADER_VALUE = 8192;

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

const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const HttpCheck = Model(
  {
    type: Type.Literal("http"),
    headers: Type.Optional(Headers),
    method: Type.Optional(StringEnum(HTTP_METHODS, { description: "GET when left out" })),
    body: Type.Optional(Type.String({ maxLength: MAX_BODY })),
    body_secret: Type.Optional(
      Flag({ description: "Whether the body is sealed and shown as a mask; false when left out" }),
    ),
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
type HttpCheck = Static<typeof HttpCheck>;

const DEFAULTS = {
  method: "GET",
  body_secret: false,
  follow_redirects: true,
  verify_tls: true,
  ...attemptDefaults,
} as const;

const NOTHING_JUDGED: EvaluatedBody = { findings: [], assertions: [] };

/** Sends one request and looks at the answer. */
export const httpCheck = defineCheck(HttpCheck, {
  about: "Asks a web address and looks at the answer",
  icon: "link",
  title: "HTTP",
  defaults: DEFAULTS,
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
      key: "body_secret",
      label: "The body is secret",
      kind: "flag",
      hint: "It is sealed and never shown again",
      rare: true,
    },
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

  secrets: ({ headers = {}, body = "", body_secret = false }) => [
    ...headerSecrets(headers),
    ...(body_secret ? bodySecrets(body) : []),
  ],
  // What may have been done is not done again unless somebody asks for it.
  retries: ({ method = DEFAULTS.method }) =>
    method === "POST" || method === "PATCH" ? 0 : DEFAULTS.retries,

  problems: ({ headers = {}, expected_status = [], body, body_secret = false }) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const backwards = expected_status.filter((range) => {
      const [from = 0, until = from] = String(range).split("-").map(Number);
      return until < from;
    });
    return [
      ...(new Set(names).size < names.length ? ["names a header twice"] : []),
      ...(body === MASK && !body_secret
        ? ["has the mask of a secret for its body: give the body, or set body_secret"]
        : []),
      ...backwards.map((range) => `expects the range ${range}, which ends before it begins`),
    ];
  },

  mapSecrets: (config, change) => {
    const { headers, body = "", body_secret = false } = config;
    const mapped = Object.entries(headers ?? {}).map(([name, value]) => {
      const isSecret = isSecretHeader(name) && value !== "";
      return [name, isSecret ? change(value, `headers/${name.toLowerCase()}`) : value] as const;
    });
    return {
      ...config,
      ...(headers !== undefined && { headers: Object.fromEntries(mapped) }),
      ...(body_secret && body !== "" && { body: change(body, "body") }),
    };
  },

  withCredentials: (config, { username, password }) => {
    const { headers = {} } = config;
    if (Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) return config;
    return { ...config, headers: { ...headers, Authorization: basic(username, password) } };
  },

  async attempt(config, { url }, run) {
    const request = requestOf(config, url);
    const startedAt = performance.now();
    const trip = await callThrough(request, run);
    const elapsedMs = performance.now() - startedAt;
    const { answer, error } = trip.report;
    if (error !== null || answer === null) return failedExchange(trip, run);

    const status = evaluateStatus(answer.status, config.expected_status);
    const { findings, assertions } = expectsText(config)
      ? await judge(config, answer, run)
      : NOTHING_JUDGED;
    const details = exchangeDetails(trip, run);
    if (assertions.length > 0) details["assertions"] = assertions;
    return outcomeOf(
      [
        status,
        ...findings,
        ...slowness(elapsedMs, config.degraded_after_ms),
        ...expiry(trip.tls, config.tls_warn_days, run.clock),
      ],
      details,
      {
        isTransient: BUSY.has(answer.status) && status.status !== "up",
        certificateEndsMicros: endsMicros(trip),
      },
    );
  },
});

/**
 * The same object for as long as it is the same request, so that what follows from it is worked out
 * once.
 */
const requests = new WeakMap<HttpCheck, HttpExchangeRequest>();

function requestOf(config: HttpCheck, url: string): HttpExchangeRequest {
  const known = requests.get(config);
  if (known?.url === url) return known;
  const { method, verify_tls: verify, follow_redirects, ...given } = { ...DEFAULTS, ...config };
  const { headers = {}, body = null } = given;
  const follow = follow_redirects ? "everywhere" : "never";
  const request: HttpExchangeRequest = { method, url, headers, body, verify, follow };
  requests.set(config, request);
  return request;
}

async function judge(
  config: HttpCheck,
  answer: CallAnswer,
  run: CheckAttempt,
): Promise<EvaluatedBody> {
  return evaluateWithinBudget(config, await decodeBody(answer, MAX_BODY_BYTES), run);
}
