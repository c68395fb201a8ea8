import { formatMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { workPoolStatusEvent, workQueueStatusEvent } from "./work-pools.events.ts";
import {
  setPoolStatus,
  setQueueStatus,
  type WatchedPool,
  type WatchedQueue,
} from "./work-readiness.store.ts";
import {
  type DerivedWorkStatus,
  followedEvent,
  POLLED_WITHIN_SECONDS,
} from "./work-status.rules.ts";

/**
 * What was polled before this moment is not polled any more: nobody could while the server did not
 * hear.
 */
export function polledFrom({ clock, hearing }: Pick<OrchestratorContext, "clock" | "hearing">) {
  return formatMicros(hearing.heardFrom(clock.nowMicros(), POLLED_WITHIN_SECONDS * 1_000_000));
}

/** Gives a queue that the transaction holds another status, and tells so. */
export async function changeQueueStatus(
  ctx: OrchestratorContext,
  tx: Transaction,
  { queue, status }: { readonly queue: WatchedQueue; readonly status: DerivedWorkStatus },
): Promise<void> {
  const now = ctx.clock.now();
  const when = { occurred: now, follows: followedEvent(queue, now) };
  const event = workQueueStatusEvent({ queue, pool: queue.pool }, status, when);
  const eventId = await emitResourceEvent(ctx, tx, event);
  await setQueueStatus(tx, {
    id: queue.id,
    status,
    status_event_id: eventId,
    status_changed: now,
  });
}

/** Gives a pool that the transaction holds another status, and tells so. */
export async function changePoolStatus(
  ctx: OrchestratorContext,
  tx: Transaction,
  { pool, status }: { readonly pool: WatchedPool; readonly status: DerivedWorkStatus },
): Promise<void> {
  const now = ctx.clock.now();
  const when = { occurred: now, follows: followedEvent(pool, now) };
  const eventId = await emitResourceEvent(ctx, tx, workPoolStatusEvent(pool, status, when));
  await setPoolStatus(tx, { id: pool.id, status, status_event_id: eventId, status_changed: now });
}
