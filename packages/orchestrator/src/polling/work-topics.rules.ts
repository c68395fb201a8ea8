// What is nudged when somebody who waits for work should look again.

import type { StateType } from "@orchestrator/contract";

/** A run may have become due in the queue, or there is room for one more. */
export const queueTopic = (queueId: string): string => `queue:${queueId}`;
/** The same of the runs of a deployment. */
export const deploymentTopic = (deploymentId: string): string => `deployment:${deploymentId}`;
/** The pool is another, has other queues, or is gone. */
export const poolTopic = (poolId: string): string => `pool:${poolId}`;

interface Notifying {
  readonly notify: (topic: string) => void;
}

interface Place {
  readonly work_queue_id: string | null;
  readonly deployment_id: string | null;
}

/** A scheduled run takes up a place, too, where it is tried again in its process. */
const OCCUPYING: ReadonlySet<StateType | null> = new Set([
  "SCHEDULED",
  "PENDING",
  "RUNNING",
  "CANCELLING",
]);
const AT_WORK: ReadonlySet<StateType> = new Set(["PENDING", "RUNNING"]);

/**
 * Tells whoever waits what a run's new state means to them: there is a run, or room for another.
 */
export function announceState(
  tx: Notifying,
  run: Place & { readonly state_type: StateType | null },
  to: StateType,
): void {
  if (to === "SCHEDULED") announceRun(tx, run);
  else if (!AT_WORK.has(to)) announceEnd(tx, run);
}

/** Tells whoever waits that a run has left room for another, if it took up any. */
export function announceEnd(
  tx: Notifying,
  { state_type, work_queue_id }: Place & { readonly state_type: StateType | null },
): void {
  if (work_queue_id !== null && OCCUPYING.has(state_type)) tx.notify(queueTopic(work_queue_id));
}

/** Tells whoever waits for runs from there that there may be one. */
export function announceRun(tx: Notifying, { work_queue_id, deployment_id }: Place): void {
  if (work_queue_id !== null) tx.notify(queueTopic(work_queue_id));
  if (deployment_id !== null) tx.notify(deploymentTopic(deployment_id));
}
