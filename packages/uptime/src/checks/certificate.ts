// What the checks make of a certificate.

import { type Clock, formatMicros } from "@orchestrator/kernel/pure";
import type { TlsFacts } from "@orchestrator/outbound";
import type { CheckFinding } from "./outcome.ts";

const DAY_MICROS = 86_400_000_000;

export function certificateDetails(
  tls: TlsFacts | null,
  clock: Clock,
): { readonly tls?: Readonly<Record<string, unknown>> } {
  const certificate = tls?.certificate;
  if (tls === null || certificate === null || certificate === undefined) return {};
  const ends = certificate.validToMicros;
  return {
    tls: {
      subject: certificate.subject,
      issuer: certificate.issuer,
      valid_to: ends === null ? null : formatted(ends),
      days_left: ends === null ? null : daysLeft(ends, clock),
      protocol: tls.protocol,
      ...(tls.problem !== null && { problem: tls.problem.text }),
    },
  };
}

export function expiry(
  tls: TlsFacts | null,
  warnDays: number | undefined,
  clock: Clock,
): readonly CheckFinding[] {
  const ends = tls?.certificate?.validToMicros ?? null;
  if (ends === null || warnDays === undefined) return [];
  const left = ends - clock.nowMicros();
  if (left > warnDays * DAY_MICROS) return [];
  const days = daysLeft(ends, clock);
  const when = days < 0 ? "has ended" : `ends in ${days} ${days === 1 ? "day" : "days"}`;
  return [{ status: "degraded", text: `the certificate ${when}` }];
}

/** As a timestamp; null for a time that cannot be written as one. */
export function formatted(micros: number): string | null {
  try {
    return formatMicros(micros);
  } catch {
    return null;
  }
}

const daysLeft = (ends: number, clock: Clock): number =>
  Math.floor((ends - clock.nowMicros()) / DAY_MICROS);
