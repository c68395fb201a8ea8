// Whether anybody comes for a run: where it waits, and who asks there.

import type { Obstacle } from "@orchestrator/contract";
import { hasMissedHeartbeats, wasPolledRecently } from "../../work/pools/work-status.rules.ts";
import { blockerOf, deploymentOf, poolOf, queueOf } from "./blocker.rules.ts";
import type { RunFacts, Situation } from "./situation.rules.ts";

export function whereItWaits({ run, polledFrom }: Situation): Obstacle[] {
  if (run.queue_id === null) return outsideQueues(run, polledFrom);
  const found: Obstacle[] = [];
  // Whoever serves the deployment itself does not ask its queue.
  const isBlocking = !isServed(run, polledFrom);
  if (run.queue_paused === true) {
    const message = `The work queue ${run.queue_name} is paused`;
    const action = "Resume the work queue";
    found.push(blockerOf("queue-paused", { message, action, resource: queueOf(run), isBlocking }));
  }
  if (run.pool_paused === true) {
    const message = `The work pool ${run.pool_name} is paused`;
    const action = "Resume the work pool";
    found.push(blockerOf("pool-paused", { message, action, resource: poolOf(run), isBlocking }));
  }
  return found;
}

/** Without a queue a run is found only by a process that serves its deployment. */
function outsideQueues(run: RunFacts, polledFrom: string): Obstacle[] {
  const { deployment_served: served } = run;
  if (run.known_deployment_id === null) {
    if (run.deployment_id !== null) return [];
    const message =
      "The run belongs to no deployment and no queue: only its own process can start it";
    const action = "Start it from its own process, or make a run of a deployment instead";
    return [blockerOf("not-in-a-queue", { message, action })];
  }
  if (isServed(run, polledFrom)) return [];
  const resource = deploymentOf(run);
  if (run.home_pool_name !== null) {
    const message =
      `The run is in no work queue, and workers of the pool ${run.home_pool_name} are offered only runs that were made for it: ` +
      "nobody but a process that serves the deployment would come for it";
    const action = "Make a new run of the deployment, serve it, or execute this run by hand";
    return [blockerOf("nobody-serves-deployment", { message, action, resource })];
  }
  const last = served === null ? "" : `; one last asked for runs at ${served}`;
  const message = `No process serves the deployment, and the run is in no work queue${last}`;
  const action =
    "Serve the deployment, or execute the run by hand; a work pool would help only runs that are made afterwards";
  return [blockerOf("nobody-serves-deployment", { message, action, resource })];
}

/** A process asks for the runs of the deployment, whatever queue they are in. */
function isServed({ deployment_served }: RunFacts, polledFrom: string): boolean {
  return wasPolledRecently(deployment_served, polledFrom);
}

/** Somebody who polls the queue works, whether it sends heartbeats or not. */
export function whoWorks({ run, now, polledFrom, worker }: Situation): Obstacle[] {
  if (run.queue_id === null || run.pool_id === null) return [];
  if (wasPolledRecently(run.queue_polled, polledFrom) || isServed(run, polledFrom)) return [];
  if (isLeftOut(run, polledFrom)) {
    const last = run.queue_polled === null ? "" : `; somebody last did at ${run.queue_polled}`;
    const message = `Nobody asks for runs of the work queue ${run.queue_name}, only for those of others of the pool ${run.pool_name}${last}`;
    const action = `Start a worker for the work queue ${run.queue_name}, or one for the whole pool`;
    return [blockerOf("nobody-polls-queue", { message, action, resource: queueOf(run) })];
  }
  if (worker !== null && !hasMissedHeartbeats(worker, now)) return [];
  const message = whoWorked(run, worker);
  const action = `Start a worker for the work pool ${run.pool_name}`;
  return [blockerOf("no-worker-online", { message, action, resource: poolOf(run) })];
}

/**
 * Since the queue is there, somebody has asked for runs of its pool, and not for those of this
 * queue.
 */
function isLeftOut({ pool_polled, queue_created }: RunFacts, polledFrom: string): boolean {
  if (pool_polled === null || queue_created === null) return false;
  return wasPolledRecently(pool_polled, polledFrom) && pool_polled > queue_created;
}

function whoWorked(run: RunFacts, worker: Situation["worker"]): string {
  if (worker !== null)
    return `No worker of the pool ${run.pool_name} is online; ${worker.name} was last heard at ${worker.last_heartbeat_time}`;
  return run.pool_polled === null
    ? `The work pool ${run.pool_name} has never had a worker`
    : `No worker of the pool ${run.pool_name} is online; somebody last asked for runs at ${run.pool_polled}`;
}
