// Which table a list may have to go through row by row to find what it is asked for.

import type { Attributes, Filter, Filterable, Operator, Relations } from "./definition.ts";
import { asksOfRelated } from "./tallies.ts";

interface Asked {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
}

/** The tables with very many rows whose rows may all have to be looked at for a selection of them, or of what belongs to them. */
export function sweptBy(
  list: Filterable,
  { filter, related = {}, relations = {} }: Asked,
): string[] {
  const own = list.isVast && !isNarrow(list.filter, filter ?? {}) ? [list.table] : [];
  return [...own, ...sweptRelations(relations, related)];
}

/** Those that are asked about, and those that lead there. */
function sweptRelations(relations: Relations, filters: Filter): string[] {
  return Object.entries(relations).flatMap(([name, { to, relations: further = {} }]) => {
    const isAsked = filters[name] != null || asksOfRelated(further, filters);
    return [...(isAsked && to.isVast ? [to.table] : []), ...sweptRelations(further, filters)];
  });
}

/** Whether the rows are looked for among few others, and not by what a text holds. */
function isNarrow(attributes: Attributes, filter: Filter): boolean {
  if (isAlternative(filter)) return false;
  let isFound = false;
  for (const [name, attribute] of Object.entries(attributes)) {
    const wanted = filter[name] as Filter | null | undefined;
    if (wanted == null || !("operators" in attribute)) continue;
    if (SEARCHES.some((operator) => wanted[operator] != null)) return false;
    const isFew = attribute.isNarrow || attribute.isRare;
    if (isFew && wanted["any_"] != null && !isAlternative(wanted)) isFound = true;
  }
  return isFound;
}

const SEARCHES: readonly Operator[] = ["like_", "query"];

const isAlternative = ({ operator }: Filter): boolean => operator === "or_";
