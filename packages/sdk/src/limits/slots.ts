import { hasStatus, retryAfterMsOf } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { runEvery, sleepOrAbort } from "../time.ts";

/** Who slots are for. */
export interface SlotOwner {
  readonly type: "flow_run" | "task_run";
  readonly id: string;
}

export interface SlotRequest {
  readonly names: readonly string[];
  readonly slots: number;
  /** After so long without a sign of life the server gives them to others. */
  readonly leaseSeconds: number;
  readonly holder: SlotOwner | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface AcquiredSlots {
  /** Those of the names that have a limit. */
  readonly limited: readonly string[];
  readonly release: () => Promise<void>;
}

const FULL = 423;
const USUAL_WAIT_MS = 1000;
/** For so long the server keeps a place in line. */
export const WAIT_SECONDS = 30;
const RENEWALS_PER_LEASE = 4;

/** Waits until there are slots, holds them, and goes on holding them until they are released. */
export async function takeSlots(
  session: ReportSession,
  request: SlotRequest,
): Promise<AcquiredSlots> {
  const { names, slots, leaseSeconds, holder, signal } = request;
  const { client, settings } = session;
  const patience = { seconds: settings.deliverySeconds + WAIT_SECONDS, signal };
  const body = {
    names: [...names],
    slots,
    lease_duration: leaseSeconds,
    wait_seconds: WAIT_SECONDS,
    ...(holder !== undefined && { holder }),
  };
  const { lease_id, limits } = await whenFree(
    () =>
      retryUntilAnswered(
        () => client.concurrencyLimits.lease(body, { retries: 0, signal }),
        patience,
      ),
    signal,
  );
  const isHeld = limits.length > 0;
  const renewal = isHeld
    ? runEvery((leaseSeconds * 1000) / RENEWALS_PER_LEASE, () => {
        client.concurrencyLimits
          .renewLease(lease_id, { lease_duration: leaseSeconds })
          .catch(() => {}); // a lease that is gone is somebody else's by now, and the work cannot be undone
      })
    : null;
  return {
    limited: limits.map(({ name }) => name),
    async release() {
      renewal?.cancel();
      if (isHeld) await client.concurrencyLimits.endLease({ lease_id }).catch(() => {}); // it runs out by itself
    },
  };
}

/** Asks again, after as long as the server says, while there are none. */
export async function whenFree<Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!hasStatus(error, FULL)) throw error;
      await sleepOrAbort(retryAfterMsOf(error) ?? USUAL_WAIT_MS, signal);
    }
  }
}
