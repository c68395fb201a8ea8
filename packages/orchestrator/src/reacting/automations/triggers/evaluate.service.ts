// One pass of the triggers: what is needed is read at once, the rules decide, and all that follows
// is written in the same transaction as the place in the log up to which it was read.

import { readJson, writeJson } from "@orchestrator/exact-json";
import type { LoggedEvent } from "@orchestrator/kernel/events";
import { formatMicros, parseMicros, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import { type Bucket, bucketDueTime, isStateless } from "./buckets.rules.ts";
import type { Catalogue, Leaf } from "./catalogue.rules.ts";
import { chained, loadChains, writeChains } from "./chain.service.ts";
import { ChainBudgets } from "./chain-budgets.rules.ts";
import {
  applyEvent,
  applyTime,
  type Firing,
  type LabelledBucket,
  type Match,
  matchOf,
  type Observation,
  WorkingSet,
} from "./evaluate.rules.ts";
import { type EvaluationCaches, eventsAtOnce, isOfExhausted } from "./evaluation-batch.service.ts";
import { recordFiring } from "./firings.service.ts";
import { arrangeEvents } from "./follows.service.ts";
import { throttleFirings } from "./throttle.service.ts";
import { recordTrace } from "./trace.service.ts";
import { isEcho, readOverdueEvent, type TriggerEvent } from "./trigger-event.rules.ts";
import {
  putBucket,
  readBuckets,
  readChildren,
  readDueBuckets,
  removeBucket,
  replaceChildren,
} from "./triggers.store.ts";
import { readOverdue, removeWaiting } from "./waiting-events.store.ts";

const AT_ONCE = 200;
/** What the next events of the log make triggers do. */
export async function evaluateEvents(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { live, exhausted, events }: EvaluationCaches & { readonly events: readonly LoggedEvent[] },
): Promise<void> {
  const catalogue = await live.hold(tx);
  if (catalogue.size === 0) return;
  const isConcerned = (event: LoggedEvent): boolean =>
    !isOfExhausted(exhausted, event) &&
    catalogue.candidates(event.workspace_id, event.event).length > 0;
  const arranged = await arrangeEvents(ctx, tx, { events, isConcerned });
  await evaluate(ctx, tx, { catalogue, exhausted, events: arranged });
}

/** What the end of windows and of waits makes triggers do. Tells whether there may be more. */
export async function evaluateTime(
  ctx: OrchestratorContext,
  { live, exhausted, now }: EvaluationCaches & { readonly now: string },
): Promise<boolean> {
  const look = { now, limit: AT_ONCE };
  const { system } = ctx.db;
  const found = [await readDueBuckets(system, look), await readOverdue(system, look)];
  if (found.every(({ length }) => length === 0)) return false;
  let isMore = false;
  await ctx.db.writeSystem(async (tx) => {
    const catalogue = await live.hold(tx);
    const waiting = await readOverdue(tx, look);
    const overdue = waiting.slice(0, eventsAtOnce({ live, exhausted }, waiting));
    isMore = overdue.length < waiting.length || waiting.length === AT_ONCE;
    for (const event of overdue) await removeWaiting(tx, event);
    await evaluate(ctx, tx, { catalogue, exhausted, events: overdue.map(readOverdueEvent) });
    // An absence is only told when no event that might end it waits behind those that were cut off.
    if (!isMore) await lookAtBuckets(ctx, tx, catalogue, look);
  });
  live.keep();
  return isMore || found.some(({ length }) => length === AT_ONCE);
}

async function evaluate(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  given: Pick<EvaluationCaches, "exhausted"> & {
    readonly catalogue: Catalogue;
    readonly events: readonly TriggerEvent[];
  },
): Promise<void> {
  const { catalogue } = given;
  const chains = new ChainBudgets();
  const events = await dropExhausted(tx, chains, given);
  const found = await chained(tx, await namedBy(catalogue, events));
  await loadChains(
    tx,
    chains,
    found.flatMap(({ event }) => (isEcho(event.name) ? [] : [event])),
  );
  const matches = found.filter(({ event }) => !chains.isExhausted(event));
  if (matches.length === 0) return;
  const addresses = new Map(
    matches
      .filter(({ leaf }) => !isStateless(leaf.trigger))
      .map(({ address: { triggerId: trigger_id, keyHash: key_hash } }) => [
        `${trigger_id} ${key_hash}`,
        { trigger_id, key_hash },
      ]),
  );
  const observed: Observation[] = [];
  const set = new WorkingSet((observation) => observed.push(observation), chains);
  set.load((await readBuckets(tx, [...addresses.values()])).map(labelled));
  await loadChildren(
    tx,
    set,
    matches.map(({ leaf }) => leaf),
  );
  const firings = matches.flatMap((match) => applyEvent(set, match));
  await write(ctx, tx, set, { firings, observed });
}

/**
 * Without the events that tell of chains whose budget is exhausted: matching them would cost as
 * much as there are listeners.
 */
async function dropExhausted(
  tx: SystemTransaction,
  chains: ChainBudgets,
  {
    events,
    exhausted,
  }: Pick<EvaluationCaches, "exhausted"> & { readonly events: readonly TriggerEvent[] },
): Promise<TriggerEvent[]> {
  await loadChains(tx, chains, events);
  return events.filter((event) => {
    const isDropped = chains.isExhausted(event);
    // Only what an earlier transaction has committed is in the budgets by now.
    if (isDropped && event.chain !== null) exhausted.add(event.workspaceId, event.chain);
    return !isDropped;
  });
}

/** Patterns may take milliseconds for each trigger, so others have their turn in between. */
async function namedBy(catalogue: Catalogue, events: readonly TriggerEvent[]): Promise<Match[]> {
  const turn = yieldingBetweenSteps();
  const named: Match[] = [];
  for (const event of events)
    for (const leaf of catalogue.candidates(event.workspaceId, event.name)) {
      const match = matchOf(leaf, event);
      if (match !== null) named.push(match);
      await turn();
    }
  return named;
}

async function lookAtBuckets(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  catalogue: Catalogue,
  look: { readonly now: string; readonly limit: number },
): Promise<void> {
  const due: { readonly leaf: Leaf; readonly bucket: LabelledBucket }[] = [];
  for (const row of await readDueBuckets(tx, look)) {
    const leaf = catalogue.leaf(row.trigger_id);
    if (leaf === undefined) await removeBucket(tx, row);
    else due.push({ leaf, bucket: labelled(row) });
  }
  const observed: Observation[] = [];
  const set = new WorkingSet((observation) => observed.push(observation));
  await loadChildren(
    tx,
    set,
    due.map(({ leaf }) => leaf),
  );
  const now = parseMicros(look.now);
  const firings = due.flatMap(({ leaf, bucket }) => applyTime(set, leaf, bucket, now));
  await write(ctx, tx, set, { firings, observed });
}

async function loadChildren(
  tx: SystemTransaction,
  set: WorkingSet,
  leaves: readonly Leaf[],
): Promise<void> {
  const within = leaves.filter(({ parents }) => parents.length > 0);
  const ids = new Set(within.map(({ automation }) => automation.id));
  for (const row of await readChildren(tx, [...ids])) {
    const { labels, event } = readJson(row.firing) as {
      readonly labels: Readonly<Record<string, string>>;
      readonly event: unknown;
    };
    set.loadChildren(row.parent_id, {
      childId: row.child_id,
      fired: parseMicros(row.fired),
      position: row.position,
      labels,
      event: event === null ? null : writeJson(event),
    });
  }
}

async function write(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  set: WorkingSet,
  happened: { readonly firings: readonly Firing[]; readonly observed: readonly Observation[] },
): Promise<void> {
  for (const { triggerId, keyHash, leaf, after } of set.changes()) {
    const address = { trigger_id: triggerId, key_hash: keyHash };
    if (after === null) {
      await removeBucket(tx, address);
      continue;
    }
    const { bucket, labels } = after;
    await putBucket(tx.inWorkspace(leaf.automation.workspaceId), {
      ...address,
      automation_id: leaf.automation.id,
      labels: JSON.stringify(labels),
      starts: formatMicros(bucket.starts),
      ends: formatMicros(bucket.ends),
      count: bucket.count,
      last_event: bucket.lastEvent,
      held: writeHeld(bucket),
      due: formatMicros(bucketDueTime(leaf.trigger, bucket)),
    });
  }
  for (const { automation, parentId, children } of set.changedParents()) {
    const rows = children.map(({ childId, fired, position, labels, event }) => ({
      automation_id: automation.id,
      parent_id: parentId,
      child_id: childId,
      fired: formatMicros(fired),
      position,
      firing: `{"labels":${JSON.stringify(labels)},"event":${event ?? "null"}}`,
    }));
    await replaceChildren(tx.inWorkspace(automation.workspaceId), parentId, rows);
  }
  const { firings, observed } = await throttleFirings(ctx, tx, happened);
  await recordTrace(ctx, tx, observed);
  await writeChains(ctx, tx, set.chains);
  for (const firing of firings)
    await recordFiring(ctx, tx.inWorkspace(firing.automation.workspaceId), firing);
}

function labelled(row: Awaited<ReturnType<typeof readBuckets>>[number]): LabelledBucket {
  return {
    triggerId: row.trigger_id,
    keyHash: row.key_hash,
    labels: JSON.parse(row.labels) as Readonly<Record<string, string>>,
    bucket: {
      starts: parseMicros(row.starts),
      ends: parseMicros(row.ends),
      count: row.count,
      lastEvent: row.last_event,
      ...readHeld(row.held),
    },
  };
}

type HeldInBucket = Pick<Bucket, "held" | "lastHeld">;

const writeHeld = ({ held, lastHeld }: HeldInBucket): string | null =>
  held.length === 0 ? null : JSON.stringify({ held, lastHeld });

const readHeld = (text: string | null): HeldInBucket =>
  text === null ? { held: [], lastHeld: null } : (JSON.parse(text) as HeldInBucket);
