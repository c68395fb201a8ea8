// Which events a trigger is interested in, and for which of its buckets.

import type { LabelPatterns } from "@orchestrator/contract";
import {
  type Effort,
  matchesPattern,
  newEffort,
  ownLabel,
} from "../../events/event-match.rules.ts";
import type { ResourceLabels } from "../../events/labels.rules.ts";
import { canonical, canonicalPattern, type NamePattern, namePattern } from "./names.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";
import type { EventTrigger } from "./triggers.rules.ts";

type LabelTest = (labels: ResourceLabels, effort: Effort) => boolean;

export interface Matcher {
  /** The names it knows; null when every event is expected. */
  readonly names: readonly NamePattern[] | null;
  readonly expects: (name: string) => boolean;
  readonly startsWindow: (name: string) => boolean;
  readonly fitsResources: (event: TriggerEvent) => boolean;
  /** The values of the labels in `for_each`, in the order of their names. */
  readonly labelsOf: (event: TriggerEvent) => Readonly<Record<string, string>>;
}

export function matcherOf(trigger: EventTrigger): Matcher {
  const expected = trigger.expect.map(namePattern);
  const after = trigger.after.map(namePattern);
  const expects = anyOf(expected);
  const fitsPrimary = labelTest(trigger.match);
  const specs = Array.isArray(trigger.match_related)
    ? (trigger.match_related as readonly LabelPatterns[])
    : [trigger.match_related as LabelPatterns];
  const relatedTests = specs.filter((spec) => Object.keys(spec).length > 0).map(labelTest);
  const forEach = [...trigger.for_each].sort();
  return {
    names: expected.length === 0 ? null : [...expected, ...after],
    expects: expected.length === 0 ? () => true : expects,
    startsWindow: anyOf(after),
    fitsResources: ({ resource, related }) => {
      const effort = newEffort();
      return (
        fitsPrimary(resource, effort) &&
        relatedTests.every((fits) => related.some((labels) => fits(labels, effort)))
      );
    },
    labelsOf: (event) =>
      Object.fromEntries(forEach.map((label) => [label, labelValue(label, event)])),
  };
}

function anyOf(patterns: readonly NamePattern[]): (name: string) => boolean {
  return (name) => patterns.some(({ fits }) => fits(name));
}

/** Every label must have one of its values; a label that is not there has none. */
function labelTest(wanted: LabelPatterns): LabelTest {
  const labels = Object.entries(wanted).map(([name, patterns]) => ({
    name: canonical(name),
    patterns: (typeof patterns === "string" ? [patterns] : patterns).map(canonicalPattern),
  }));
  return (resource, effort) =>
    labels.every(({ name, patterns }) => {
      const value = ownLabel(resource, name);
      return (
        value !== undefined && patterns.some((pattern) => matchesPattern(pattern, value, effort))
      );
    });
}

const RELATED = /^related:([^:]+):(.+)$/;
const ROLE = "prefect.resource.role";

/** `related:flow:prefect.resource.id` is that label of the first related resource in the role `flow`. */
function labelValue(label: string, { resource, related }: TriggerEvent): string {
  const found = RELATED.exec(label);
  if (found === null) return ownLabel(resource, canonical(label)) ?? "";
  const [, role = "", name = ""] = found;
  const first = related.find((labels) => labels[ROLE] === role);
  return (first && ownLabel(first, canonical(name))) ?? "";
}
