// One check of a run: its attempts, each with its own time, all of them within what is left of the run.

import type { CheckConfig } from "@orchestrator/contract";
import { OutboundError, sleep, within } from "@orchestrator/kernel";
import type { Check, CheckOutcome, CheckRun, CheckTarget } from "./check.ts";
import { failed } from "./outcome.ts";
import { CHECKS } from "./registry.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/** A moment for what was wrong to pass. */
const RETRY_PAUSE_MS = 500;

export interface RunLimits extends Omit<CheckRun, "timeoutMs"> {
  /** When the run must be over, on the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

/** Never throws. */
export async function runCheck(
  config: CheckConfig,
  target: CheckTarget,
  run: RunLimits,
): Promise<CheckOutcome> {
  const check = findCheck(config);
  if (check === null) return failed(unknownType(), { timeoutMs: 0 });
  const retries = attemptsOf(config).retries ?? check.retries(config);
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(check, config, target, run);
    const isOver = run.signal.aborted || performance.now() + RETRY_PAUSE_MS >= run.endsAtMs;
    if (!outcome.isTransient || tries > retries || isOver)
      return tries === 1
        ? outcome
        : { ...outcome, details: { ...outcome.details, attempts: tries } };
    await sleep(RETRY_PAUSE_MS, run.signal);
  }
}

export function findCheck(config: CheckConfig): Check | null {
  // One that a newer server has stored may not be known here.
  return Object.hasOwn(CHECKS, config.type) ? (CHECKS[config.type] as Check) : null;
}

async function attempt(
  check: Check,
  config: CheckConfig,
  target: CheckTarget,
  { endsAtMs, ...run }: RunLimits,
): Promise<CheckOutcome> {
  const leftMs = endsAtMs - performance.now();
  const timeoutMs = Math.round(
    Math.min(attemptsOf(config).timeout_ms ?? DEFAULT_TIMEOUT_MS, leftMs),
  );
  if (timeoutMs < 1)
    return failed(new OutboundError("stopped", "The time of the run was over before it began"), {
      timeoutMs,
    });
  if (run.signal.aborted)
    return failed(new OutboundError("stopped", "The server stops"), { timeoutMs });
  const limits = { timeoutMs, stopping: run.signal, graceMs: 0 };
  try {
    return await within(limits, (signal) =>
      check.attempt(config, target, { ...run, signal, timeoutMs }),
    );
  } catch (error) {
    return failed(error, { timeoutMs });
  }
}

function attemptsOf(config: CheckConfig): {
  readonly timeout_ms?: number;
  readonly retries?: number;
} {
  return config.type === "heartbeat" ? {} : config;
}

const unknownType = (): OutboundError =>
  new OutboundError("invalid", "This server does not know the check");
