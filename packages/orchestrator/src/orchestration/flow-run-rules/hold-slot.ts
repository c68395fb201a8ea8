import { acquireLease, renewLease } from "../../features/concurrency-limits/slots.store.ts";
import { findDeploymentSlots } from "../deployment-slots.store.ts";
import { plusSeconds } from "../derive-run.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { change, only, replace } from "../rule.ts";
import { withDetails } from "../run-state.ts";
import {
  cancelledForWantOfSlot,
  giveBack,
  INITIAL_LEASE_SECONDS,
  leaseOf,
} from "./acquire-slot.ts";
import { renewsLeases } from "./client-features.ts";

/** A run that starts still holds its slot, or takes it again; if another has it by now, the run is cancelled. */
export const holdSlot: FlowRunRule = {
  name: "hold-slot",
  from: only("PENDING"),
  to: only("RUNNING"),
  before: async ({ ctx, tx, run, initial, proposed, now, clientVersion }) => {
    const leaseId = leaseOf(initial);
    if (leaseId === null || run.deployment_id === null) return;
    const slots = await findDeploymentSlots(tx, run.deployment_id);
    if (!slots) return;
    // Older clients do not renew: what they hold, they hold until the run ends.
    const ttlSeconds = renewsLeases(clientVersion)
      ? (slots.options?.grace_period_seconds ?? INITIAL_LEASE_SECONDS)
      : null;
    const expires = ttlSeconds === null ? null : plusSeconds(now, ttlSeconds);
    if (await renewLease(tx, { leaseId, expires, now })) {
      return change(withDetails(proposed, { deployment_concurrency_lease_id: leaseId }));
    }
    const lease = await acquireLease(ctx, tx, {
      limitIds: [slots.limitId],
      slots: 1,
      holder: { type: "flow_run", id: run.id },
      ttlSeconds,
      now,
    });
    if ("leaseId" in lease) {
      return change(withDetails(proposed, { deployment_concurrency_lease_id: lease.leaseId }));
    }
    return replace(cancelledForWantOfSlot(ctx, now), "The run lost its slot, and no other is free");
  },
  cleanup: giveBack,
};
