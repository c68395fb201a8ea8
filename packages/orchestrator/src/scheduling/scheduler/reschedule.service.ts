// What follows from a change of a deployment or of one of its schedules: runs made from what was
// go, and the scheduler makes new ones at once.

import type { Transaction } from "@orchestrator/kernel/storage";
import { restSchedules, wakeSchedules } from "../schedules/schedules.store.ts";
import { deleteUnstartedRuns } from "./scheduled-runs.store.ts";

/** Nudged when a schedule has to be looked at. */
export const SCHEDULER_TOPIC = "scheduler";

/**
 * In the transaction of the change. The schedules come first: a scheduler that is writing their
 * runs at this moment is waited for, and its runs are then seen and deleted.
 */
export async function rescheduleDeployment(
  tx: Transaction,
  {
    deploymentId,
    isPaused,
    now,
  }: {
    readonly deploymentId: string;
    readonly isPaused: boolean;
    readonly now: string;
  },
): Promise<void> {
  if (isPaused) await restSchedules(tx, deploymentId);
  else await wakeSchedules(tx, { deployment_id: deploymentId, now });
  await deleteUnstartedRuns(tx, {
    deploymentId,
    which: "auto-scheduled",
    after: now,
  });
  tx.notify(SCHEDULER_TOPIC);
}
