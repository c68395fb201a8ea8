import type { Queries } from "../storage/database.ts";
import type { Filter } from "./conditions.ts";
import type { Filterable } from "./definition.ts";
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
      sql: `select count(*) as count from (select 1 from ${attribute.tagIndex} where workspace_id = ${dialect.parameter(WORKSPACE_PARAMETER)} and tag in (select value from json_each(${dialect.parameter(2)})) limit ${MANY_ROWS})`,
      values: [workspaceId, dialect.list(tags)],
    });
    if ((row?.count ?? 0) >= MANY_ROWS) return false;
  }
  return true;
}

function tagsIn(wanted: unknown): readonly string[] {
  if (typeof wanted !== "object" || wanted === null) return [];
  const { all_, any_ } = wanted as { readonly all_?: unknown; readonly any_?: unknown };
  return [all_, any_].flatMap((tags) => (Array.isArray(tags) ? (tags as string[]) : []));
}
