// What the checks that send requests make of a trip.

import { certificateDetails } from "./certificate.ts";
import type { CheckAttempt, CheckOutcome } from "./check.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { doing, failedOutcome, roundTimings } from "./outcome.ts";
import { printableLine } from "./printable-line.ts";

/** A busy server, or one in front of it, may answer better in a moment. */
export const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

/** The outcome of a trip that ended before there was a whole answer. */
export function failedExchange(trip: HttpExchange, run: CheckAttempt): CheckOutcome {
  return failedOutcome(trip.report.error, run, {
    doing: doing(trip.report.step),
    details: exchangeDetails(trip, run),
    special: { certificateEndsMicros: endsMicros(trip) },
  });
}

export function exchangeDetails(
  trip: HttpExchange,
  { clock, hide }: CheckAttempt,
): Record<string, unknown> {
  const { report, url, redirects, timings, tls } = trip;
  const details: Record<string, unknown> = {};
  if (report.answer !== null) details["status_code"] = report.answer.status;
  details["timings"] = roundTimings(timings);
  if (tls !== null) Object.assign(details, certificateDetails(tls, clock));
  if (redirects > 0) {
    details["redirects"] = redirects;
    // Without its query, which is where sites put tokens.
    details["final_url"] = printableLine(url.origin + url.pathname, hide, 500);
  }
  return details;
}

export const endsMicros = ({ tls }: HttpExchange): number | null =>
  tls?.certificate?.validToMicros ?? null;
