// Why a run is not running: facts in, obstacles out, in the order in which they would have to be cleared.

import {
  type Obstacle,
  type ObstacleCode,
  type SlotKey,
  TERMINAL_STATE_TYPES,
} from "@orchestrator/contract";
import { parseMicros } from "@orchestrator/kernel";
import type { RunFacts, Situation } from "./situation.rules.ts";

const MICROS_PER_SECOND = 1_000_000;
const HEARTBEAT_SECONDS = 30;
const MISSED_HEARTBEATS = 3;
const SERVED_WITHIN_SECONDS = 60;

interface Details {
  readonly message: string;
  readonly action?: string;
  readonly isBlocking?: boolean;
  readonly resource?: Obstacle["resource"];
  readonly until?: string | null;
  readonly runs?: readonly string[];
}

const obstacle = (code: ObstacleCode, details: Details): Obstacle => ({
  code,
  is_blocking: details.isBlocking ?? true,
  message: details.message,
  action: details.action ?? null,
  resource: details.resource ?? null,
  until: details.until ?? null,
  flow_run_ids: [...(details.runs ?? [])],
});

export function explain(situation: Situation): Obstacle[] {
  const { state_type } = situation.run;
  if (state_type === "SCHEDULED") return whyWaiting(situation);
  return [whyNotWaiting(situation)];
}

function whyNotWaiting({ run }: Situation): Obstacle {
  const { state_type: type, state_name: name, state_timestamp: since, deadline: until } = run;
  if (type === null || TERMINAL_STATE_TYPES.has(type)) {
    const message = `The run ended as ${name ?? type} at ${since}`;
    const action = "Retry it";
    return obstacle("ended", { message, action });
  }
  if (type === "RUNNING") {
    return obstacle("running", {
      message: `The run has been running since ${since}`,
      isBlocking: false,
    });
  }
  if (type === "PENDING") {
    const message = `The run was claimed at ${since} (${name}) and is being started`;
    const action =
      "Look at the worker or process that claimed it; without a word from it the run is offered again";
    return obstacle("claimed", { message, action, until });
  }
  if (type === "PAUSED") {
    const message = `The run has been paused since ${since}`;
    return obstacle("paused", { message, action: "Resume it", until });
  }
  const message = `The run is being cancelled since ${since}`;
  return obstacle("cancelling", { message, until });
}

function whyWaiting(situation: Situation): Obstacle[] {
  const found = [
    ...whenDue(situation),
    ...whoDeploys(situation),
    ...whatCameBefore(situation),
    ...whereItWaits(situation),
    ...whoWorks(situation),
    ...whatIsFull(situation),
  ];
  if (found.some(({ is_blocking }) => is_blocking)) return found;
  const message = "Nothing stands in the way: the run is claimed at the next poll";
  return [...found, obstacle("about-to-be-claimed", { message, isBlocking: false })];
}

function whenDue({ run, now }: Situation): Obstacle[] {
  const { next_scheduled_start_time: due, state_name: name, retry_type } = run;
  if (retry_type === "in_process") {
    const message = "The run waits for its retry, which the process that ran it begins itself";
    return [obstacle("waiting-for-retry", { message, until: due })];
  }
  if (due === null || due <= now) return [];
  if (name === "AwaitingConcurrencySlot") {
    const message = `There was no room for the run; it asks again as soon as there is, or at ${due}`;
    return [obstacle("waiting-for-slot", { message, until: due })];
  }
  const message = `The run is scheduled for ${due}`;
  const action = "Wait, or set its state to SCHEDULED with an earlier scheduled_time";
  return [obstacle("scheduled-later", { message, action, until: due })];
}

function whoDeploys({ run }: Situation): Obstacle[] {
  if (run.deployment_id === null) return [];
  if (run.known_deployment_id === null) {
    const message = `The deployment ${run.deployment_id} is gone`;
    return [obstacle("deployment-gone", { message, action: "Delete the run" })];
  }
  const found: Obstacle[] = [];
  const resource = { kind: "deployment", id: run.known_deployment_id, name: run.deployment_name };
  if (run.deployment_paused === true) {
    const message = "The deployment is paused: its schedules make no new runs";
    found.push(
      obstacle("deployment-paused", {
        message,
        action: "Resume the deployment",
        resource,
        isBlocking: false,
      }),
    );
  }
  if (run.auto_scheduled && run.schedule_id !== null && run.schedule_active === false) {
    const message = "The schedule that made the run is not active";
    const schedule = { kind: "schedule", id: run.schedule_id, name: run.schedule_slug };
    found.push(
      obstacle("schedule-inactive", {
        message,
        action: "Activate the schedule",
        resource: schedule,
        isBlocking: false,
      }),
    );
  }
  return found;
}

/** What becomes of a run while earlier ones of its schedule are under way. */
const WHILE_OVERLAPPING: Readonly<Record<string, string>> = {
  skip: "the run is left out if it is claimed before",
  queue: "the run waits until there is none",
  "cancel-running": "what is under way is cancelled for the run when it is claimed",
};

function whatCameBefore({ run, earlier }: Situation): Obstacle[] {
  const { schedule_id: id, schedule_slug: name, schedule_overlap } = run;
  const meaning = WHILE_OVERLAPPING[schedule_overlap ?? ""];
  if (id === null || meaning === undefined || earlier.length === 0) return [];
  const message = `An earlier run of the schedule has not ended: ${meaning}`;
  const action = "Wait for it to end, cancel it, or let the runs of the schedule overlap";
  const resource = { kind: "schedule", id, name };
  return [obstacle("earlier-run-under-way", { message, action, resource, runs: earlier })];
}

function whereItWaits({ run, now }: Situation): Obstacle[] {
  if (run.queue_id === null) return [outsideQueues(run, now)].filter((found) => found !== null);
  const found: Obstacle[] = [];
  if (run.queue_paused === true) {
    const resource = { kind: "work-queue", id: run.queue_id, name: run.queue_name };
    const message = `The work queue ${run.queue_name} is paused`;
    found.push(obstacle("queue-paused", { message, action: "Resume the work queue", resource }));
  }
  if (run.pool_id !== null && run.pool_paused === true) {
    const resource = { kind: "work-pool", id: run.pool_id, name: run.pool_name };
    const message = `The work pool ${run.pool_name} is paused`;
    found.push(obstacle("pool-paused", { message, action: "Resume the work pool", resource }));
  }
  return found;
}

/** Without a queue a run is found only by a process that serves its deployment. */
function outsideQueues(run: RunFacts, now: string): Obstacle | null {
  if (run.known_deployment_id === null) {
    if (run.deployment_id !== null) return null;
    const message =
      "The run belongs to no deployment and no queue: only its own process can start it";
    return obstacle("not-in-a-queue", { message });
  }
  const polled = run.deployment_polled;
  if (polled !== null && secondsSince(polled, now) <= SERVED_WITHIN_SECONDS) return null;
  return obstacle("nobody-serves-deployment", {
    message: `No process serves the deployment${polled === null ? "" : `; one last asked for runs at ${polled}`}`,
    action: "Serve the deployment, or give it a work pool and start a worker",
    resource: { kind: "deployment", id: run.known_deployment_id, name: run.deployment_name },
  });
}

function whoWorks({ run, now, lastWorker }: Situation): Obstacle[] {
  if (run.pool_id === null) return [];
  const resource = { kind: "work-pool", id: run.pool_id, name: run.pool_name };
  const action = `Start a worker for the work pool ${run.pool_name}`;
  if (lastWorker === null) {
    const message = `The work pool ${run.pool_name} has never had a worker`;
    return [obstacle("no-worker-online", { message, action, resource })];
  }
  const { name, last_heartbeat_time: heard, heartbeat_interval_seconds } = lastWorker;
  const silence = (heartbeat_interval_seconds ?? HEARTBEAT_SECONDS) * MISSED_HEARTBEATS;
  if (secondsSince(heard, now) <= silence) return [];
  const message = `No worker of the pool ${run.pool_name} is online; ${name} was last heard at ${heard}`;
  return [obstacle("no-worker-online", { message, action, resource })];
}

function whatIsFull({ run, inQueue, inPool, holders, keyValue }: Situation): Obstacle[] {
  const found: Obstacle[] = [];
  const action = "Wait for one of the runs to end, or raise the limit";
  if (run.queue_id !== null && isReached(run.queue_limit, inQueue.length)) {
    const resource = { kind: "work-queue", id: run.queue_id, name: run.queue_name };
    const message = `The work queue ${run.queue_name} runs ${inQueue.length} of ${run.queue_limit}`;
    found.push(obstacle("queue-limit-reached", { message, action, resource, runs: inQueue }));
  }
  if (run.pool_id !== null && isReached(run.pool_limit, inPool.length)) {
    const resource = { kind: "work-pool", id: run.pool_id, name: run.pool_name };
    const message = `The work pool ${run.pool_name} runs ${inPool.length} of ${run.pool_limit}`;
    found.push(obstacle("pool-limit-reached", { message, action, resource, runs: inPool }));
  }
  const isLimited = run.limit_id !== null && run.limit_active !== false;
  if (isLimited && run.limit_id !== null && isReached(run.limit_slots, holders.length)) {
    const resource = { kind: "concurrency-limit", id: run.limit_id, name: run.limit_name };
    const isClosed = run.limit_slots === 0;
    const message = isClosed
      ? "The deployment's concurrency limit is 0: none of its runs is started"
      : `The deployment runs ${holders.length} of ${run.limit_slots} at the same time${whose(run, keyValue)}`;
    found.push(
      obstacle("deployment-limit-reached", {
        message,
        action: isClosed ? "Raise the limit" : action,
        resource,
        runs: holders,
      }),
    );
  }
  return found;
}

/** Whose slots are meant where a limit has them for every value of a key. */
function whose({ limit_key }: RunFacts, value: string | null): string {
  if (limit_key === null || value === null) return "";
  const { parameter, tag_prefix } = JSON.parse(limit_key) as SlotKey;
  const which = parameter === undefined ? `the tag ${tag_prefix}` : `${parameter} `;
  return value === "" ? ` among those without ${which.trimEnd()}` : ` for ${which}${value}`;
}

const isReached = (limit: number | null, used: number): boolean => limit !== null && used >= limit;

function secondsSince(then: string, now: string): number {
  return (parseMicros(now) - parseMicros(then)) / MICROS_PER_SECOND;
}
