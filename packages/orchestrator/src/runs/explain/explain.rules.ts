// Why a run is not running: facts in, obstacles out, in the order in which they would have to be
// cleared.

import { type Obstacle, TERMINAL_STATE_TYPES } from "@orchestrator/contract";
import { AWAITING_RECOVERY } from "../orchestration/recovery.rules.ts";
import { isSuspension } from "../orchestration/suspension.rules.ts";
import {
  type BlockerDetails,
  blockerOf,
  deploymentOf,
  limitOf,
  scheduleResourceOf,
} from "./blocker.rules.ts";
import type { RunFacts, Situation } from "./situation.rules.ts";
import { whatIsFull, whatWasLost } from "./what-is-full.rules.ts";
import { whereItWaits, whoWorks } from "./who-works.rules.ts";

export function explainBlockers(situation: Situation): Obstacle[] {
  const { state_type, retry_type } = situation.run;
  if (state_type === "PAUSED") return whyPaused(situation);
  if (state_type === "RUNNING")
    return [whyNotWaiting(situation), ...whatItWaitsFor(situation, false)];
  if (state_type !== "SCHEDULED") return [whyNotWaiting(situation)];
  return retry_type === "in_process" ? whyNotRetried(situation) : whyWaiting(situation);
}

function whyNotWaiting({ run, details, now }: Situation): Obstacle {
  const { state_type: type, state_name: name, state_timestamp: since, deadline: until } = run;
  if (type === null || TERMINAL_STATE_TYPES.has(type)) {
    const message = `The run ended as ${name ?? type} at ${since}`;
    const action = "Retry it";
    return blockerOf("ended", { message, action });
  }
  if (type === "RUNNING") {
    return blockerOf("running", {
      message: `The run has been running since ${since}`,
      isBlocking: false,
    });
  }
  if (type === "PENDING") {
    const time = details.scheduled_time ?? null;
    const claimed = `The run was claimed at ${since} (${name})`;
    if (time !== null && time > now) {
      const message = `${claimed} ahead of its time, and begins at ${time}`;
      return blockerOf("claimed", { message, action: "Wait for its time", until: time });
    }
    const action = `Look at the worker or process that claimed it; ${withoutAWord(run)}`;
    return blockerOf("claimed", { message: `${claimed} and is being started`, action, until });
  }
  const message = `The run is being cancelled since ${since}`;
  const action = "Wait until it has stopped, or is taken for stopped";
  return blockerOf("cancelling", { message, action, until });
}

/** Somebody else can be offered only what somebody polls for. */
const withoutAWord = ({ deployment_id, queue_id }: RunFacts): string =>
  deployment_id === null && queue_id === null
    ? "without a word from it the run is taken for crashed"
    : "without a word from it the run is offered again";

function whyPaused(situation: Situation): Obstacle[] {
  const { run, details } = situation;
  const isAsking = Object.keys(details.run_input_keyset ?? {}).length > 0;
  const message = `The run has been paused since ${run.state_timestamp}${isAsking ? ", and waits for an input" : ""}`;
  const action = isAsking ? "Resume it with the input that it asks for" : "Resume it";
  const paused = blockerOf("paused", { message, action, until: run.deadline });
  // What is suspended is scheduled and claimed anew, and asks for a slot then.
  return details.pause_reschedule === true ? [paused] : [...whatWasLost(situation), paused];
}

/** Its process is there and has its place: nobody has to come for it. */
function whyNotRetried(situation: Situation): Obstacle[] {
  const { run, now } = situation;
  const { next_scheduled_start_time: due, deadline } = run;
  const isDue = due === null || due <= now;
  const message = `The run waits for its retry, which the process that ran it begins itself${isDue ? `; ${withoutAWord(run)}` : ""}`;
  const until = isDue ? deadline : due;
  const action = "Wait for the retry, or cancel the run";
  return [blockerOf("waiting-for-retry", { message, action, until }), ...whatWasLost(situation)];
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
  return [...found, blockerOf("about-to-be-claimed", { message, isBlocking: false })];
}

function whenDue(situation: Situation): Obstacle[] {
  const { run, now } = situation;
  const { next_scheduled_start_time: due, state_name: name } = run;
  if (isSuspension(name)) return whatItWaitsFor(situation, due !== null && due > now);
  if (name === AWAITING_RECOVERY) return [whyRecovered(situation)];
  if (due === null || due <= now) return [];
  if (name === "AwaitingConcurrencySlot") {
    const message = `There was no room for the run; it asks again at ${due} at the latest`;
    const action = "Wait, or set its state to SCHEDULED so that it asks at once";
    const inTheWay = whatItAwaits(situation);
    return [blockerOf("waiting-for-slot", { message, action, until: due, ...inTheWay })];
  }
  const message = `The run is scheduled for ${due}`;
  const action = "Wait, or set its state to SCHEDULED with an earlier scheduled_time";
  return [blockerOf("scheduled-later", { message, action, until: due })];
}

/** What its flow waits for, in a process or suspended. */
function whatItWaitsFor({ waits }: Situation, isBlocking: boolean): Obstacle[] {
  return waits.map(({ event, expires: until }) => {
    if (event === null) {
      const message = `The flow sleeps until ${until}`;
      return blockerOf("sleeping", {
        message,
        action: "Wait, or cancel the run",
        until,
        isBlocking,
      });
    }
    const message = `The flow waits for the event ${event} until ${until}`;
    const action = "Send the event, or cancel the run";
    return blockerOf("waiting-for-event", { message, action, until, isBlocking });
  });
}

/** Its process, worker or machine was lost. */
function whyRecovered({ run, now }: Situation): Obstacle {
  const { next_scheduled_start_time: due, state_timestamp: since } = run;
  const isBlocking = due !== null && due > now;
  const when = isBlocking ? `is offered again at ${due}` : "is offered again";
  const message = `The process of the run was lost at ${since}: it ${when}, and goes on behind its finished tasks`;
  const action = "Wait, or cancel the run";
  return blockerOf("recovering", { message, action, until: isBlocking ? due : null, isBlocking });
}

/**
 * What a claim would ask first: the schedule that minds earlier runs, then the limit of the
 * deployment.
 */
function whatItAwaits({
  run,
  earlier,
  slots,
}: Situation): Pick<BlockerDetails, "resource" | "runs"> {
  if (earlier.length > 0) return { resource: scheduleResourceOf(run), runs: earlier };
  if (slots !== null) return { resource: limitOf(slots), runs: slots.runs };
  const isMinded = WHILE_OVERLAPPING[run.schedule_overlap ?? ""] !== undefined;
  return { resource: isMinded ? scheduleResourceOf(run) : deploymentOf(run) };
}

function whoDeploys({ run }: Situation): Obstacle[] {
  if (run.deployment_id === null) return [];
  if (run.known_deployment_id === null) {
    const message = `The deployment ${run.deployment_id} is gone`;
    const resource = deploymentOf(run);
    return [blockerOf("deployment-gone", { message, action: "Delete the run", resource })];
  }
  const found: Obstacle[] = [];
  if (run.deployment_paused === true) {
    const message = "The deployment is paused: its schedules make no new runs";
    found.push(
      blockerOf("deployment-paused", {
        message,
        action: "Resume the deployment",
        resource: deploymentOf(run),
        isBlocking: false,
      }),
    );
  }
  if (run.auto_scheduled && run.schedule_id !== null && run.schedule_active === false) {
    const message = "The schedule that made the run is not active";
    found.push(
      blockerOf("schedule-inactive", {
        message,
        action: "Activate the schedule",
        resource: scheduleResourceOf(run),
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
  const meaning = WHILE_OVERLAPPING[run.schedule_overlap ?? ""];
  if (run.schedule_id === null || meaning === undefined || earlier.length === 0) return [];
  const message = `An earlier run of the schedule has not ended: ${meaning}`;
  const action = "Wait for it to end, cancel it, or let the runs of the schedule overlap";
  const resource = scheduleResourceOf(run);
  return [blockerOf("earlier-run-under-way", { message, action, resource, runs: earlier })];
}
