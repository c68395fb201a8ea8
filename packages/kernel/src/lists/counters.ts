// Where an engine keeps count of the rows of a table by some of their attributes, whoever asks for
// nothing else need not count rows.

import type { Attributes, Filter, Filterable, Relations, RowCounter } from "./definition.ts";

interface CounterQuery {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
}

/** The tally that answers for a selection; null where rows have to be looked at. */
export function counterFor(
  { tally }: Filterable,
  { filter, related = {}, relations = {} }: CounterQuery,
): RowCounter | null {
  if (tally === undefined) return null;
  const isAlone = !filtersRelated(relations, related);
  return isAlone && covers(tally.filter, filter ?? {}) ? tally : null;
}

/** Whether anything is asked of related rows. */
export function filtersRelated(relations: Relations, filters: Filter): boolean {
  return Object.entries(relations).some(
    ([name, relation]) =>
      filters[name] != null || filtersRelated(relation.relations ?? {}, filters),
  );
}

/** Whether the attributes can tell all that a filter asks. */
export function covers(attributes: Attributes, filter: Filter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (wanted == null || name === "operator") return true;
    const attribute = attributes[name];
    if (attribute === undefined || typeof wanted !== "object") return false;
    if ("group" in attribute) return covers(attribute.group, wanted as Filter);
    const operators: readonly string[] = "operators" in attribute ? attribute.operators : [];
    return Object.entries(wanted).every(
      ([operator, value]) => value == null || operators.includes(operator),
    );
  });
}
