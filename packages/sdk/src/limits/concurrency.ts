import { retryUntilAnswered } from "../report/retry-budget.ts";
import { openReportSession, type ReportSession } from "../report/session.ts";
import { findScope } from "../scope/context.ts";
import { takeSlots, WAIT_SECONDS, whenFree } from "./slots.ts";

export interface ConcurrencyOptions {
  /** How many slots of each limit. @default 1 */
  readonly slots?: number | undefined;
  /**
   * After so long without a sign of life the server gives the slots to others; 60 or more. @default
   * 300
   */
  readonly leaseSeconds?: number | undefined;
  /** Whether a name without a limit is an error; otherwise it holds nobody up. @default false */
  readonly strict?: boolean | undefined;
}

const LEASE_SECONDS = 300;

/**
 * Does the work while slots of all the limits are held, which the server knows by name; waits until
 * there are some. Names without a limit hold nobody up, unless it is `strict`.
 *
 * @example await concurrency("database", () => insert(rows));
 */
export async function concurrency<Value>(
  names: string | readonly string[],
  work: () => Value | Promise<Value>,
  { slots = 1, leaseSeconds = LEASE_SECONDS, strict = false }: ConcurrencyOptions = {},
): Promise<Value> {
  const scope = findScope();
  const session = sessionOf(scope);
  if (session === null) return work();
  const held = await takeSlots(session, {
    names: asList(names),
    slots,
    leaseSeconds,
    holder: holderOf(scope),
    signal: scope?.signal,
  });
  try {
    if (strict) requireLimits(asList(names), held.limited);
    return await work();
  } finally {
    await held.release();
  }
}

/**
 * Waits until the limits, whose slots come back with time, let the caller through.
 *
 * @example await rateLimit("mail"); await send(mail);
 */
export async function rateLimit(
  names: string | readonly string[],
  { slots = 1, strict = false }: Pick<ConcurrencyOptions, "slots" | "strict"> = {},
): Promise<void> {
  const scope = findScope();
  const session = sessionOf(scope);
  if (session === null) return;
  const body = {
    names: asList(names),
    slots,
    mode: "rate_limit" as const,
    wait_seconds: WAIT_SECONDS,
  };
  const signal = scope?.signal;
  const patience = { seconds: session.settings.deliverySeconds + WAIT_SECONDS, signal };
  const limits = await whenFree(
    () =>
      retryUntilAnswered(
        () => session.client.concurrencyLimits.increment(body, { signal }),
        patience,
      ),
    signal,
  );
  if (strict)
    requireLimits(
      asList(names),
      limits.map(({ name }) => name),
    );
}

function requireLimits(names: readonly string[], limited: readonly string[]): void {
  const missing = names.find((name) => !limited.includes(name));
  if (missing !== undefined) throw new Error(`There is no concurrency limit named ${missing}`);
}

type Scope = ReturnType<typeof findScope>;

/**
 * Outside of a flow the server is asked all the same; in a flow that runs without one nobody is.
 */
function sessionOf(scope: Scope): ReportSession | null {
  return scope?.flow == null ? openReportSession() : scope.flow.session;
}

function holderOf(scope: Scope) {
  if (scope?.flowRun == null) return undefined;
  const { flowRun, taskRun } = scope;
  return taskRun === null
    ? ({ type: "flow_run", id: flowRun.id } as const)
    : ({ type: "task_run", id: taskRun.id } as const);
}

function asList(names: string | readonly string[]): string[] {
  return typeof names === "string" ? [names] : [...names];
}
