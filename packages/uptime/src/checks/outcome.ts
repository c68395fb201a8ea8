// How checks put into words what they saw.

import type { MonitorStatus } from "@orchestrator/contract";
import { type CallTimings, OutboundError } from "@orchestrator/outbound";
import type { CheckAttempt, CheckOutcome } from "./check.ts";

/** One thing that was seen, and what it makes of the check. */
export interface CheckFinding {
  readonly status: MonitorStatus;
  readonly text: string;
}

const RANK: Readonly<Record<MonitorStatus, number>> = { up: 0, degraded: 1, down: 2 };

export function worstOf(statuses: readonly MonitorStatus[]): MonitorStatus {
  return statuses.reduce((worst, status) => (RANK[status] > RANK[worst] ? status : worst), "up");
}

type Special = Partial<Omit<CheckOutcome, "status" | "summary" | "details">>;

/** All findings are told: what passed as well as what did not. */
export function outcomeOf(
  findings: readonly CheckFinding[],
  details: CheckOutcome["details"],
  special: Special = {},
): CheckOutcome {
  const { isTransient, isUnreachable, isAuthFailure, isUndecided, certificateEndsMicros } = special;
  const status = worstOf(findings.map((finding) => finding.status));
  const summary = findings.map(({ text }) => text).join(", ");
  // Named one by one: what is spread into an object costs many times as much, and this is done for
  // every check.
  return {
    status,
    summary,
    details,
    isTransient: isTransient ?? false,
    isUnreachable: isUnreachable ?? false,
    isAuthFailure: isAuthFailure ?? false,
    isUndecided: isUndecided ?? false,
    certificateEndsMicros: certificateEndsMicros ?? null,
  };
}

const TRANSIENT = new Set(["unreachable", "broken", "timeout"]);

export interface CheckFailure {
  /** What was being done when it happened. */
  readonly doing?: string;
  readonly details?: CheckOutcome["details"];
  readonly special?: Special;
}

/** The outcome of an attempt that came to nothing. */
export function failedOutcome(
  error: unknown,
  { timeoutMs }: Pick<CheckAttempt, "timeoutMs">,
  { doing, details = {}, special = {} }: CheckFailure = {},
): CheckOutcome {
  const known =
    error instanceof OutboundError ? error : new OutboundError("broken", "The check itself failed");
  const text =
    known.code === "timeout"
      ? `no answer within ${timeoutMs} ms${doing === undefined ? "" : ` while ${doing}`}`
      : `${known.message.charAt(0).toLowerCase()}${known.message.slice(1)}`;
  const isRefused = known.reason === "ECONNREFUSED";
  return outcomeOf(
    [{ status: "down", text }],
    { ...details, error: text, error_code: known.reason ?? known.code },
    {
      isTransient: TRANSIENT.has(known.code),
      isUnreachable: known.code === "timeout" || (known.code === "unreachable" && !isRefused),
      ...special,
    },
  );
}

/** The target has answered; this server is too busy, or unable, to judge the answer. */
export function undecided(): CheckOutcome {
  const text = "this server could not judge the answer, which says nothing about the target";
  return outcomeOf([{ status: "down", text }], { error: text }, { isUndecided: true });
}

const STEPS: Readonly<Record<keyof CallTimings, string>> = {
  dns: "resolving the name",
  connect: "connecting",
  tls: "agreeing on encryption",
  first_byte: "waiting for the answer",
  download: "reading the answer",
};

/** In the order in which they happen. */
export const CALL_STEPS = Object.keys(STEPS) as readonly (keyof CallTimings)[];

export const doing = (step: keyof CallTimings): string => STEPS[step];

export function slowness(elapsedMs: number, limitMs: number | undefined): readonly CheckFinding[] {
  if (limitMs === undefined || elapsedMs < limitMs) return [];
  return [{ status: "degraded", text: `slow: ${Math.round(elapsedMs)} ms of at most ${limitMs}` }];
}

export const roundMs = (ms: number): number => Math.round(ms * 10) / 10;

export function roundTimings(timings: CallTimings): CallTimings {
  const rounded: CallTimings = {};
  for (const step of CALL_STEPS) {
    const ms = timings[step];
    if (ms !== undefined) rounded[step] = roundMs(ms);
  }
  return rounded;
}
