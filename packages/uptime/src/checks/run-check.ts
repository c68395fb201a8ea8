// One check of a run: its attempts, each with its own time, all of them within what is left of the
// run.

import { isAppError, sleep } from "@orchestrator/kernel/pure";
import { OutboundError, withTimeLimits } from "@orchestrator/outbound";
import type { Attempts, CheckAttempt, CheckOutcome, CheckTarget, CheckType } from "./check.ts";
import { failedOutcome, undecided } from "./outcome.ts";
import { type CheckConfig, findCheck } from "./registry.ts";

/** A moment for what was wrong to pass. */
const RETRY_PAUSE_MS = 500;

export interface CheckDeadline extends Omit<CheckAttempt, "timeoutMs"> {
  /** When the run must be over, on the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

/** Never throws. */
export async function runCheck(
  config: CheckConfig,
  target: CheckTarget,
  run: CheckDeadline,
): Promise<CheckOutcome> {
  const check = findCheck(config);
  if (check === null) return failedOutcome(unknownType(), { timeoutMs: 0 });
  const { timeout_ms, retries } = attemptsOf(check, config);
  const job = { check, config, target, timeout_ms };
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(job, run);
    const isOver = run.signal.aborted || performance.now() + RETRY_PAUSE_MS >= run.endsAtMs;
    if (!outcome.isTransient || tries > retries || isOver)
      return tries === 1
        ? outcome
        : { ...outcome, details: { ...outcome.details, attempts: tries } };
    await sleep(RETRY_PAUSE_MS, run.signal);
  }
}

interface Job {
  readonly check: CheckType<CheckConfig>;
  readonly config: CheckConfig;
  readonly target: CheckTarget;
  readonly timeout_ms: number;
}

async function attempt(
  { check, config, target, timeout_ms }: Job,
  run: CheckDeadline,
): Promise<CheckOutcome> {
  const leftMs = run.endsAtMs - performance.now();
  const timeoutMs = Math.round(Math.min(timeout_ms, leftMs));
  if (timeoutMs < 1)
    return failedOutcome(
      new OutboundError("stopped", "The time of the run was over before it began"),
      {
        timeoutMs,
      },
    );
  if (run.signal.aborted)
    return failedOutcome(new OutboundError("stopped", "The server stops"), { timeoutMs });
  const limits = { timeoutMs, stopping: run.signal, graceMs: 0 };
  const { clock, policy, authorities, resolve, compute, hide, secrets } = run;
  try {
    return await withTimeLimits(limits, (signal) =>
      check.attempt(config, target, {
        signal,
        timeoutMs,
        clock,
        policy,
        authorities,
        resolve,
        compute,
        hide,
        secrets,
      }),
    );
  } catch (error) {
    const isOurs = isAppError(error, "too_many_requests") || isAppError(error, "unavailable");
    return isOurs ? undecided() : failedOutcome(error, { timeoutMs });
  }
}

/** For types that have no such options: there is nothing to wait for and nothing to try again. */
const AT_ONCE: Attempts = { timeout_ms: 10_000, retries: 0 };

function attemptsOf(check: CheckType<CheckConfig>, config: CheckConfig): Attempts {
  const retries = check.retries?.(config);
  return {
    ...AT_ONCE,
    ...check.defaults,
    ...(retries !== undefined && { retries }),
    ...config,
  };
}

const unknownType = (): OutboundError =>
  new OutboundError("invalid", "This server does not know the check");
