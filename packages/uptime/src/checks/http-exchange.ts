// A request and the redirects it is sent through. Each hop is a connection of its own to an address
// that is looked up and judged again, and nothing secret goes along when a hop leads to another
// origin.

import {
  type CallReport,
  type CallTimings,
  callHttp,
  type HttpCall,
  OutboundError,
  parseOutboundUrl,
  type TlsFacts,
  trusting,
} from "@orchestrator/outbound";
import type { CheckAttempt } from "./check.ts";
import { CALL_STEPS } from "./outcome.ts";
import { credentialsOf, isHarmlessHeader } from "./secrets.ts";

export interface HttpExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly verify: boolean;
  readonly follow: "everywhere" | "same-origin" | "never";
}

export interface HttpExchange {
  /** What came of the last hop. */
  readonly report: CallReport;
  /** Where the last hop led. */
  readonly url: URL;
  readonly redirects: number;
  /** Over all hops. */
  readonly timings: CallTimings;
  /** Of the certificates that were seen, the one that ends first. */
  readonly tls: TlsFacts | null;
}

export const MAX_BODY_BYTES = 1_048_576;
const MAX_REDIRECTS = 10;
const DEFAULT_HEADERS = { accept: "*/*", "user-agent": "orchestrator-uptime" };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Throws an `OutboundError` only when there is no address to begin with. */
export async function callThrough(
  request: HttpExchangeRequest,
  run: CheckAttempt,
): Promise<HttpExchange> {
  let call = knownCall(request);
  const { signal, policy, resolve, authorities } = run;
  const connecting =
    authorities === undefined
      ? { signal, policy, resolve }
      : { signal, policy, resolve, context: trusting(authorities) };
  const reports: CallReport[] = [];
  for (;;) {
    const report = await callHttp(call, connecting);
    reports.push(report);
    const next = nextCall(call, report, request.follow);
    if (next instanceof OutboundError) report.error = next;
    else if (next !== null && reports.length > MAX_REDIRECTS)
      report.error = new OutboundError("invalid", "The redirects go round in circles");
    else if (next !== null) {
      call = next;
      continue;
    }
    return {
      report,
      url: call.url,
      redirects: reports.length - 1,
      timings: totals(reports),
      tls: firstToEnd(reports),
    };
  }
}

/** A monitor asks the same thing for as long as it is not changed. */
const calls = new WeakMap<HttpExchangeRequest, HttpCall>();

function knownCall(request: HttpExchangeRequest): HttpCall {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const call = firstCall(request);
  calls.set(request, call);
  return call;
}

function firstCall({ follow, ...request }: HttpExchangeRequest): HttpCall {
  const url = parseOutboundUrl(request.url);
  const user = credentialsOf(request.url);
  const signIn = user === null ? {} : { authorization: basic(user.username, user.password) };
  const headers = { ...DEFAULT_HEADERS, ...signIn, ...lowerCased(request.headers) };
  const wantsBody: HttpCall["wantsBody"] = (status, answered) =>
    follow === "never" || !REDIRECTS.has(status) || answered["location"] === undefined;
  return {
    ...request,
    url: withoutUser(url),
    headers,
    maxBodyBytes: MAX_BODY_BYTES,
    wantsBody,
  };
}

/**
 * The hop that an answer asks for; null when the answer is the end, an error when it must not be
 * made.
 */
function nextCall(
  call: HttpCall,
  { answer, error }: CallReport,
  follow: HttpExchangeRequest["follow"],
): HttpCall | OutboundError | null {
  const location = answer?.headers["location"];
  if (error !== null || answer === null || location === undefined) return null;
  if (follow === "never" || !REDIRECTS.has(answer.status)) return null;
  // Addresses that are not escaped come as bytes of UTF-8.
  const text = Buffer.from(location, "latin1").toString("utf8");
  if (!URL.canParse(text, call.url.href))
    return new OutboundError("invalid", "A redirect leads to what is no address");
  const url = withoutUser(new URL(text, call.url));
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return new OutboundError("refused", "A redirect leads to neither http nor https");
  const isSameOrigin = url.origin === call.url.origin;
  if (!isSameOrigin && follow === "same-origin") return null;
  const becomesGet = answer.status === 303 ? call.method !== "HEAD" : isRewritten(call, answer);
  const body = becomesGet ? null : call.body;
  if (!isSameOrigin && body !== null)
    return new OutboundError("refused", "A redirect would take the body to another origin");
  const kept = Object.entries(call.headers).filter(
    ([name]) => (isSameOrigin || isHarmlessHeader(name)) && !(becomesGet && isOfBody(name)),
  );
  const method = becomesGet ? "GET" : call.method;
  return { ...call, url, method, body, headers: Object.fromEntries(kept) };
}

/** As everybody does it: what was sent by POST is not sent again after a 301 or 302. */
const isRewritten = ({ method }: HttpCall, { status }: { readonly status: number }): boolean =>
  method === "POST" && (status === 301 || status === 302);

const isOfBody = (name: string): boolean => name.startsWith("content-");

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  plain.hash = "";
  return plain;
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function totals(reports: readonly CallReport[]): CallTimings {
  const [first] = reports;
  if (first !== undefined && reports.length === 1) return first.timings;
  const all: CallTimings = {};
  for (const { timings } of reports)
    for (const step of CALL_STEPS) {
      const ms = timings[step];
      if (ms !== undefined) all[step] = (all[step] ?? 0) + ms;
    }
  return all;
}

function firstToEnd(reports: readonly CallReport[]): TlsFacts | null {
  const ends = ({ certificate }: TlsFacts): number =>
    certificate?.validToMicros ?? Number.POSITIVE_INFINITY;
  return reports.reduce<TlsFacts | null>(
    (first, { tls }) =>
      tls !== null && (first === null || tls.problem !== null || ends(tls) < ends(first))
        ? tls
        : first,
    null,
  );
}
