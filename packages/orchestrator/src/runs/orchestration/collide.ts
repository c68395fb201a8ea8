// What happens to a claim whose deployment lets newer runs take the place of older ones.

import type { OnCollision } from "@orchestrator/contract";
import type { Transaction } from "@orchestrator/kernel/storage";
import { callRun } from "../../limits/slot-waiters.store.ts";
import { type Competitor, isNewer, takenOver, winnersOf } from "./collisions.rules.ts";
import { readHolders, readWaiters } from "./collisions.store.ts";
import type { DeploymentSlots } from "./deployment-slots.store.ts";
import type { LockedFlowRun } from "./flow-run-states.store.ts";

/** More are not looked at. */
const MOST = 1000;

type Colliding = Exclude<OnCollision, "queue" | "skip">;

export const takesPlaces = (onCollision: OnCollision | null): onCollision is Colliding =>
  onCollision === "cancel-running" || onCollision === "replace-queued";

/**
 * Why a claimed run has lost its place to a newer one; null where it has not. The limit is
 * locked, so the second of two claims sees what the first did. The newer run asks again at once.
 */
export async function findTakenOver(
  tx: Transaction,
  claim: {
    readonly run: LockedFlowRun;
    readonly slots: DeploymentSlots;
    readonly values: readonly string[];
    readonly now: string;
  },
): Promise<string | null> {
  const { run, slots, values, now } = claim;
  const { onCollision, limitId, limit } = slots;
  if (!takesPlaces(onCollision) || run.deployment_id === null) return null;
  const own: Competitor = {
    id: run.id,
    name: run.name,
    state_id: null,
    expected_start_time: run.expected_start_time,
    next_scheduled_start_time: null,
  };
  for (const value of slots.key === null ? [null] : values) {
    const asked = {
      deployment_id: run.deployment_id,
      limit_id: limitId,
      value,
      now,
      limit: Math.min(limit + 1, MOST),
    };
    const waiters = (await readWaiters(tx, asked)).filter(({ id }) => id !== run.id);
    const holders = onCollision === "cancel-running" ? await readHolders(tx, asked) : [];
    const winners = winnersOf({
      onCollision,
      slots: limit,
      waiters: [own, ...waiters],
      holders,
    });
    const newest = [...waiters, ...holders].find(
      (each) => winners.has(each.id) && isNewer(each, own),
    );
    if (winners.has(run.id) || newest === undefined) continue;
    await callRun(tx, newest.id, now);
    return takenOver(newest, value);
  }
  return null;
}
