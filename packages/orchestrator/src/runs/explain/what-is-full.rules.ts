// For what there is no room: the places in its queue and pool, and the slots of its deployment.

import type { ConcurrencyOptions, Obstacle, SlotKey } from "@orchestrator/contract";
import { receivedKey } from "../../limits/limit-keys.rules.ts";
import { decays, deploymentLimitName } from "../../limits/occupancy.rules.ts";
import { isSkipped } from "../orchestration/collisions.rules.ts";
import { blockerOf, deploymentOf, limitOf, poolOf, queueOf } from "./blocker.rules.ts";
import type { RunFacts, Situation, TakenSlots } from "./situation.rules.ts";

const WAIT_FOR_RUNS = "Wait for one of the runs to end, or raise the limit";

export const isReached = (limit: number | null, used: number): boolean =>
  limit !== null && used >= limit;

/** What a claim would be refused for. */
export function whatIsFull(situation: Situation): Obstacle[] {
  const { run, inQueue, inPool, slots, holdsSlot } = situation;
  const found: Obstacle[] = [];
  if (isReached(run.queue_limit, inQueue.count)) {
    const place = { name: `The work queue ${run.queue_name}`, limit: run.queue_limit, ...inQueue };
    found.push(blockerOf("queue-limit-reached", { ...noPlace(place), resource: queueOf(run) }));
  }
  if (isReached(run.pool_limit, inPool.count)) {
    const place = { name: `The work pool ${run.pool_name}`, limit: run.pool_limit, ...inPool };
    found.push(blockerOf("pool-limit-reached", { ...noPlace(place), resource: poolOf(run) }));
  }
  if (slots?.keyProblem !== undefined) found.push(noKey(run, slots.keyProblem));
  // Nothing is claimed where there are no slots, not even what has kept its own.
  const isInNeed = slots !== null && (!holdsSlot || slots.limit.slot_limit === 0);
  if (isInNeed && isReached(slots.limit.slot_limit, slots.used)) {
    found.push(noSlot(run, slots, isCancelledWithout(run)));
  }
  return found;
}

/** What keeps a run that has begun from going on: its slot was lost, and there is no other. */
export function whatWasLost({ run, details, slots, holdsSlot }: Situation): Obstacle[] {
  const hadSlot = (details.deployment_concurrency_lease_id ?? null) !== null;
  if (!hadSlot || holdsSlot || slots === null) return [];
  return isReached(slots.limit.slot_limit, slots.used) ? [noSlot(run, slots, false)] : [];
}

interface FullPlace {
  readonly name: string;
  readonly limit: number | null;
  readonly count: number;
  readonly runs: readonly string[];
}

const noPlace = ({ name, limit, count, runs }: FullPlace) =>
  limit === 0
    ? { message: `${name} has the limit 0: none of its runs is started`, action: "Raise the limit" }
    : { message: `${name} runs ${count} of ${limit}`, action: WAIT_FOR_RUNS, runs };

function isCancelledWithout(run: RunFacts): boolean {
  const { concurrency_options: options, on_collision: onCollision } = run;
  if (options === null) return false;
  return isSkipped(run, { options: JSON.parse(options) as ConcurrencyOptions, onCollision });
}

function noSlot(run: RunFacts, slots: TakenSlots, isCancelled: boolean): Obstacle {
  const { limit, runs } = slots;
  const resource = limitOf(slots);
  if (limit.slot_limit === 0) {
    const message = "The deployment's concurrency limit is 0: none of its runs is started";
    const action = "Raise the limit";
    return blockerOf("deployment-limit-reached", { message, action, resource });
  }
  const message = `${whatIsUsed(run, slots)}${whose(slots)}${byWhom(slots)}`;
  if (isCancelled) {
    return blockerOf("deployment-limit-reached", {
      message: `${message}; the run is cancelled when it is claimed before one is free`,
      action: "Raise the limit, or let runs that find no slot wait",
      resource,
      runs,
    });
  }
  const action = whatFreesSlots(slots);
  const hasBegun = run.run_count > 0;
  const outcome = hasBegun ? "" : (ON_COLLISION[run.on_collision ?? "queue"] ?? "");
  return blockerOf("deployment-limit-reached", {
    message: `${message}${outcome}`,
    action,
    resource,
    runs,
  });
}

/** What else happens while a run waits. */
const ON_COLLISION: Readonly<Record<string, string>> = {
  "cancel-running": "; when the run is claimed, older runs are cancelled for it",
  "replace-queued": "; a newer run that has to wait takes its place",
};

function noKey(run: RunFacts, problem: string): Obstacle {
  const message = `${problem}; the run fails when it is claimed`;
  const action = "Start a run that has the value, or change the key of the deployment";
  return blockerOf("deployment-limit-reached", { message, action, resource: deploymentOf(run) });
}

function whatIsUsed(run: RunFacts, { limit, used }: TakenSlots): string {
  const isOwn = limit.name === deploymentLimitName(run.known_deployment_id ?? "");
  return isOwn
    ? `The deployment runs ${used} of ${limit.slot_limit} at the same time`
    : `The concurrency limit ${limit.name} of the deployment has ${used} of ${limit.slot_limit} slots in use`;
}

/** Whose slots are meant where a limit has them for every value of a key. */
function whose({ limit, keyValue: value }: TakenSlots): string {
  const key: SlotKey | null = receivedKey(limit.key);
  if (key === null || value === null) return "";
  if (key.template !== undefined) return ` for the concurrency key ${value}`;
  const which = key.parameter === undefined ? `the tag ${key.tag_prefix}` : `${key.parameter} `;
  return value === "" ? ` among those without ${which.trimEnd()}` : ` for ${which}${value}`;
}

/** Who holds them where that is not said by the runs alone. */
function byWhom({ limit, holders }: TakenSlots): string {
  if (decays(limit)) return ", which come back with time";
  if (!holders.some(isNoRun)) return "";
  const each = holders.map(({ type, slots }) => `${slots} by ${nameOf(type)}`);
  return `, ${each.join(", ")}`;
}

const isNoRun = ({ type }: { readonly type: string | null }): boolean => type !== "flow_run";
const nameOf = (type: string | null): string =>
  type === null ? "nobody who has a name" : `${type.replaceAll("_", " ")}s`;

function whatFreesSlots({ limit, holders }: TakenSlots): string {
  if (decays(limit)) return "Wait, or raise the limit";
  return holders.some(isNoRun)
    ? "Wait until slots are given back, give back those that nobody needs any more, or raise the limit"
    : WAIT_FOR_RUNS;
}
