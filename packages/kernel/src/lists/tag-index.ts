import type { Queries } from "../storage/database.ts";
import type { Filter } from "./conditions.ts";
import type { Filterable, ListDefinition, OrderTerm } from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";

/** Where more rows than this have a tag, a page is full sooner when rows are read in the order of the list. */
const MANY_ROWS = 5000;

/** Whether the rows of a list should be looked up by the tags it asks for: only where few have them. */
export async function findsByTags(
  queries: Queries,
  list: Filterable,
  filter: Filter | null | undefined,
): Promise<boolean> {
  const { dialect, workspaceId } = queries;
  if (!dialect.keepsTagsApart || filter == null) return false;
  for (const [name, attribute] of Object.entries(list.filter)) {
    if (!("tagIndex" in attribute) || attribute.tagIndex === undefined) continue;
    const tags = tagsIn(filter[name]);
    if (tags.length === 0) continue;
    const row = await queries.select<{ count: number }>({
      sql: `select count(*) as count from (select 1 from ${attribute.tagIndex.table} where workspace_id = ${dialect.parameter(WORKSPACE_PARAMETER)} and tag in (select value from json_each(${dialect.parameter(2)})) limit ${MANY_ROWS})`,
      values: [workspaceId, dialect.list(tags)],
    });
    if ((row?.count ?? 0) >= MANY_ROWS) return false;
  }
  return true;
}

/** A list of the rows with one tag, in the order in which the index keeps them: they are read off it. */
export interface TaggedList {
  readonly index: string;
  readonly tag: string;
  /** The direction of the order. */
  readonly direction: "asc" | "desc";
  /** What else the filter asks. */
  readonly rest: Filter;
}

/** Null where the rows have to be found another way: for several tags, alternatives to them, or another order. */
export function listedByTag(
  { dialect }: Queries,
  { filter: attributes, sorts }: ListDefinition,
  { filter, sort }: { readonly filter: Filter | null | undefined; readonly sort: string },
): TaggedList | null {
  if (!dialect.keepsTagsApart || filter == null) return null;
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!("tagIndex" in attribute) || attribute.tagIndex === undefined) continue;
    const tag = onlyTag(filter[name]);
    const { [name]: _, ...rest } = filter;
    const isAlternative = rest["operator"] === "or_" && Object.keys(rest).length > 1;
    const direction = directionOf(sorts[sort] ?? [], attribute.tagIndex.order);
    if (tag === null || isAlternative || direction === null) return null;
    return { index: attribute.tagIndex.table, tag, direction, rest };
  }
  return null;
}

function onlyTag(wanted: unknown): string | null {
  if (typeof wanted !== "object" || wanted === null) return null;
  const asked = Object.entries(wanted).filter(
    ([key, value]) => key !== "operator" && value != null,
  );
  const [tag, ...others] = tagsIn(wanted);
  return asked.length === 1 && others.length === 0 ? (tag ?? null) : null;
}

function directionOf(terms: readonly OrderTerm[], order: string): "asc" | "desc" | null {
  const [column, direction] = terms[0]?.split(" ") ?? [];
  if (terms.length !== 1 || column !== order) return null;
  return direction === "desc" ? "desc" : "asc";
}

function tagsIn(wanted: unknown): readonly string[] {
  if (typeof wanted !== "object" || wanted === null) return [];
  const { all_, any_ } = wanted as { readonly all_?: unknown; readonly any_?: unknown };
  return [all_, any_].flatMap((tags) => (Array.isArray(tags) ? (tags as string[]) : []));
}
