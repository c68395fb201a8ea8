import { untilAnswered } from "../report/patience.ts";
import { openSession, type Session } from "../report/session.ts";
import { findScope } from "../run/context.ts";
import { takeSlots, whenFree } from "./slots.ts";

export interface ConcurrencyOptions {
  /** How many slots of each limit. @default 1 */
  readonly slots?: number;
  /** After so long without a sign of life the server gives the slots to others; 60 or more. @default 300 */
  readonly leaseSeconds?: number;
}

const LEASE_SECONDS = 300;

/**
 * Does the work while slots of all the limits are held, which the server knows by name; waits until there are some. Names
 * without a limit hold nobody up.
 *
 * @example await concurrency("database", () => insert(rows));
 */
export async function concurrency<Value>(
  names: string | readonly string[],
  work: () => Value | Promise<Value>,
  { slots = 1, leaseSeconds = LEASE_SECONDS }: ConcurrencyOptions = {},
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
  { slots = 1 }: Pick<ConcurrencyOptions, "slots"> = {},
): Promise<void> {
  const scope = findScope();
  const session = sessionOf(scope);
  if (session === null) return;
  const body = { names: asList(names), slots, mode: "rate_limit" as const };
  const patience = { seconds: session.settings.deliverySeconds, signal: scope?.signal };
  await whenFree(
    () => untilAnswered(() => session.client.concurrencyLimits.increment(body), patience),
    scope?.signal,
  );
}

type Scope = ReturnType<typeof findScope>;

/** Outside of a flow the server is asked all the same; in a flow that runs without one nobody is. */
function sessionOf(scope: Scope): Session | null {
  return scope?.flow == null ? openSession() : scope.flow.session;
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
