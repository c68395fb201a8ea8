// Which events a trigger is interested in, and for which of its buckets.

import type { LabelPatterns } from "@orchestrator/contract";
import { ownLabel } from "../../../telemetry/events/event-match.rules.ts";
import type { ResourceLabels } from "../../../telemetry/events/labels.rules.ts";
import {
  type MatchBudget,
  matchesPattern,
  newMatchBudget,
} from "../../../telemetry/events/wildcards.rules.ts";
import {
  canonical,
  canonicalPattern,
  type NamePattern,
  namePattern,
  newNameEffort,
} from "./names.rules.ts";
import { isEcho, namesEchoes, type TriggerEvent } from "./trigger-event.rules.ts";
import type { EventTriggerRule } from "./triggers.rules.ts";
import type { Mismatch } from "./verdicts.rules.ts";

interface WantedLabel {
  readonly name: string;
  readonly patterns: readonly string[];
}

export interface Matcher {
  /** The names it knows; null when every event is expected. */
  readonly names: readonly NamePattern[] | null;
  readonly expects: (name: string) => boolean;
  readonly startsWindow: (name: string) => boolean;
  /** Whether it means events of this name also where automations have brought them about. */
  readonly namesCaused: (name: string) => boolean;
  /** Null when the resources of the event are as wanted; else the first label that is not. */
  readonly findMismatch: (event: TriggerEvent, effort?: MatchBudget) => Mismatch | null;
  /** The values of the labels in `for_each`, in the order of their names. */
  readonly labelsOf: (event: TriggerEvent) => Readonly<Record<string, string>>;
}

export function matcherOf(trigger: EventTriggerRule): Matcher {
  const expected = trigger.expect.map(namePattern);
  const after = trigger.after.map(namePattern);
  const expects = anyOf(expected);
  const explicit = [...expected, ...after].filter(({ start }) => !isAsWideAsAny(start));
  const namesOthers = anyOf(explicit);
  const namesEcho = anyOf(explicit.filter(({ start }) => namesEchoes(start)));
  const primary = wantedLabels(trigger.match);
  const specs = Array.isArray(trigger.match_related)
    ? (trigger.match_related as readonly LabelPatterns[])
    : [trigger.match_related as LabelPatterns];
  const others = specs.map(wantedLabels).filter(({ length }) => length > 0);
  const forEach = [...trigger.for_each].sort();
  return {
    names: expected.length === 0 ? null : [...expected, ...after],
    expects: expected.length === 0 ? () => true : expects,
    startsWindow: anyOf(after),
    namesCaused: (name) => (isEcho(name) ? namesEcho(name) : namesOthers(name)),
    findMismatch: ({ resource, related }, effort = newMatchBudget()) => {
      const own = firstUnfit(primary, resource, effort);
      if (own !== null) return { part: "match", ...own };
      for (const wanted of others) {
        const other = closestUnfit(wanted, related, effort);
        if (other !== null) return { part: "match_related", ...other };
      }
      return null;
    },
    labelsOf: (event) =>
      Object.fromEntries(forEach.map((label) => [label, labelValue(label, event)])),
  };
}

/** `*` and `prefect.*` mean all that happens, as the empty list does. */
const isAsWideAsAny = (start: string): boolean => "prefect.".startsWith(start);

function anyOf(patterns: readonly NamePattern[]): (name: string) => boolean {
  return (name) => {
    const effort = newNameEffort();
    return patterns.some(({ fits }) => fits(name, effort));
  };
}

function wantedLabels(wanted: LabelPatterns): WantedLabel[] {
  return Object.entries(wanted).map(([name, patterns]) => ({
    name: canonical(name),
    patterns: (typeof patterns === "string" ? [patterns] : patterns).map(canonicalPattern),
  }));
}

interface Unfit extends Omit<Mismatch, "part"> {
  /** How many labels before it were as wanted. */
  readonly fitting: number;
}

/** Every label must have one of its values; a label that is not there has none. */
function firstUnfit(
  labels: readonly WantedLabel[],
  resource: ResourceLabels,
  effort: MatchBudget,
): Unfit | null {
  const index = labels.findIndex(({ name, patterns }) => {
    const value = ownLabel(resource, name);
    return (
      value === undefined || !patterns.some((pattern) => matchesPattern(pattern, value, effort))
    );
  });
  const unfit = labels[index];
  if (unfit === undefined) return null;
  const found = ownLabel(resource, unfit.name) ?? null;
  return { label: unfit.name, wanted: unfit.patterns, found, fitting: index };
}

/**
 * Null when one of the resources is as wanted; else what is wrong with the one that comes closest.
 */
function closestUnfit(
  labels: readonly WantedLabel[],
  resources: readonly ResourceLabels[],
  effort: MatchBudget,
): Unfit | null {
  let closest: Unfit | null = null;
  for (const resource of resources) {
    const unfit = firstUnfit(labels, resource, effort);
    if (unfit === null) return null;
    if (closest === null || unfit.fitting > closest.fitting) closest = unfit;
  }
  return closest ?? firstUnfit(labels, {}, effort);
}

const RELATED = /^related:([^:]+):(.+)$/;
const ROLE = "prefect.resource.role";

/**
 * `related:flow:prefect.resource.id` is that label of the first related resource in the role
 * `flow`.
 */
function labelValue(label: string, { resource, related }: TriggerEvent): string {
  const found = RELATED.exec(label);
  if (found === null) return ownLabel(resource, canonical(label)) ?? "";
  const [, role = "", name = ""] = found;
  const first = related.find((labels) => labels[ROLE] === role);
  return (first && ownLabel(first, canonical(name))) ?? "";
}
