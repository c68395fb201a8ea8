import { plusSeconds } from "@orchestrator/kernel/pure";
import type { KeyProblem } from "../../../limits/key-template.rules.ts";
import { releaseLease } from "../../../limits/release-slots.store.ts";
import { lockLimits } from "../../../limits/slot-rows.store.ts";
import { AWAITING_SLOT, noteAwaitedValue } from "../../../limits/slot-waiters.store.ts";
import { acquireLease, renewLease } from "../../../limits/slots.store.ts";
import { findTakenOver, takesPlaces } from "../collide.ts";
import { isSkipped } from "../collisions.rules.ts";
import { COLLISIONS_TOPIC } from "../collisions.store.ts";
import { type DeploymentSlots, findClaimLimits, findKeyValues } from "../deployment-slots.store.ts";
import type { FlowRunRule, FlowRunTransition } from "../flow-run-transition.ts";
import { abort, change, fromAllExcept, only, replace } from "../rule.ts";
import { type RunState, receiveState, withDetails } from "../run-state.ts";
import { takesSlotsItself } from "./client-features.ts";

/** How long a claimed run holds its slot before it must have started or said something. */
export const INITIAL_LEASE_SECONDS = 300;
const QUEUE_SECONDS = 30;

/**
 * A claim needs a free slot of the deployment's limit; without one the run waits for it, or is
 * cancelled. A run that has begun, and was suspended or is tried again, competes with no other.
 */
export const acquireSlot: FlowRunRule = {
  name: "acquire-slot",
  from: fromAllExcept("PENDING", "RUNNING", "CANCELLING"),
  to: only("PENDING"),
  before: async (transition) => {
    const { ctx, tx, run, initial, proposed, now, clientVersion } = transition;
    if (run.deployment_id === null || takesSlotsItself(clientVersion)) return;
    const { deployment: slots } = await findClaimLimits(tx, run);
    if (slots === undefined)
      return replace(cancelledWithDeployment(ctx, now), "The deployment of this run is gone");
    if (slots === null) return;
    if (slots.isActive && slots.limit === 0)
      return abort("The deployment's concurrency limit is 0");
    const ttlSeconds = slots.options?.grace_period_seconds ?? INITIAL_LEASE_SECONDS;
    const held = leaseOf(initial);
    if (held !== null) {
      // A run that was to be tried again has kept its slot.
      const expires = plusSeconds(now, ttlSeconds);
      if (await renewLease(tx, { leaseId: held, expires, now })) return;
    }
    const values = await findKeyValues(tx, run, slots.key);
    if ("problem" in values) return replace(failedWithoutKey(ctx, now, values), values.problem);
    const claim = { run, slots, values, now };
    const competes = takesPlaces(slots.onCollision) && run.run_count === 0;
    // Locked first: of two claims, the second sees what became of the first.
    if (competes) await lockLimits(tx, { ids: [slots.limitId] });
    const isWaiting = initial?.name === AWAITING_SLOT;
    const earlier = competes && isWaiting ? await findTakenOver(tx, claim) : null;
    if (earlier !== null) return replace(cancelledFor(ctx, now, earlier), earlier);
    const lease = await takeSlot({ ctx, tx, run, now }, { slots, values, ttlSeconds });
    if (lease !== null) {
      return change(withDetails(proposed, { deployment_concurrency_lease_id: lease }));
    }
    const newer = competes && !isWaiting ? await findTakenOver(tx, claim) : null;
    if (newer !== null) return replace(cancelledFor(ctx, now, newer), newer);
    if (competes) tx.notify(COLLISIONS_TOPIC);
    return isSkipped(run, slots)
      ? replace(cancelledWithoutSlot(ctx, now, run), "No slot of the deployment is free")
      : replace(awaitingSlot(ctx, now), "The run waits for a free slot of its deployment");
  },
  cleanup: releaseUnusedSlot,
};

/**
 * Takes a slot of the deployment's limit, of each value that the run has where the limit has a key.
 */
export async function takeSlot(
  { ctx, tx, run, now }: Pick<FlowRunTransition, "ctx" | "tx" | "run" | "now">,
  {
    slots: { limitId, key },
    values,
    ttlSeconds,
  }: {
    readonly slots: DeploymentSlots;
    readonly values: readonly string[];
    readonly ttlSeconds: number | null;
  },
): Promise<string | null> {
  const lease = await acquireLease(ctx, tx, {
    limitIds: [limitId],
    values,
    slots: 1,
    holder: { type: "flow_run", id: run.id },
    ttlSeconds,
    now,
  });
  if ("leaseId" in lease) return lease.leaseId;
  const [full] = lease.blocking;
  if (key !== null && full !== undefined)
    await noteAwaitedValue(tx, { id: run.id, value: full.value });
  return null;
}

/** The lease of the slot that a run in this state holds. */
export function leaseOf(state: RunState | null): string | null {
  return state?.state_details.deployment_concurrency_lease_id ?? null;
}

/** A slot that was taken for a state which is not written is free again. */
export async function releaseUnusedSlot({
  ctx,
  tx,
  initial,
  proposed,
  now,
}: FlowRunTransition): Promise<void> {
  const leaseId = leaseOf(proposed);
  if (leaseId !== null && leaseId !== leaseOf(initial)) {
    await releaseLease(ctx, tx, { leaseId, now });
  }
}

/** Nobody could ever start it, and it would stand in the way of others that wait. */
function cancelledWithDeployment({ ids }: FlowRunTransition["ctx"], now: string): RunState {
  return receiveState(
    { type: "CANCELLED", message: "The deployment of this run is gone" },
    { ids, now },
  );
}

function awaitingSlot({ ids }: FlowRunTransition["ctx"], now: string): RunState {
  return receiveState(
    {
      type: "SCHEDULED",
      name: AWAITING_SLOT,
      state_details: { scheduled_time: plusSeconds(now, QUEUE_SECONDS) },
    },
    { ids, now },
  );
}

function cancelledFor({ ids }: FlowRunTransition["ctx"], now: string, message: string): RunState {
  return receiveState({ type: "CANCELLED", message }, { ids, now });
}

/** It could never get a slot, and to wait would hide that. */
export function failedWithoutKey(
  { ids }: FlowRunTransition["ctx"],
  now: string,
  { problem }: KeyProblem,
): RunState {
  return receiveState({ type: "FAILED", message: problem }, { ids, now });
}

export function cancelledWithoutSlot(
  { ids }: FlowRunTransition["ctx"],
  now: string,
  { concurrency_key: key }: FlowRunTransition["run"],
): RunState {
  const of = key === null ? "" : ` for the concurrency key ${key}`;
  const message = `The deployment's concurrency limit was reached${of}`;
  return receiveState({ type: "CANCELLED", message }, { ids, now });
}
