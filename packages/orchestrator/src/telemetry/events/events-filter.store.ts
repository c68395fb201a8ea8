// A filter of events as SQL. It must mean what `event-match.rules.ts` means.

import type {
  EventAnyResourceFilter,
  EventFilter,
  EventRelatedFilter,
} from "@orchestrator/contract";
import { type EventSearchSql, eventSearchSql, textCondition } from "@orchestrator/kernel/events";
import { parseTextSearch, type TextRanges } from "@orchestrator/kernel/lists";
import type { Queries } from "@orchestrator/kernel/storage";
import {
  type EventPeriod,
  isSearched,
  longestSearched,
  prefixRangesOf,
} from "./events-filter.rules.ts";
import {
  beginsWith,
  isOneOf,
  isOneOfPairs,
  type TextCondition,
  textConditionOf,
  textConditions,
} from "./events-texts.store.ts";

/** What questions about events may have to go through. */
export const EVENTS: readonly string[] = ["events"];

/** Which events: a filter, when, and which was the last of them. */
export interface EventSelection {
  readonly filter: EventFilter;
  readonly period: EventPeriod;
  readonly head: number;
  /** When such events may have occurred, within the period, where more is known of that. */
  readonly stretches?: TextRanges | null;
}

type Dialect = Queries["dialect"];

const NEVER = "1 = 0";

/** A query over events, called `e`, that is being written. */
export interface EventQuery {
  readonly dialect: Dialect;
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly where: string;
  /**
   * The events come from several places of an index, so that they have to be put in order
   * afterwards.
   */
  readonly isGathered: boolean;
}

interface Draft {
  readonly dialect: Dialect;
  readonly search: EventSearchSql;
  readonly bind: (value: unknown) => string;
  readonly workspace: string;
  /** Condition: the row called so is of the workspace and the time. */
  readonly isMeant: (alias: string) => string;
  /** Condition: a set of related resources, called `r`, is of the workspace and the time. */
  readonly isMeantSet: () => string;
  /** The same condition, known to find the events wherever they are in the order of the list. */
  readonly gather: (condition: string) => string;
}

const dayOf = (time: string): string => time.slice(0, 10);

/** Begins a query: the condition for the events that are meant. */
export async function selectEvents(
  queries: Queries,
  { filter, period, head }: EventSelection,
): Promise<EventQuery> {
  const { dialect } = queries;
  const values: unknown[] = [queries.workspaceId];
  const bind = (value: unknown): string => dialect.parameter(values.push(value));
  const workspace = dialect.parameter(1);
  const [since, until] = [bind(period.since), bind(period.until)];
  let setsMeant: string | null = null;
  let isGathered = false;
  const draft: Draft = {
    dialect,
    search: eventSearchSql(dialect),
    bind,
    workspace,
    isMeant: (alias) =>
      `${dialect.isCommon(`${alias}.workspace_id = ${workspace}`)} and ${alias}.occurred >= ${since} and ${alias}.occurred <= ${until}`,
    isMeantSet: () => {
      setsMeant ??= `r.workspace_id = ${workspace} and r.day >= ${bind(dayOf(period.since))} and r.day <= ${bind(dayOf(period.until))}`;
      return setsMeant;
    },
    gather: (condition) => {
      isGathered = true;
      return dialect.isRare(condition);
    },
  };
  const conditions = [
    draft.isMeant("e"),
    // Not as the column itself: there is an index on it, and nearly every event would be found by
    // that.
    dialect.isCommon(`e.position + 0 <= ${bind(head)}`),
    ...idConditions(filter, draft),
    ...(await nameConditions(queries, filter, draft)),
    ...(await resourceConditions(queries, filter, draft)),
    ...relatedConditions(filter, draft),
    ...(await anyResourceConditions(queries, filter, draft)),
    ...searchConditions(filter, draft),
  ];
  return { dialect, values, bind, where: conditions.join(" and "), isGathered };
}

function idConditions({ id }: EventFilter, { dialect, bind, gather }: Draft): string[] {
  return given(id?.id).map((ids) => gather(dialect.isOneOf("e.id", "id", bind(dialect.list(ids)))));
}

async function nameConditions(
  queries: Queries,
  { event: names }: EventFilter,
  draft: Draft,
): Promise<string[]> {
  if (!names) return [];
  const { prefix, exclude_prefix, name, exclude_name } = names;
  const wanted = await textConditionOf(queries, { list: name, prefixes: prefix }, ["events.event"]);
  return [
    ...ownConditions("e.event", wanted, draft),
    ...given(exclude_prefix).map((list) => {
      const ranges = prefixRangesOf(list);
      return ranges === null ? NEVER : `not ${beginsWith("e.event", ranges, draft)}`;
    }),
    ...given(exclude_name).map((list) => `not (${isOneOf("e.event", list, draft)})`),
  ];
}

async function resourceConditions(
  queries: Queries,
  { resource }: EventFilter,
  draft: Draft,
): Promise<string[]> {
  if (!resource) return [];
  const { id, id_prefix, labels } = resource;
  const wanted = await textConditionOf(queries, { list: id, prefixes: id_prefix }, [
    "events.resource_id",
  ]);
  return [
    ...ownConditions("e.resource_id", wanted, draft),
    ...labelConditions(draft.search.resource, labels, draft),
  ];
}

function relatedConditions({ related }: EventFilter, draft: Draft): string[] {
  return oneOrMore(related).flatMap((wanted) => relatedCondition(wanted, draft));
}

/** All of it must hold for one and the same related resource. */
function relatedCondition(wanted: EventRelatedFilter, draft: Draft): string[] {
  const { search, isMeantSet } = draft;
  const pairs = wanted.resources_in_roles ?? [];
  const conditionsOn = (id: string, role: string): string[] => [
    ...given(wanted.id).map((list) => isOneOf(id, list, draft)),
    ...given(wanted.role).map((list) => isOneOf(role, list, draft)),
    ...(pairs.length === 0 ? [] : [isOneOfPairs([id, role], pairs, draft)]),
  ];
  const inSets = (): string[] => conditionsOn("r.resource_id", "r.role");
  const conditions: string[] = [];
  if (given(wanted.id).length > 0 || pairs.length > 0) {
    // The pairs say it already; said alone, an index can find them.
    const ids = pairs.map(([id]) => id);
    const ofPairs = given(ids).map((list) => isOneOf("r.resource_id", list, draft));
    const ofSets = [isMeantSet(), ...inSets(), ...ofPairs].join(" and ");
    const sets = `select r.set_id from event_related r where ${ofSets}`;
    conditions.push(draft.gather(draft.dialect.isAmong("e.related_id", sets)));
  } else if (given(wanted.role).length > 0 && !wanted.labels) conditions.push(hasInSet(inSets()));
  if (wanted.labels) {
    const id = search.relatedLabel("resource.id");
    const ofItems = conditionsOn(id, search.relatedLabel("resource.role"));
    const labels = labelConditions("item.value", wanted.labels, draft);
    conditions.push(hasItem([...ofItems, ...labels], draft));
  }
  return conditions;
}

async function anyResourceConditions(
  queries: Queries,
  { any_resource }: EventFilter,
  draft: Draft,
): Promise<string[]> {
  const conditions: string[] = [];
  for (const wanted of oneOrMore(any_resource))
    conditions.push(...(await anyResourceCondition(queries, wanted, draft)));
  return conditions;
}

async function anyResourceCondition(
  queries: Queries,
  { id, id_prefix, labels }: EventAnyResourceFilter,
  draft: Draft,
): Promise<string[]> {
  const { search } = draft;
  const wanted = await textConditionOf(queries, { list: id, prefixes: id_prefix }, [
    "events.resource_id",
    "event_related.resource_id",
  ]);
  const on = (column: string): string[] => textConditions(column, wanted, draft);
  const conditions: string[] = [];
  if (wanted.list !== null) conditions.push(isAboutOneOf(wanted.list, draft));
  else if (wanted.ranges !== null && !labels)
    conditions.push(`(${on("e.resource_id").join(" and ")} or ${hasInSet(on("r.resource_id"))})`);
  if (labels) {
    const own = [...on("e.resource_id"), ...labelConditions(search.resource, labels, draft)];
    const ofItems = [
      ...on(search.relatedLabel("resource.id")),
      ...labelConditions("item.value", labels, draft),
    ];
    conditions.push(`((${own.join(" and ")}) or ${hasItem(ofItems, draft)})`);
  }
  return conditions;
}

/** One index finds those that are about the resources, another those that name them besides. */
function isAboutOneOf(ids: readonly string[], draft: Draft): string {
  const { dialect, isMeant, isMeantSet, gather } = draft;
  const about = `select m.position from events m where ${isMeant("m")} and ${isOneOf("m.resource_id", ids, draft)}`;
  const sets = `select r.set_id from event_related r where ${isMeantSet()} and ${isOneOf("r.resource_id", ids, draft)}`;
  const naming = `select m.position from events m where ${isMeant("m")} and ${dialect.isAmong("m.related_id", sets)}`;
  return gather(dialect.isAmong("e.position", `${about} union all ${naming}`));
}

function searchConditions({ text }: EventFilter, { dialect, bind }: Draft): string[] {
  if (!text) return [];
  const condition = textCondition(dialect, parseTextSearch(text.query), bind);
  return condition === null ? [] : [condition];
}

function labelConditions(
  labels: string,
  wanted: Readonly<Record<string, string | readonly string[]>> | null | undefined,
  { search, bind }: Draft,
): string[] {
  if (!wanted) return [];
  const asked = Object.entries(wanted).map(([name, value]) => {
    return { name, patterns: typeof value === "string" ? [value] : value };
  });
  const longest = longestSearched(asked.flatMap(({ patterns }) => patterns));
  const sides = (patterns: readonly string[]) => ({
    is: patterns.filter((pattern) => !pattern.startsWith("!")).map(search.pattern),
    not: patterns
      .filter((pattern) => pattern.startsWith("!"))
      .map((pattern) => search.pattern(pattern.slice(1))),
  });
  const split = asked.map(({ name, patterns }) => {
    const plain = sides(patterns.filter((pattern) => !isSearched(pattern)));
    return [name, { ...plain, search: sides(patterns.filter(isSearched)), longest }] as const;
  });
  return [search.hasLabels(labels, bind(JSON.stringify(Object.fromEntries(split))))];
}

/**
 * The set of the event's related resources, called `r`, has one that meets the conditions. The
 * offset keeps it a question asked of each event: PostgreSQL would else join the two tables, and
 * while it knows nothing of how many rows they have (they are fresh), read all sets of a role for
 * every event.
 */
const hasInSet = (conditions: readonly string[]): string =>
  `exists (select 1 from event_related r where r.workspace_id = e.workspace_id and r.set_id = e.related_id and r.day = substr(e.occurred, 1, 10) and ${conditions.join(" and ")} limit 1 offset 0)`;

/** One of the event's related resources, called `item`, meets the conditions. */
const hasItem = (conditions: readonly string[], { search }: Draft): string =>
  `exists (select 1 from ${search.related} where ${conditions.join(" and ")})`;

/** A single text has its events in order; several have not. */
function ownConditions(column: string, wanted: TextCondition, draft: Draft): string[] {
  const conditions = textConditions(column, wanted, draft);
  const isList = wanted.list !== null && wanted.list.length !== 1;
  return isList ? conditions.map(draft.gather) : conditions;
}

/** An empty list restricts nothing. */
function given(list: readonly string[] | null | undefined): (readonly string[])[] {
  return list && list.length > 0 ? [list] : [];
}

export function oneOrMore<T extends object>(
  wanted: T | readonly T[] | null | undefined,
): readonly T[] {
  if (!wanted) return [];
  return Array.isArray(wanted) ? (wanted as readonly T[]) : [wanted as T];
}
