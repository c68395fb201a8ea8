import { type HttpCheck, httpKind } from "@orchestrator/contract";
import { type CallAnswer, decodeBody } from "@orchestrator/kernel";
import { certificateDetails, expiry } from "./certificate.ts";
import type { Check, CheckOutcome, CheckRun } from "./check.ts";
import { type Judged, judgeBody, judgeStatus, wantsText } from "./expectations.ts";
import { callThrough, MAX_BODY_BYTES, type Trip, type TripRequest } from "./http-trip.ts";
import { doing, failed, outcomeOf, roundTimings, shown, slowness } from "./outcome.ts";
import { headerSecrets } from "./secrets.ts";

/** A busy server, or one in front of it, may answer better in a moment. */
export const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

const DEFAULTS = httpKind.defaults;
const NOTHING_JUDGED: Judged = { findings: [], assertions: [] };

/** Sends one request and looks at the answer. */
export const http: Check<"http"> = {
  type: "http",
  secrets: ({ headers = {} }) => headerSecrets(headers),
  // What may have been done is not done again unless somebody asks for it.
  retries: ({ method = DEFAULTS.method }) =>
    method === "POST" || method === "PATCH" ? 0 : DEFAULTS.retries,

  async attempt(config, { url }, run) {
    const request = requestOf(config, url);
    const startedAt = performance.now();
    const trip = await callThrough(request, run);
    const elapsedMs = performance.now() - startedAt;
    const { answer, error } = trip.report;
    if (error !== null || answer === null) return failedTrip(trip, run);

    const status = judgeStatus(answer.status, config.expected_status);
    const { findings, assertions } = wantsText(config)
      ? await judge(config, answer, run)
      : NOTHING_JUDGED;
    const details = tripDetails(trip, run);
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
};

/** The same object for as long as it is the same request, so that what follows from it is worked out once. */
const requests = new WeakMap<HttpCheck, TripRequest>();

function requestOf(config: HttpCheck, url: string): TripRequest {
  const known = requests.get(config);
  if (known?.url === url) return known;
  const { method, verify_tls: verify, follow_redirects, ...given } = { ...DEFAULTS, ...config };
  const { headers = {}, body = null } = given;
  const follow = follow_redirects ? "everywhere" : "never";
  const request: TripRequest = { method, url, headers, body, verify, follow };
  requests.set(config, request);
  return request;
}

async function judge(config: HttpCheck, answer: CallAnswer, { hide }: CheckRun): Promise<Judged> {
  return judgeBody(config, await decodeBody(answer, MAX_BODY_BYTES), hide);
}

/** The outcome of a trip that ended before there was a whole answer. */
export function failedTrip(trip: Trip, run: CheckRun): CheckOutcome {
  return failed(trip.report.error, run, {
    doing: doing(trip.report.step),
    details: tripDetails(trip, run),
    special: { certificateEndsMicros: endsMicros(trip) },
  });
}

export function tripDetails(trip: Trip, { clock, hide }: CheckRun): Record<string, unknown> {
  const { report, url, redirects, timings, tls } = trip;
  const details: Record<string, unknown> = {};
  if (report.answer !== null) details["status_code"] = report.answer.status;
  details["timings"] = roundTimings(timings);
  if (tls !== null) Object.assign(details, certificateDetails(tls, clock));
  if (redirects > 0) {
    details["redirects"] = redirects;
    // Without its query, which is where sites put tokens.
    details["final_url"] = shown(url.origin + url.pathname, hide, 500);
  }
  return details;
}

export const endsMicros = ({ tls }: Trip): number | null => tls?.certificate?.validToMicros ?? null;
