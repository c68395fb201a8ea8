import { lockLimits } from "../../../limits/slot-rows.store.ts";
import { findFull } from "../../../limits/slots.store.ts";
import { isSkipped } from "../collisions.rules.ts";
import { findClaimLimits, findKeyValues } from "../deployment-slots.store.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { only, replace } from "../rule.ts";
import { cancelledWithoutSlot } from "./acquire-slot.ts";

/**
 * Where runs that find no free slot are cancelled, one that would be late for want of a slot is
 * cancelled, too.
 */
export const cancelLate: FlowRunRule = {
  name: "cancel-late",
  from: only("SCHEDULED"),
  to: only("SCHEDULED"),
  before: async ({ ctx, tx, run, proposed, now }) => {
    if (proposed.name !== "Late" || run.deployment_id === null) return;
    const { deployment: slots } = await findClaimLimits(tx, run);
    if (!slots?.isActive || !isSkipped(run, slots)) return;
    const limits = await lockLimits(tx, { ids: [slots.limitId] });
    const values = await findKeyValues(tx, run, slots.key);
    // A claim says what is wrong with it.
    if ("problem" in values) return;
    const full = await findFull(tx, { limits, values, slots: 1, now });
    if (full.length === 0) return;
    return replace(cancelledWithoutSlot(ctx, now, run), "No slot of the deployment is free");
  },
};
