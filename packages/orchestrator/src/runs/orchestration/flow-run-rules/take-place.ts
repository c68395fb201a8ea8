import { findFullPlace } from "../../../work/pools/places.store.ts";
import { findClaimLimits } from "../deployment-slots.store.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { abort, fromAllExcept, only } from "../rule.ts";

/**
 * A claim needs a free place in the run's queue and in its pool. Without one the run stays as it
 * is: the worker leaves it, and polls offer it again as soon as there is room.
 */
export const takePlace: FlowRunRule = {
  name: "take-place",
  from: fromAllExcept("PENDING", "RUNNING", "CANCELLING"), // these have one already
  to: only("PENDING"),
  before: async ({ tx, run }) => {
    if (run.work_queue_id === null) return undefined;
    const { place } = await findClaimLimits(tx, run);
    const full = place === null ? null : await findFullPlace(tx, { ...place, runId: run.id });
    return full === null ? undefined : abort(full);
  },
};
