// All triggers that are switched on, found by the name of an event.

import { type Matcher, matcherOf } from "./matching.rules.ts";
import { canonical, newNameEffort } from "./names.rules.ts";
import {
  type CompositeTrigger,
  type EventTriggerRule,
  leavesOf,
  type TriggerRule,
} from "./triggers.rules.ts";

/** An automation as the evaluation needs it. */
export interface LiveAutomation {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly trigger: TriggerRule;
  readonly actions: readonly unknown[];
  readonly actionsOnTrigger: readonly unknown[];
}

/** An event trigger of an automation, alone or within others. */
export interface Leaf {
  readonly automation: LiveAutomation;
  readonly trigger: EventTriggerRule;
  /** The triggers it stands in, the nearest first. */
  readonly parents: readonly CompositeTrigger[];
  /** Which of the event triggers of its automation it is. */
  readonly place: number;
  readonly matcher: Matcher;
}

const EVERY_NAME = "";
/** Triggers do not look at these, whatever they expect. */
const IGNORED: ReadonlySet<string> = new Set(["prefect.log.write"]);

/**
 * Triggers by the exact names they know and by what their patterns begin with. An event that nobody
 * expects costs a look for its name and one for each length of a beginning, however many
 * automations there are.
 */
export class Catalogue {
  readonly #automations = new Map<string, readonly Leaf[]>();
  readonly #byTrigger = new Map<string, Leaf>();
  readonly #exact = new Map<string, Set<Leaf>>();
  readonly #starts = new Map<string, Set<Leaf>>();
  /** How many beginnings there are of each length. */
  readonly #lengths = new Map<number, number>();

  get size(): number {
    return this.#automations.size;
  }

  set(automation: LiveAutomation): void {
    this.remove(automation.id);
    const leaves = leavesOf(automation.trigger).map(
      ({ leaf: trigger, parents }, place): Leaf => ({
        automation,
        trigger,
        parents,
        place,
        matcher: matcherOf(trigger),
      }),
    );
    this.#automations.set(automation.id, leaves);
    for (const leaf of leaves) {
      this.#byTrigger.set(leaf.trigger.id, leaf);
      for (const { map, key } of this.#places(leaf)) {
        const there = map.get(key) ?? new Set();
        if (there.size === 0 && map === this.#starts) this.#count(key.length, 1);
        map.set(key, there.add(leaf));
      }
    }
  }

  remove(id: string): void {
    for (const leaf of this.#automations.get(id) ?? []) {
      this.#byTrigger.delete(leaf.trigger.id);
      for (const { map, key } of this.#places(leaf)) {
        const there = map.get(key);
        if (there?.delete(leaf) !== true || there.size > 0) continue;
        map.delete(key);
        if (map === this.#starts) this.#count(key.length, -1);
      }
    }
    this.#automations.delete(id);
  }

  automation(id: string): LiveAutomation | null {
    return this.#automations.get(id)?.[0]?.automation ?? null;
  }

  leaf(triggerId: string): Leaf | undefined {
    return this.#byTrigger.get(triggerId);
  }

  /**
   * The triggers of a workspace that an event of this name may concern, each once. Of one
   * automation the last comes first: an event that several steps of a sequence wait for is the next
   * step of what came before it, and only then the first of what may come.
   */
  candidates(workspaceId: string, eventName: string): Leaf[] {
    const name = canonical(eventName);
    if (IGNORED.has(name)) return [];
    const found = new Set<Leaf>(this.#exact.get(keyOf(workspaceId, name)));
    for (const length of this.#lengths.keys()) {
      const end = length - workspaceId.length - 1;
      if (end > name.length) continue;
      for (const leaf of this.#starts.get(keyOf(workspaceId, name.slice(0, end))) ?? []) {
        if (isNamed(leaf, name)) found.add(leaf);
      }
    }
    return [...found].sort((a, b) => b.place - a.place);
  }

  #places({ automation: { workspaceId }, matcher: { names } }: Leaf) {
    if (names === null) return [{ map: this.#starts, key: keyOf(workspaceId, EVERY_NAME) }];
    return names.map(({ start, isExact }) => ({
      map: isExact ? this.#exact : this.#starts,
      key: keyOf(workspaceId, start),
    }));
  }

  #count(length: number, change: number): void {
    const count = (this.#lengths.get(length) ?? 0) + change;
    if (count === 0) this.#lengths.delete(length);
    else this.#lengths.set(length, count);
  }
}

const keyOf = (workspaceId: string, name: string): string => `${workspaceId} ${name}`;

function isNamed({ matcher: { names } }: Leaf, name: string): boolean {
  if (names === null) return true;
  const effort = newNameEffort();
  return names.some(({ fits }) => fits(name, effort));
}
