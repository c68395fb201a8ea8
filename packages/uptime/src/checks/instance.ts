import { Model } from "@orchestrator/contract";
import { type CallAnswer, decodeBody } from "@orchestrator/outbound";
import { Type } from "typebox";
import { expiry } from "./certificate.ts";
import { type CheckAttempt, type CheckOutcome, defineCheck } from "./check.ts";
import { BUSY, endsMicros, exchangeDetails, failedExchange } from "./exchange-outcome.ts";
import { statusText } from "./expectations.ts";
import { basic, callThrough, type HttpExchange, MAX_BODY_BYTES } from "./http-exchange.ts";
import { type CheckFinding, outcomeOf, slowness } from "./outcome.ts";
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
import { printableLine } from "./printable-line.ts";
import { credentialSecrets } from "./secrets.ts";

const Password = Type.Unsafe<string>({
  type: "string",
  maxLength: 1000,
  secret: true,
  description: "Sealed, and shown as a mask",
});

const InstanceCheck = Model(
  {
    type: Type.Literal("instance"),
    username: Type.Optional(Type.String({ maxLength: 255 })),
    password: Type.Optional(Password),
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

const DEFAULTS = { path: "/api/system/info", verify_tls: true, ...attemptDefaults } as const;

/** Signs in and reads what the target says about itself. */
export const instanceCheck = defineCheck(InstanceCheck, {
  title: "Instance",
  about: "Logs in and reads version, revision and build",
  icon: "deployment",
  defaults: DEFAULTS,
  prefill: { retries: 1 },
  fields: [
    {
      key: "username",
      label: "User name",
      kind: "text",
      hint: "An account with few rights is enough",
    },
    { key: "password", label: "Password", kind: "secret" },
    { key: "path", label: "Path", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
    ...certificateFields,
  ],

  secrets: ({ username = "", password = "" }) => credentialSecrets({ username, password }),

  withCredentials: (config, user) =>
    config.username === undefined ? { ...config, ...user } : config,

  async attempt(config, target, run) {
    const { path, verify_tls: verify, ...given } = { ...DEFAULTS, ...config };
    const { username = "", password = "" } = given;
    const hasUser = username !== "" || password !== "";
    const headers = {
      accept: "application/json",
      // Asks for a refusal that can be told from an answer, not for a page to log in.
      "x-requested-with": "XMLHttpRequest",
      ...(hasUser && { authorization: basic(username, password) }),
    };
    const url = instanceUrl(target.url, path);
    const startedAt = performance.now();
    const trip = await callThrough(
      { method: "GET", url, headers, body: null, verify, follow: "same-origin" },
      run,
    );
    const elapsedMs = performance.now() - startedAt;
    const { answer, error } = trip.report;
    if (error !== null || answer === null) return failedExchange(trip, run);
    return judge(trip, answer, run, [
      ...slowness(elapsedMs, config.degraded_after_ms),
      ...expiry(trip.tls, config.tls_warn_days, run.clock),
    ]);
  },
});

/** The path behind the address of the target, which may have been copied from a page of it. */
export function instanceUrl(base: string, path: string): string {
  if (!URL.canParse(base)) return base;
  const url = new URL(base);
  url.search = "";
  url.hash = "";
  const root = url.pathname.replace(/\/(?:login|[a-z0-9]+-web-[^/]*)(?:[./].*)?$/, "");
  const [pathname = "", ...query] = path.split("?");
  url.pathname = root.replace(/\/+$/, "") + pathname;
  url.search = query.join("?");
  return url.href;
}

async function judge(
  trip: HttpExchange,
  answer: CallAnswer,
  run: CheckAttempt,
  more: readonly CheckFinding[],
): Promise<CheckOutcome> {
  const code = answer.status;
  const details = exchangeDetails(trip, run);
  const special = { certificateEndsMicros: endsMicros(trip), isTransient: BUSY.has(code) };
  const down = (text: string) =>
    ({ found: { status: "down", text }, details: { ...details, error: text } }) as const;
  if (code === 401 || code === 403) {
    const refused = down(`authentication failed (${code})`);
    return outcomeOf([refused.found], refused.details, { ...special, isAuthFailure: true });
  }
  if (code !== 200)
    return outcomeOf([{ status: "degraded", text: statusText(code) }, ...more], details, special);
  const info = systemInfo((await decodeBody(answer, MAX_BODY_BYTES)).text, run);
  if (typeof info === "string") {
    const other = down(info);
    return outcomeOf([other.found, ...more], other.details, special);
  }
  const found = { status: "up", text: info.version } as const;
  return outcomeOf([found, ...more], { ...info, ...details }, special);
}

interface SystemInfo {
  readonly version: string;
  readonly revision?: string;
  readonly build_time?: string;
  readonly server_date?: string;
}

/**
 * What the answer says of the target, or what is wrong with it: a page to log in is no such answer.
 */
function systemInfo(text: string, { hide }: CheckAttempt): SystemInfo | string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return /^\s*</.test(text) ? "the answer is a web page" : "the answer is not JSON";
  }
  const facts = (typeof answer === "object" && answer !== null ? answer : {}) as Readonly<
    Record<string, unknown>
  >;
  const fact = (name: string): string | undefined => {
    const value = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return typeof value === "string" && value.trim() !== ""
      ? printableLine(value, hide)
      : undefined;
  };
  const version = fact("version");
  if (version === undefined) return "the answer has no version";
  const rest = {
    revision: fact("revision"),
    build_time: fact("buildTime"),
    server_date: fact("serverDate"),
  };
  return { version, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)) };
}
