// A trigger over a stretch of events, on a clock that goes from one of them to the next. What it
// decides is decided by the rules that the live evaluation has; only the buckets are in memory, and
// nothing is done.

import type { AutomationSimulation, TriggerEvaluation } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import { type MatchBudget, newMatchBudget } from "../../../telemetry/events/wildcards.rules.ts";
import { bucketDueTime, firstBucket } from "./buckets.rules.ts";
import { Catalogue, type LiveAutomation } from "./catalogue.rules.ts";
import { DueTimes } from "./due-times.ts";
import {
  applyEvent,
  applyTime,
  type BucketAddress,
  type Firing,
  matchesOf,
  type Observation,
  ONLY_KEY,
  WorkingSet,
} from "./evaluate.rules.ts";
import { arrange, followKeyOf, mayWait, type Ordered, WAIT_MICROS } from "./follows.rules.ts";
import {
  evaluationOf,
  isWorthTracing,
  tracedEvent,
  tracedLabels,
  tracedWindow,
} from "./trace.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";
import { leavesOf } from "./triggers.rules.ts";
import { remark } from "./verdicts.rules.ts";

export type Truncation = NonNullable<AutomationSimulation["truncated_by"]>;
type ToldEvent = NonNullable<TriggerEvaluation["event"]>;

/** An event of the stretch; opened only where the trigger knows its name. */
export interface SimulatedArrival extends Ordered {
  readonly received: number;
  readonly event: TriggerEvent | null;
}

export interface SimulationLimits {
  /** Firings and near misses that are told. */
  readonly entries: number;
  /** Events and ends of windows that are looked at. */
  readonly steps: number;
  /** Steps of comparing labels with patterns. */
  readonly patternSteps: number;
}

/** What was counted so far counts no longer. */
const ENDS: ReadonlySet<string> = new Set(["window-ended", "window-over", "expected-came"]);
const MOST_EVENTS_OF_FIRING = 100;
/**
 * So many events that wait for others cost as much as one that is looked at; each arrival goes
 * through all of them.
 */
const HELD_PER_STEP = 100;

export class Simulation {
  readonly #automation: LiveAutomation;
  readonly #prefix: string;
  readonly #limits: SimulationLimits;
  readonly #catalogue = new Catalogue();
  readonly #set: WorkingSet;
  readonly #due = new DueTimes<BucketAddress>();
  readonly #seen = new Set<string>();
  readonly #contributions = new Map<string, ToldEvent[]>();
  readonly #verdicts = new Map<string, number>();
  readonly #firings: AutomationSimulation["firings"] = [];
  readonly #misses: TriggerEvaluation[] = [];
  #held: readonly SimulatedArrival[] = [];
  #now = -Infinity;
  #steps = 0;
  #patternSteps = 0;
  #effortGiven: { readonly effort: MatchBudget; readonly steps: number } | null = null;
  #total = 0;
  #read = 0;
  #named = 0;
  #truncation: Truncation | null = null;
  /** What was last said to have fired. */
  #fired: { readonly observation: Observation; readonly events: readonly ToldEvent[] } | null =
    null;

  constructor(automation: LiveAutomation, prefix: string, limits: SimulationLimits) {
    this.#automation = automation;
    this.#prefix = prefix;
    this.#limits = limits;
    this.#catalogue.set(automation);
    this.#set = new WorkingSet((observation) => this.#observe(observation));
  }

  get truncation(): Truncation | null {
    return this.#truncation;
  }

  /** As if the automation were switched on at this moment. */
  begin(now: number): void {
    this.#now = now;
    for (const { leaf: trigger } of leavesOf(this.#automation.trigger)) {
      const leaf = this.#catalogue.leaf(trigger.id);
      const bucket = firstBucket(trigger, now);
      if (leaf === undefined || bucket === null) continue;
      this.#set.put(leaf, { triggerId: trigger.id, keyHash: ONLY_KEY, labels: {}, bucket });
    }
    this.#noteDue();
  }

  knows(name: string): boolean {
    return this.#catalogue.candidates(this.#automation.workspaceId, name).length > 0;
  }

  /** Whether it is worth asking if the event was there before the stretch began. */
  isUnseen(follows: string): boolean {
    return !this.#seen.has(this.#keyOf(follows));
  }

  markSeen(id: string): void {
    this.#seen.add(this.#keyOf(id));
  }

  /** The next event of the stretch; nothing more once it was too much. */
  feed(arrival: SimulatedArrival): void {
    if (this.#truncation !== null) return;
    this.#read += 1;
    if (arrival.event !== null) this.#named += 1;
    if (this.#begun()) this.#now = Math.max(this.#now, arrival.received);
    else this.begin(arrival.received);
    this.#releaseOverdue();
    if (this.#held.length === 0 && !this.#mustWait(arrival)) this.#look(arrival);
    else this.#arrange(arrival);
  }

  /** Time goes by without events. */
  finish(until: number): void {
    if (this.#truncation !== null) return;
    if (!this.#begun()) this.begin(until);
    this.#now = Math.max(this.#now, until);
    this.#releaseOverdue();
    this.#lookAtBuckets(true);
    for (const { event, received } of this.#held) {
      if (event === null) continue;
      const { trigger } = this.#automation;
      const about = { automation: this.#automation, triggerId: trigger.id, labels: {}, event };
      this.#observe({ ...about, at: received, remark: remark("leader-missing") });
    }
  }

  stop(truncation: Truncation): void {
    this.#truncation ??= truncation;
  }

  result(): Omit<AutomationSimulation, "since"> {
    return {
      until: this.#begun() ? formatMicros(this.#now) : null,
      events_read: this.#read,
      events_named: this.#named,
      firings_total: this.#total,
      firings: this.#firings,
      near_misses: this.#misses,
      verdicts: Object.fromEntries(this.#verdicts),
      truncated: this.#truncation !== null,
      truncated_by: this.#truncation,
    };
  }

  #begun(): boolean {
    return this.#now !== -Infinity;
  }

  #keyOf(id: string): string {
    return followKeyOf({ id, workspaceId: this.#automation.workspaceId });
  }

  #mustWait(arrival: SimulatedArrival): boolean {
    return mayWait(arrival) && this.isUnseen(arrival.follows ?? "");
  }

  #arrange(arrival: SimulatedArrival): void {
    this.#steps += this.#held.length / HELD_PER_STEP;
    if (this.#steps > this.#limits.steps) {
      this.stop("steps");
      return;
    }
    const seen = this.#mustWait(arrival) ? [] : [this.#keyOf(arrival.follows ?? "")];
    const { ready, waiting } = arrange([arrival], { seen: new Set(seen), held: this.#held });
    this.#held = waiting;
    for (const one of ready) this.#look(one);
  }

  #releaseOverdue(): void {
    const isOverdue = ({ received }: SimulatedArrival) => received + WAIT_MICROS <= this.#now;
    const overdue = this.#held.filter(isOverdue);
    if (overdue.length === 0) return;
    this.#held = this.#held.filter((arrival) => !isOverdue(arrival));
    for (const arrival of overdue) this.#look({ ...arrival, turn: arrival.received + WAIT_MICROS });
  }

  #look({ id, event: known, turn }: SimulatedArrival): void {
    this.markSeen(id);
    if (known === null) return;
    const event = { ...known, turn };
    this.#lookAtBuckets(false);
    if (!this.#step()) return;
    const observe = (observation: Observation) => this.#observe(observation);
    const looking = { observe, newEffort: () => this.#effort() };
    const matches = matchesOf(this.#catalogue, event, looking);
    this.#spend();
    for (const match of matches) this.#tell(applyEvent(this.#set, match), turn);
    this.#noteDue();
  }

  /**
   * The windows that have ended, each at the moment it does. An event that arrives at that moment
   * comes first.
   */
  #lookAtBuckets(isInclusive: boolean): void {
    for (;;) {
      const next = this.#due.takeBefore(this.#now, isInclusive);
      if (next === null) return;
      const known = this.#set.bucket(next.item);
      const leaf = this.#catalogue.leaf(next.item.triggerId);
      if (
        known === null ||
        leaf === undefined ||
        bucketDueTime(leaf.trigger, known.bucket) !== next.due
      )
        continue;
      if (!this.#step()) return;
      this.#tell(applyTime(this.#set, leaf, known, next.due), next.due);
      this.#noteDue();
    }
  }

  #noteDue(): void {
    for (const { leaf, after, triggerId, keyHash } of this.#set.changes())
      if (after !== null)
        this.#due.add(bucketDueTime(leaf.trigger, after.bucket), { triggerId, keyHash });
    this.#set.forgetChanges();
  }

  #step(): boolean {
    this.#steps += 1;
    if (this.#steps > this.#limits.steps) this.stop("steps");
    return this.#truncation === null;
  }

  /** As much as in the live evaluation, but no more than is left. */
  #effort(): MatchBudget {
    this.#spend();
    const left = this.#limits.patternSteps - this.#patternSteps;
    const effort = { steps: Math.max(1, Math.min(newMatchBudget().steps, left)) };
    this.#effortGiven = { effort, steps: effort.steps };
    return effort;
  }

  #spend(): void {
    const given = this.#effortGiven;
    if (given === null) return;
    this.#effortGiven = null;
    this.#patternSteps += given.steps - given.effort.steps;
    if (this.#patternSteps >= this.#limits.patternSteps - 1) this.stop("patterns");
  }

  #observe(observation: Observation): void {
    const { verdict } = observation.remark;
    this.#gather(observation);
    if (!isWorthTracing(observation)) return;
    this.#verdicts.set(verdict, (this.#verdicts.get(verdict) ?? 0) + 1);
    if (verdict === "fired" || this.#misses.length >= this.#limits.entries) return;
    this.#misses.push(evaluationOf(this.#prefix, observation));
  }

  /** Which events a count is made of. */
  #gather(observation: Observation): void {
    const { triggerId, labels, event, remark: said } = observation;
    const key = JSON.stringify([triggerId, labels]);
    const events = this.#contributions.get(key) ?? [];
    const isEvent = event !== null && said.mismatch === null;
    if (said.verdict === "counted" && isEvent)
      this.#contributions.set(key, [...events, tracedEvent(event)].slice(-MOST_EVENTS_OF_FIRING));
    else if (said.verdict === "fired") {
      this.#contributions.delete(key);
      const isLast = isEvent && said.count >= said.threshold;
      this.#fired = { observation, events: isLast ? [...events, tracedEvent(event)] : events };
    } else if (ENDS.has(said.verdict)) this.#contributions.delete(key);
  }

  #tell(firings: readonly Firing[], at: number): void {
    for (const { labels, event, children } of firings) {
      this.#total += 1;
      const told = this.#fired;
      if (told === null || this.#firings.length >= this.#limits.entries) continue;
      const { remark: said } = told.observation;
      this.#firings.push({
        time: formatMicros(at),
        labels: tracedLabels(this.#prefix, labels),
        event: eventIn(event),
        events:
          children.length === 0
            ? [...told.events]
            : children.flatMap((child) => eventIn(child.event) ?? []),
        count: Math.max(0, said.count),
        threshold: said.threshold,
        window: tracedWindow(said),
      });
    }
  }
}

function eventIn(body: string | null): ToldEvent | null {
  if (body === null) return null;
  const { id, event, occurred } = JSON.parse(body) as ToldEvent;
  return { id, event, occurred };
}
