import type { EventFilter } from "@orchestrator/contract";
import { EVENT_TEXTS } from "@orchestrator/kernel/events";
import { findTextRanges, parseTextSearch, type TextRanges } from "@orchestrator/kernel/lists";
import type { Queries } from "@orchestrator/kernel/storage";
import type { EventPeriod } from "./events-filter.rules.ts";
import { oneOrMore } from "./events-filter.store.ts";

interface Searched {
  readonly filter: EventFilter;
  readonly period: EventPeriod;
  /** How many events are wanted, the first of the list; null for all that there are. */
  readonly rows: number | null;
}

/**
 * When events may have occurred that hold the words of a filter; null where it has none, or where
 * an index finds the few events that it names.
 */
export function findEventRanges(
  queries: Queries,
  { filter, period, rows }: Searched,
): TextRanges | null {
  if (!filter.text || namesEvents(filter)) return null;
  return findTextRanges(queries, {
    source: EVENT_TEXTS,
    search: parseTextSearch(filter.text.query),
    within: period,
    isAscending: filter.order === "ASC",
    rows,
  });
}

/**
 * Which event of a resource is its first is decided by all of them, so those go together with what
 * names resources.
 */
function namesEvents({ id, resource, related, any_resource }: EventFilter): boolean {
  const lists = [
    id?.id,
    resource?.id,
    ...oneOrMore(related).flatMap((wanted) => [wanted.id, wanted.resources_in_roles]),
    ...oneOrMore(any_resource).map((wanted) => wanted.id),
  ];
  return resource?.distinct === true || lists.some((list) => list != null && list.length > 0);
}
