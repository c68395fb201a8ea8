// Which events a filter means, decided on events at hand.

import type {
  EventAnyResourceFilter,
  EventFilter,
  EventRelatedFilter,
} from "@orchestrator/contract";
import {
  type LoggedEvent,
  parseTextSearch,
  readJson,
  textMatcher,
  writeJson,
} from "@orchestrator/kernel";
import { labelOf, type ResourceLabels } from "./labels.rules.ts";

interface EventBody {
  readonly resource: ResourceLabels;
  readonly related: readonly ResourceLabels[];
  readonly payload: unknown;
}

type Test<T> = (value: T) => boolean;
type List = readonly string[] | null | undefined;

/** Stands in no text, so that no term can be found across two of them. */
const BETWEEN = "\u0000";

/** Many may look at the same event. */
const bodies = new WeakMap<LoggedEvent, EventBody>();

function bodyOf(event: LoggedEvent): EventBody {
  const known = bodies.get(event);
  if (known !== undefined) return known;
  const body = readJson(event.body) as EventBody;
  bodies.set(event, body);
  return body;
}

/** What the columns can tell is asked first: most events need not be opened. */
export function eventMatcher(filter: EventFilter): Test<LoggedEvent> {
  const effort = newEffort();
  const tests = [
    ...occurredTests(filter),
    ...idTests(filter),
    ...nameTests(filter),
    ...resourceTests(filter, effort),
    ...relatedTests(filter, effort),
    ...textTests(filter),
  ];
  return (event) => {
    effort.steps = MAX_STEPS;
    return tests.every((holds) => holds(event));
  };
}

function occurredTests({ occurred }: EventFilter): Test<LoggedEvent>[] {
  const since = occurred?.since ?? occurred?.since_;
  const until = occurred?.until ?? occurred?.until_;
  const tests: Test<LoggedEvent>[] = [];
  if (since) tests.push((event) => event.occurred >= since);
  if (until) tests.push((event) => event.occurred <= until);
  return tests;
}

function idTests({ id }: EventFilter): Test<LoggedEvent>[] {
  return given(id?.id).map((ids) => (event) => ids.includes(event.id));
}

function nameTests({ event: names }: EventFilter): Test<LoggedEvent>[] {
  if (!names) return [];
  const { prefix, exclude_prefix, name, exclude_name } = names;
  return [
    ...given(prefix).map((list) => startsWithOneOf(list)),
    ...given(exclude_prefix).map((list) => not(startsWithOneOf(list))),
    ...given(name).map((list) => isOneOf(list)),
    ...given(exclude_name).map((list) => not(isOneOf(list))),
  ].map(
    (holds) =>
      ({ event }: LoggedEvent) =>
        holds(event),
  );
}

function resourceTests({ resource }: EventFilter, effort: Effort): Test<LoggedEvent>[] {
  if (!resource) return [];
  const { id, id_prefix, labels } = resource;
  const tests = [
    ...given(id).map((list) => isOneOf(list)),
    ...given(id_prefix).map((list) => startsWithOneOf(list)),
  ].map(
    (holds): Test<LoggedEvent> =>
      ({ resource_id }) =>
        holds(resource_id),
  );
  if (labels) {
    const holds = labelsTest(labels, effort);
    tests.push((event) => holds(bodyOf(event).resource));
  }
  return tests;
}

function relatedTests({ related, any_resource }: EventFilter, effort: Effort): Test<LoggedEvent>[] {
  const ofRelated = oneOrMore(related).map((wanted): Test<LoggedEvent> => {
    const holds = relatedTest(wanted, effort);
    return (event) => holds === null || bodyOf(event).related.some(holds);
  });
  const ofAny = oneOrMore(any_resource).map((wanted): Test<LoggedEvent> => {
    const holds = anyResourceTest(wanted, effort);
    return (event) => {
      const { resource, related: others } = bodyOf(event);
      return holds(resource) || others.some(holds);
    };
  });
  return [...ofRelated, ...ofAny];
}

/** All of it must hold for one and the same resource. */
function relatedTest(wanted: EventRelatedFilter, effort: Effort): Test<ResourceLabels> | null {
  const { id, role, resources_in_roles, labels } = wanted;
  const tests: Test<ResourceLabels>[] = [
    ...given(id).map((list) => (resource: ResourceLabels) => list.includes(idOf(resource))),
    ...given(role).map((list) => (resource: ResourceLabels) => list.includes(roleOf(resource))),
  ];
  if (resources_in_roles && resources_in_roles.length > 0) {
    tests.push((resource) =>
      resources_in_roles.some(
        ([wantedId, wantedRole]) => idOf(resource) === wantedId && roleOf(resource) === wantedRole,
      ),
    );
  }
  if (labels) tests.push(labelsTest(labels, effort));
  return tests.length === 0 ? null : (resource) => tests.every((holds) => holds(resource));
}

function anyResourceTest(
  { id, id_prefix, labels }: EventAnyResourceFilter,
  effort: Effort,
): Test<ResourceLabels> {
  const tests: Test<ResourceLabels>[] = [
    ...given(id).map((list) => isOneOf(list)),
    ...given(id_prefix).map((list) => startsWithOneOf(list)),
  ].map((holds) => (resource) => holds(idOf(resource)));
  if (labels) tests.push(labelsTest(labels, effort));
  return (resource) => tests.every((holds) => holds(resource));
}

function textTests({ text }: EventFilter): Test<LoggedEvent>[] {
  if (!text) return [];
  const matches = textMatcher(parseTextSearch(text.query));
  return [
    (event) => {
      const { resource, related, payload } = bodyOf(event);
      const labels = [resource, ...related].flatMap((each) => Object.values(each));
      const texts = [event.event, ...labels].join(BETWEEN);
      return matches(texts, writeJson(payload));
    },
  ];
}

/** Every label must have one of its values; a label that is not there has none. */
function labelsTest(
  wanted: Readonly<Record<string, string | readonly string[]>>,
  effort: Effort,
): Test<ResourceLabels> {
  const labels = Object.entries(wanted).map(([name, patterns]) => {
    return { name, patterns: typeof patterns === "string" ? [patterns] : patterns };
  });
  return (resource) =>
    labels.every(({ name, patterns }) => {
      const value = ownLabel(resource, name);
      return (
        value !== undefined && patterns.some((pattern) => matchesPattern(pattern, value, effort))
      );
    });
}

/** A label may be named like something every object has. */
export const ownLabel = (labels: ResourceLabels, name: string): string | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

/** What all patterns together may take for one event: some milliseconds. */
const MAX_STEPS = 1_000_000;

/** How many steps are left. */
export interface Effort {
  steps: number;
}

export const newEffort = (): Effort => ({ steps: MAX_STEPS });

/**
 * `*` stands for anything, `?` for one character, a leading `!` for anything else. What cannot be told within the
 * steps that are left does not match, whether or not there is a `!`.
 */
export function matchesPattern(pattern: string, value: string, effort: Effort): boolean {
  const isNegated = pattern.startsWith("!");
  const isCovered = covers(isNegated ? pattern.slice(1) : pattern, value, effort);
  return isCovered !== null && isCovered !== isNegated;
}

/** The characters of a text, some of which take two places in it. */
const charactersOf = (text: string): ArrayLike<string> =>
  /[\ud800-\udbff]/.test(text) ? Array.from(text) : text;

/**
 * Goes back to the last `*` only. That takes at most as many steps as the lengths of the two multiplied, and no more
 * than are left: null when they do not suffice.
 */
function covers(text: string, whole: string, effort: Effort): boolean | null {
  if (!/[*?]/.test(text)) return text === whole;
  const hasSingles = text.includes("?");
  if (hasSingles) effort.steps -= whole.length;
  if (effort.steps <= 0) return null;
  const pattern = hasSingles ? charactersOf(text) : text;
  const value = hasSingles ? charactersOf(whole) : whole;
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let i = 0; i < value.length; ) {
    effort.steps -= 1;
    if (effort.steps <= 0) return null;
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at;
      resumeAt = i;
      at += 1;
      if (at === pattern.length) return true;
    } else if (wanted === "?" || wanted === value[i]) {
      at += 1;
      i += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      resumeAt += 1;
      i = resumeAt;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/** An empty list restricts nothing. */
function given(list: List): (readonly string[])[] {
  return list && list.length > 0 ? [list] : [];
}

function oneOrMore<T extends object>(wanted: T | readonly T[] | null | undefined): readonly T[] {
  if (!wanted) return [];
  return Array.isArray(wanted) ? (wanted as readonly T[]) : [wanted as T];
}

const isOneOf =
  (list: readonly string[]): Test<string> =>
  (text) =>
    list.includes(text);

const startsWithOneOf =
  (list: readonly string[]): Test<string> =>
  (text) =>
    list.some((prefix) => text.startsWith(prefix));

const not =
  (test: Test<string>): Test<string> =>
  (text) =>
    !test(text);

const idOf = (resource: ResourceLabels): string => labelOf(resource, "resource.id") ?? "";
const roleOf = (resource: ResourceLabels): string => labelOf(resource, "resource.role") ?? "";
