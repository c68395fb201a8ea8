// Which events a wait of a run means: as the event trigger of an automation would.

import { createHash } from "node:crypto";
import type { FlowRunWaitCreate, LabelPatterns } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { type Matcher, matcherOf } from "../automations/triggers/matching.rules.ts";
import { canonical, namePattern } from "../automations/triggers/names.rules.ts";
import type { TriggerEvent } from "../automations/triggers/trigger-event.rules.ts";

/** Stands for all names that a pattern may fit. */
export const ANY_NAME = "*";
const ANY_VALUE = "";
const RESOURCE_ID = "prefect.resource.id";
/** Triggers do not look at these either. */
const IGNORED = "prefect.log.write";

export interface WaitPattern {
  readonly match: LabelPatterns;
  readonly match_related: LabelPatterns | readonly LabelPatterns[];
}

export const patternOf = ({ match, match_related }: FlowRunWaitCreate): WaitPattern => ({
  match: match ?? {},
  match_related: match_related ?? {},
});

/** Where an event looks for the waits that it may end. */
export interface WaitLookup {
  readonly lookup_name: string;
  readonly anchor: string;
}

/** An exact name, and one label with one exact value, so that an event reads few waits of many. */
export function lookupOf(event: string, { match }: WaitPattern): WaitLookup {
  const { start, isExact } = namePattern(event);
  const exact = Object.entries(match).flatMap(([label, patterns]) => {
    const all = typeof patterns === "string" ? [patterns] : patterns;
    const [value = ""] = all;
    const isOneValue = all.length === 1 && !/[*?]|^!/.test(value);
    return isOneValue ? [[canonical(label), canonical(value)] as const] : [];
  });
  const label = exact.find(([name]) => name === RESOURCE_ID) ?? exact[0];
  return {
    lookup_name: isExact ? start : ANY_NAME,
    anchor: label === undefined ? ANY_VALUE : anchorOf(...label),
  };
}

/** The lookups of the waits that an event may end. */
export function lookupsOf({ name, resource }: TriggerEvent): WaitLookup[] {
  if (name === IGNORED) return [];
  const labels = Object.entries(resource).map(([label, value]) => anchorOf(label, value));
  const anchors = [ANY_VALUE, ...labels];
  return [name, ANY_NAME].flatMap((lookup_name) =>
    anchors.map((anchor) => ({ lookup_name, anchor })),
  );
}

const anchorOf = (label: string, value: string): string =>
  createHash("sha256").update(`${label}\0${value}`).digest("base64url");

export function matcherOfWait(event: string, pattern: string): Matcher {
  const { match, match_related } = readJson(pattern) as unknown as WaitPattern;
  return matcherOf({
    type: "event",
    id: "",
    match,
    match_related,
    after: [],
    expect: [event],
    for_each: [],
    posture: "Reactive",
    threshold: 1,
    within: 0,
  });
}

export const isAwaited = (matcher: Matcher, event: TriggerEvent): boolean =>
  matcher.expects(event.name) &&
  (event.chain === null || matcher.namesCaused(event.name)) &&
  matcher.findMismatch(event) === null;
