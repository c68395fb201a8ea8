import { releaseHolder, releaseLease } from "../../features/concurrency-limits/slots.store.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, allExcept } from "../rule.ts";
import { isTerminal } from "../run-state.ts";
import { leaseOf } from "./acquire-slot.ts";

const UNDER_WAY = new Set(["PENDING", "RUNNING", "CANCELLING"]);

/** A run that is no longer under way gives its slot back, in the transaction of the state that says so. */
export const releaseSlot: FlowRunRule = {
  name: "release-slot",
  from: ANY,
  to: allExcept("PENDING", "RUNNING", "CANCELLING"),
  written: async ({ ctx, tx, run, initial, proposed, now }, committed) => {
    if (run.deployment_id === null || initial === null) return;
    const leaseId = leaseOf(initial);
    if (leaseId === null && !UNDER_WAY.has(initial.type)) return;
    // The process of a run that is tried again lives on, and its client goes on renewing the lease.
    const isTriedAgain = proposed.type === "FAILED" && committed.type === "SCHEDULED";
    if (isTriedAgain) return;
    if (leaseId !== null) await releaseLease(ctx, tx, { leaseId, now });
    // What a paused run holds by its own doing stays with it; one that has ended holds nothing.
    if (leaseId === null || isTerminal(committed.type)) {
      await releaseHolder(ctx, tx, { type: "flow_run", id: run.id, now });
    }
  },
};
