// Which events a filter means, decided on events at hand.

import type {
  EventAnyResourceFilter,
  EventFilter,
  EventRelatedFilter,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import type { LoggedEvent } from "@orchestrator/kernel/events";
import { parseTextSearch, textMatcher } from "@orchestrator/kernel/lists";
import { type ResourceLabels, resourceLabel } from "./labels.rules.ts";
import { type MatchBudget, matchesPattern, newMatchBudget } from "./wildcards.rules.ts";

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
  const effort = newMatchBudget();
  const tests = [
    ...occurredTests(filter),
    ...idTests(filter),
    ...nameTests(filter),
    ...resourceTests(filter, effort),
    ...relatedTests(filter, effort),
    ...textTests(filter),
  ];
  return (event) => {
    effort.steps = newMatchBudget().steps;
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

function resourceTests({ resource }: EventFilter, effort: MatchBudget): Test<LoggedEvent>[] {
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

function relatedTests(
  { related, any_resource }: EventFilter,
  effort: MatchBudget,
): Test<LoggedEvent>[] {
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
function relatedTest(wanted: EventRelatedFilter, effort: MatchBudget): Test<ResourceLabels> | null {
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
  effort: MatchBudget,
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
  effort: MatchBudget,
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

const idOf = (resource: ResourceLabels): string => resourceLabel(resource, "resource.id") ?? "";
const roleOf = (resource: ResourceLabels): string => resourceLabel(resource, "resource.role") ?? "";
