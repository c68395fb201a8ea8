// Which table a list may have to go through row by row to find what it is asked for.

import { filtersRelated } from "./counters.ts";
import type {
  Attributes,
  Filter,
  Filterable,
  Operator,
  Relation,
  Relations,
} from "./definition.ts";

interface ScanQuery {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
}

/**
 * The tables with very many rows whose rows may all have to be looked at for a selection of them,
 * or of what belongs to them.
 */
export function fullScansOf(
  list: Filterable,
  { filter, related = {}, relations = {} }: ScanQuery,
): string[] {
  const isOwnNarrow =
    isNarrow(list.filter, filter ?? {}) ||
    Object.entries(relations).some(
      ([name, relation]) =>
        "column" in relation && isVast(relation.to) && isNarrowRelation(relation, related[name]),
    );
  return [...(isOwnNarrow ? [] : vastOf(list)), ...sweptRelations(relations, related)];
}

/** Those that are asked about, and those that lead there. */
function sweptRelations(relations: Relations, filters: Filter): string[] {
  return Object.entries(relations).flatMap(([name, relation]) => {
    const { to, relations: further = {} } = relation;
    const isAsked = filters[name] != null || filtersRelated(further, filters);
    const isSwept = isAsked && !isNarrowRelation(relation, filters[name]);
    return [...(isSwept ? vastOf(to) : []), ...sweptRelations(further, filters)];
  });
}

const isNarrowRelation = ({ to }: Relation, filter: unknown): boolean =>
  filter != null && isNarrow(to.filter, filter as Filter);

const isVast = ({ isVast: marked }: Filterable): boolean => marked !== undefined;

const vastOf = ({ table, isVast: marked }: Filterable): string[] => {
  if (marked === undefined) return [];
  return [marked === true ? table : marked.table];
};

/** Whether the rows are looked for among few others, and not by what a text holds. */
function isNarrow(attributes: Attributes, filter: Filter): boolean {
  if (isAlternative(filter)) return false;
  let isFound = false;
  for (const [name, attribute] of Object.entries(attributes)) {
    const wanted = filter[name] as Filter | null | undefined;
    if (wanted == null || !("operators" in attribute)) continue;
    if (SEARCHES.some((operator) => wanted[operator] != null)) return false;
    if (attribute.isNarrow && wanted["any_"] != null && !isAlternative(wanted)) isFound = true;
  }
  return isFound;
}

const SEARCHES: readonly Operator[] = ["like_", "query"];

const isAlternative = ({ operator }: Filter): boolean => operator === "or_";
