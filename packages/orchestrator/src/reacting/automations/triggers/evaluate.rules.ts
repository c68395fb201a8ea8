// Events in, firings out: what the triggers of a catalogue make of an event, over buckets at hand.

import { createHash } from "node:crypto";
import type { MatchBudget } from "../../../telemetry/events/wildcards.rules.ts";
import { isTooDeep } from "../../firings/chain.rules.ts";
import { type Bucket, isStateless, onEvent, onTime } from "./buckets.rules.ts";
import type { Catalogue, Leaf, LiveAutomation } from "./catalogue.rules.ts";
import { ChainBudgets } from "./chain-budgets.rules.ts";
import { type ChildFiring, onChildFiring } from "./composite.rules.ts";
import { isEcho, type TriggerEvent } from "./trigger-event.rules.ts";
import { type Remark, remark } from "./verdicts.rules.ts";

/** Something that an event or the time did to a trigger, or did not. */
export interface Observation {
  readonly automation: LiveAutomation;
  readonly triggerId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Microseconds. */
  readonly at: number;
  /** Null where the time has done it. */
  readonly event: TriggerEvent | null;
  readonly remark: Remark;
}
export type Observer = (observation: Observation) => void;

/** An event that concerns a trigger, and the bucket it belongs to. */
export interface Match {
  readonly leaf: Leaf;
  readonly event: TriggerEvent;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: BucketAddress;
}

export interface BucketAddress {
  readonly triggerId: string;
  /** Stands for the values of the labels, however long they are. */
  readonly keyHash: string;
}

/** A bucket with the labels it is for. */
export interface LabelledBucket extends BucketAddress {
  readonly labels: Readonly<Record<string, string>>;
  readonly bucket: Bucket;
}

/** That the whole trigger of an automation has fired. */
export interface Firing {
  readonly automation: LiveAutomation;
  readonly labels: Readonly<Record<string, string>>;
  /** The event that it fired for, as JSON text. */
  readonly event: string | null;
  /** The firings within that made it fire, in order; none where the trigger is a single one. */
  readonly children: readonly ChildFiring[];
  /** The event that it answers; null where the time has made it fire. */
  readonly cause: TriggerEvent | null;
}

interface Looking {
  readonly observe?: Observer;
  readonly newEffort?: () => MatchBudget;
}

/** The triggers that an event concerns; an observer is told of those that it misses. */
export function matchesOf(
  catalogue: Catalogue,
  event: TriggerEvent,
  looking: Looking = {},
): Match[] {
  return catalogue
    .candidates(event.workspaceId, event.name)
    .flatMap((leaf) => matchOf(leaf, event, looking) ?? []);
}

/** Null where the trigger misses the event. */
export function matchOf(
  leaf: Leaf,
  event: TriggerEvent,
  { observe, newEffort }: Looking = {},
): Match | null {
  const miss = missOf(leaf, event, newEffort?.());
  if (miss === null) {
    const labels = leaf.matcher.labelsOf(event);
    const address = { triggerId: leaf.trigger.id, keyHash: hashOf(labels) };
    return { leaf, event, labels, address };
  }
  const { automation, trigger } = leaf;
  observe?.({
    automation,
    triggerId: trigger.id,
    labels: {},
    at: event.turn,
    event,
    remark: miss,
  });
  return null;
}

function missOf(leaf: Leaf, event: TriggerEvent, effort?: MatchBudget): Remark | null {
  if (event.chain !== null && isTooDeep(event.chain.depth)) return remark("chain-too-long");
  if (isOwnEcho(leaf, event)) return remark("own-event");
  if (!acceptsCaused(leaf, event)) return remark("not-named");
  const mismatch = leaf.matcher.findMismatch(event, effort);
  return mismatch === null ? null : remark("other-labels", { mismatch });
}

/** The key of a trigger that does not tell its events apart. */
export const ONLY_KEY = "";

function hashOf(labels: Readonly<Record<string, string>>): string {
  const values = Object.values(labels);
  if (values.length === 0) return ONLY_KEY;
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}

/**
 * That an automation has fired or acted does not make the same automation fire, or it would never
 * end.
 */
function isOwnEcho({ automation }: Leaf, { name, resource }: TriggerEvent): boolean {
  return isEcho(name) && resource["prefect.resource.id"] === `prefect.automation.${automation.id}`;
}

/**
 * Triggers that fire at anything would hear of each other, and a handful of them make thousands of
 * events of one: what automations bring about must be named.
 */
export const acceptsCaused = ({ matcher }: Leaf, { name, chain }: TriggerEvent): boolean =>
  chain === null || matcher.namesCaused(name);

/**
 * The buckets, child firings and chains of a pass: loaded before it, changed by it, written after
 * it.
 */
export class WorkingSet {
  readonly #buckets = new Map<string, LabelledBucket | null>();
  readonly #children = new Map<string, readonly ChildFiring[]>();
  readonly #changedBuckets = new Map<string, Leaf>();
  readonly #changedParents = new Map<string, LiveAutomation>();
  readonly chains: ChainBudgets;
  readonly observe: Observer;

  constructor(observe: Observer, chains = new ChainBudgets()) {
    this.observe = observe;
    this.chains = chains;
  }

  load(buckets: readonly LabelledBucket[]): void {
    for (const bucket of buckets) this.#buckets.set(placeOf(bucket), bucket);
  }

  loadChildren(parentId: string, child: ChildFiring): void {
    this.#children.set(parentId, [...(this.#children.get(parentId) ?? []), child]);
  }

  bucket(address: BucketAddress): LabelledBucket | null {
    return this.#buckets.get(placeOf(address)) ?? null;
  }

  children(parentId: string): readonly ChildFiring[] {
    return this.#children.get(parentId) ?? [];
  }

  put(
    leaf: Leaf,
    after: BucketAddress & {
      readonly labels: LabelledBucket["labels"];
      readonly bucket: Bucket | null;
    },
  ): void {
    const place = placeOf(after);
    const { triggerId, keyHash, labels, bucket } = after;
    this.#buckets.set(place, bucket === null ? null : { triggerId, keyHash, labels, bucket });
    this.#changedBuckets.set(place, leaf);
  }

  putChildren(
    automation: LiveAutomation,
    parentId: string,
    children: readonly ChildFiring[],
  ): void {
    this.#children.set(parentId, children);
    this.#changedParents.set(parentId, automation);
  }

  /** Each bucket that changed as it is now; null where there is none any more. */
  *changes(): Iterable<
    BucketAddress & { readonly leaf: Leaf; readonly after: LabelledBucket | null }
  > {
    for (const [place, leaf] of this.#changedBuckets) {
      const keyHash = place.slice(leaf.trigger.id.length + 1);
      const after = this.#buckets.get(place) ?? null;
      yield { triggerId: leaf.trigger.id, keyHash, leaf, after };
    }
  }

  /** What has changed so far is known, and kept. */
  forgetChanges(): void {
    this.#changedBuckets.clear();
    this.#changedParents.clear();
    this.chains.forgetAdded();
  }

  *changedParents(): Iterable<{
    readonly automation: LiveAutomation;
    readonly parentId: string;
    readonly children: readonly ChildFiring[];
  }> {
    for (const [parentId, automation] of this.#changedParents)
      yield { automation, parentId, children: this.children(parentId) };
  }
}

const placeOf = ({ triggerId, keyHash }: BucketAddress): string => `${triggerId} ${keyHash}`;

/** What an event does to one trigger that it concerns. */
export function applyEvent(set: WorkingSet, { leaf, event, labels, address }: Match): Firing[] {
  const { trigger, matcher } = leaf;
  if (set.chains.refuses(event)) {
    tell(set, leaf, { labels, at: event.turn, event }, [remark("chain-too-long")]);
    return [];
  }
  const before = set.bucket(address)?.bucket ?? null;
  const { bucket, firings, remarks } = onEvent(trigger, before, {
    at: event.at,
    turn: event.turn,
    body: event.body,
    isExpected: matcher.expects(event.name),
    startsWindow: matcher.startsWindow(event.name),
  });
  if (bucket !== before && !isStateless(trigger)) {
    const { triggerId, keyHash } = address;
    set.put(leaf, { triggerId, keyHash, labels, bucket });
  }
  const fired = event.turn;
  tell(set, leaf, { labels, at: fired, event }, remarks);
  const { position } = event;
  return firings.flatMap((about) =>
    bubbleUp(set, leaf, { fired, position, labels, event: about }, event),
  );
}

/** What the time does to a bucket, when it is looked at. */
export function applyTime(
  set: WorkingSet,
  leaf: Leaf,
  known: LabelledBucket,
  now: number,
): Firing[] {
  const { bucket, firings, remarks } = onTime(leaf.trigger, known.bucket, now);
  const { labels } = known;
  // Also one that stays as it is: it says when to look again.
  set.put(leaf, { ...known, bucket });
  tell(set, leaf, { labels, at: now, event: null }, remarks);
  return firings.flatMap((event) =>
    bubbleUp(set, leaf, { fired: now, position: 0, labels, event }, null),
  );
}

function tell(
  set: WorkingSet,
  { automation, trigger }: Leaf,
  { labels, at, event }: Pick<Observation, "labels" | "at" | "event">,
  remarks: readonly Remark[],
): void {
  for (const remark of remarks)
    set.observe({ automation, triggerId: trigger.id, labels, at, event, remark });
}

/** From the trigger that has fired to those it stands in; one of them may wait for more. */
function bubbleUp(
  set: WorkingSet,
  leaf: Leaf,
  fired: Omit<ChildFiring, "childId">,
  event: TriggerEvent | null,
): Firing[] {
  const { automation } = leaf;
  let current: ChildFiring = { ...fired, childId: leaf.trigger.id };
  let made: readonly ChildFiring[] = [];
  for (const parent of leaf.parents) {
    const step = onChildFiring(parent, set.children(parent.id), current);
    const { children, fires } = step;
    set.putChildren(automation, parent.id, children);
    const about = { labels: {}, at: fired.fired, event };
    set.observe({ automation, triggerId: parent.id, ...about, remark: step.remark });
    if (fires === null) return [];
    const last = fires.at(-1) ?? current;
    current = { ...fired, childId: parent.id, labels: {}, event: last.event };
    made = fires;
  }
  // An absence answers nothing, also where an event has brought it to light.
  const cause = leaf.trigger.posture === "Proactive" ? null : event;
  if (cause !== null) set.chains.countFiring(cause);
  return [{ automation, labels: current.labels, event: current.event, children: made, cause }];
}
