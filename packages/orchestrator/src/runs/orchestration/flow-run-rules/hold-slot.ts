import { plusSeconds } from "@orchestrator/kernel/pure";
import { renewLease } from "../../../limits/slots.store.ts";
import { extendSlotLease, findClaimLimits, findKeyValues } from "../deployment-slots.store.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { change, only, replace } from "../rule.ts";
import { withDetails } from "../run-state.ts";
import {
  cancelledWithoutSlot,
  failedWithoutKey,
  INITIAL_LEASE_SECONDS,
  leaseOf,
  releaseUnusedSlot,
  takeSlot,
} from "./acquire-slot.ts";
import { renewsLeases } from "./client-features.ts";

const WAIT_SECONDS = 10;

/**
 * A run that starts or goes on still holds its slot, or takes it again. If another has it by now, a
 * run that has not begun is cancelled; one that has begun, and waits to be tried again or to be
 * resumed, goes on waiting.
 */
export const holdSlot: FlowRunRule = {
  name: "hold-slot",
  from: only("PENDING", "SCHEDULED", "PAUSED"),
  to: only("RUNNING"),
  before: async ({ ctx, tx, run, initial, proposed, now, clientVersion }) => {
    const leaseId = leaseOf(initial);
    if (leaseId === null || run.deployment_id === null) return;
    const { deployment: slots } = await findClaimLimits(tx, run);
    if (!slots) return;
    const grace = slots.options?.grace_period_seconds ?? INITIAL_LEASE_SECONDS;
    const isPaused = initial?.type === "PAUSED";
    // A pause with an end keeps the slot, so what was lost in it is a lease that nobody renewed any
    // more.
    const wasRenewed = isPaused && initial.state_details.pause_timeout !== null;
    // Older clients do not renew: what they hold, they hold until the run ends.
    const ttlSeconds = wasRenewed || renewsLeases(clientVersion) ? grace : null;
    const expires = ttlSeconds === null ? null : plusSeconds(now, ttlSeconds);
    // Who resumes a paused run is not who runs it and renews the lease.
    const isHeld = isPaused
      ? await extendSlotLease(tx, { leaseId, expires: plusSeconds(now, grace), now })
      : await renewLease(tx, { leaseId, expires, now });
    if (isHeld) return change(withDetails(proposed, { deployment_concurrency_lease_id: leaseId }));
    const values = await findKeyValues(tx, run, slots.key);
    if ("problem" in values) return replace(failedWithoutKey(ctx, now, values), values.problem);
    const lease = await takeSlot({ ctx, tx, run, now }, { slots, values, ttlSeconds });
    if (lease !== null) {
      return change(withDetails(proposed, { deployment_concurrency_lease_id: lease }));
    }
    const reason = "The run lost its slot, and no other is free";
    if (initial?.type === "PENDING") return replace(cancelledWithoutSlot(ctx, now, run), reason);
    return { status: "WAIT", delaySeconds: WAIT_SECONDS, reason };
  },
  cleanup: releaseUnusedSlot,
};
