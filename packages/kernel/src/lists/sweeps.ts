// Which table a list may have to go through row by row to find what it is asked for.

import type { Attributes, Filter, Filterable, Relations } from "./definition.ts";

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
  if (list.isVast && isNarrow(list.filter, filter ?? {})) return [];
  return [...(list.isVast ? [list.table] : []), ...sweptRelations(relations, related)];
}

function sweptRelations(relations: Relations, filters: Filter): string[] {
  return Object.entries(relations).flatMap(([name, { to, relations: further = {} }]) => [
    ...(filters[name] != null && to.isVast ? [to.table] : []),
    ...sweptRelations(further, filters),
  ]);
}

/** Whether the rows are looked for among few others, whatever else is asked of them. */
function isNarrow(attributes: Attributes, filter: Filter): boolean {
  if (filter["operator"] === "or_") return false;
  return Object.entries(attributes).some(([name, attribute]) => {
    const wanted = filter[name] as Filter | null | undefined;
    if (wanted == null || !("operators" in attribute)) return false;
    return (attribute.isNarrow || attribute.isRare) && wanted["any_"] != null;
  });
}
