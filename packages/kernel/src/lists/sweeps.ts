// Which table a list may have to go through row by row to find what it is asked for.

import type { Attributes, Filter, Filterable, Relations } from "./definition.ts";

interface Asked {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
}

/** The table with very many rows whose rows may all have to be looked at for a selection of them, or of what they belong to; null when none has to. */
export function sweptBy(
  list: Filterable,
  { filter, related = {}, relations = {} }: Asked,
): string | null {
  if (list.isVast) return isNarrow(list.filter, filter ?? {}) ? null : list.table;
  return sweptRelation(relations, related);
}

function sweptRelation(relations: Relations, filters: Filter): string | null {
  for (const [name, { to, relations: further = {} }] of Object.entries(relations)) {
    if (filters[name] != null && to.isVast) return to.table;
    const swept = sweptRelation(further, filters);
    if (swept !== null) return swept;
  }
  return null;
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
