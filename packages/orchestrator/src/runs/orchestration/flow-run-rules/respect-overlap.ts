import { plusSeconds } from "@orchestrator/kernel/pure";
import { AWAITING_SLOT } from "../../../limits/slot-waiters.store.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import {
  hasRunInFront,
  hasRunUnderWay,
  OVERLAP_TOPIC,
  type OverlapSpan,
} from "../overlap.store.ts";
import { only, replace } from "../rule.ts";
import { untilScheduled } from "../run-rules/wait-for-schedule.ts";
import { receiveState } from "../run-state.ts";

const WAIT_SECONDS = 10;
const REASON = "An earlier run of the schedule has not ended";

/**
 * Who waits is asked for every few seconds. One that is not, because nobody polls where it waits or
 * because a clock that went ahead has put it off, holds up nobody.
 */
const LONGEST_UNASKED_SECONDS = 60;

export const overlapSpanAt = (now: string): OverlapSpan => ({
  since: plusSeconds(now, -LONGEST_UNASKED_SECONDS),
  until: plusSeconds(now, LONGEST_UNASKED_SECONDS),
});

/**
 * A schedule may mind that its runs overlap. The run that comes while an earlier one is under way
 * is then left out, or waits until that one has ended, by itself or because it is cancelled for it;
 * those that queue take turns. That is decided when its time has come: whoever claims it ahead of
 * that is asked to wait, as the earlier one may end by then.
 */
export const respectOverlap: FlowRunRule = {
  name: "respect-overlap",
  from: only("SCHEDULED"),
  to: only("PENDING"),
  before: async (transition) => {
    const { ctx, tx, run, schedule, now } = transition;
    const { ids } = ctx;
    const { deployment_id } = run;
    if (schedule === null || deployment_id === null || run.run_count > 0) return;
    const { id: schedule_id, overlap } = schedule;
    const waits = { schedule_id, run_id: run.id, deployment_id, ...overlapSpanAt(now) };
    const isHeldUp =
      (await hasRunUnderWay(tx, waits)) ||
      (overlap === "queue" && (await hasRunInFront(tx, waits)));
    if (!isHeldUp) return;
    // One that was told to wait before is let go, and not kept by a worker that looks ahead.
    const early =
      transition.initial?.name === AWAITING_SLOT ? undefined : untilScheduled(transition);
    if (early !== undefined) return early;
    if (overlap === "skip") {
      const skipped = { type: "CANCELLED", name: "Skipped", message: REASON } as const;
      return replace(receiveState(skipped, { ids, now }), REASON);
    }
    if (overlap === "cancel-running") tx.notify(OVERLAP_TOPIC);
    const waiting = {
      type: "SCHEDULED",
      name: AWAITING_SLOT,
      message: REASON,
      state_details: { scheduled_time: plusSeconds(now, WAIT_SECONDS) },
    } as const;
    return replace(receiveState(waiting, { ids, now }), REASON);
  },
};
