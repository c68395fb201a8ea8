// Where few rows of a large table have the tags that are asked for, they are looked up in the index
// of tags; where many have them, a page is full sooner when rows are read in the order of the list.
// How many they are is asked first: no database knows it of a tag that it was not told of when it
// planned the query, and behind a policy none may look.

import type { Queries } from "../storage/database.ts";
import type {
  Attributes,
  Filter,
  Filterable,
  ListDefinition,
  OrderTerm,
  Relations,
} from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";
import { memoizeByKey } from "./memoize-by-key.ts";
import type { SqlContext } from "./operators.ts";

const MANY_ROWS = 5000;
/** Of more tags that a row must have, the rest is not looked at for a rarer one. */
const MOST_COUNTED = 20;

/** What is known of a filter that asks for tags. */
interface TagLookup {
  /**
   * Rows that it lets through have at least one of these, and few rows have; null where many have
   * them.
   */
  readonly few: { readonly index: string; readonly tags: readonly string[] } | null;
  /** The attribute with the tags. */
  readonly name: string;
  /** It has nothing more to ask of rows that were looked up. */
  readonly isAnswered: boolean;
}
export type TagLookups = ReadonlyMap<Filter, TagLookup>;

/** Condition: the row is one of those looked up. */
export function isFoundByTags(
  { index, tags }: NonNullable<TagLookup["few"]>,
  alias: string,
  { dialect, bind, workspace }: SqlContext,
): string {
  const isTagged = dialect.isOneOf("tag", "text", bind(dialect.list(tags)));
  const rows = `select row_id from "${index}" where workspace_id = ${workspace} and ${isTagged}`;
  return dialect.isAmong(`"${alias}"."id"`, rows);
}

/**
 * The filters that find their rows by tags: that of a list, and those about what is related to it.
 */
export async function findTagLookups(
  queries: Queries,
  list: Filterable,
  asked: {
    readonly filter: Filter | null | undefined;
    readonly related?: Filter | undefined;
    readonly relations?: Relations | undefined;
  },
): Promise<TagLookups> {
  const lookups = new Map<Filter, TagLookup>();
  const lookUp = async (attributes: Attributes, filter: Filter | null | undefined) => {
    const lookup = filter == null ? null : await lookupFor(queries, attributes, filter);
    if (lookup !== null && filter != null) lookups.set(filter, lookup);
  };
  await lookUp(list.filter, asked.filter);
  const { related, relations } = asked;
  if (related !== undefined && relations !== undefined)
    for (const [name, attributes] of taggedRelations(relations))
      if (related[name] != null) await lookUp(attributes, related[name] as Filter);
  return lookups;
}

async function lookupFor(
  queries: Queries,
  attributes: Attributes,
  filter: Filter,
): Promise<TagLookup | null> {
  const asked = askedTags(attributes, filter);
  if (asked === null) return null;
  const { index, name, all, any, isAll } = asked;
  if (all.length === 0) {
    const most = shareOf(Math.max(1, any.length));
    const { greatest } = await countTagged(queries, index, { tags: any, most });
    const few = greatest < most ? { index, tags: any } : null;
    return { few, name, isAnswered: few !== null && isAll };
  }
  const tags = all.slice(0, MOST_COUNTED);
  const { rarest, least } = await countTagged(queries, index, { tags, most: MANY_ROWS });
  const few = least < MANY_ROWS ? { index, tags: [rarest] } : null;
  return { few, name, isAnswered: few !== null && isAll && all.length === 1 };
}

/**
 * Which of the tags the fewest rows have, and how many the rarest and the most frequent; none is
 * counted beyond `most`.
 */
async function countTagged(
  queries: Queries,
  index: string,
  { tags, most }: { readonly tags: readonly string[]; readonly most: number },
) {
  const { dialect, workspaceId } = queries;
  const workspace = dialect.parameter(WORKSPACE_PARAMETER);
  const rows = `select 1 from "${index}" where workspace_id = ${workspace} and tag = wanted.value order by at, row_id limit ${most}`;
  const counts = `select value, (select count(*) from (${rows}) tagged) as rows from ${dialect.valuesOf(dialect.parameter(2), "wanted")}`;
  const found = await queries.select<{ greatest: number; least: number; rarest: string }>({
    sql: `select max(rows) over () as greatest, rows as least, value as rarest from (${counts}) counted order by rows limit 1`,
    values: [workspaceId, dialect.list(tags)],
  });
  return found ?? { greatest: 0, least: 0, rarest: "" };
}

/**
 * Of several tags each has a part of what is few for one; in halves, so that there are few
 * statements.
 */
const shareOf = (tags: number): number => Math.ceil(MANY_ROWS / 2 ** Math.ceil(Math.log2(tags)));

/**
 * A list of the rows with one tag, in the order in which the index keeps them: they are read off
 * it.
 */
export interface TaggedList {
  readonly index: string;
  readonly tag: string;
  /** The direction of the order. */
  readonly direction: "asc" | "desc";
  /** What else the filter asks. */
  readonly rest: Filter;
}

/**
 * Null where the rows have to be found another way: for several tags, alternatives to them, or
 * another order.
 */
export function listedByTag(
  { filter: attributes, sorts }: ListDefinition,
  { filter, sort }: { readonly filter: Filter | null | undefined; readonly sort: string },
): TaggedList | null {
  const only = onlyTag(attributes, filter);
  if (only === null) return null;
  const direction = directionOf(sorts[sort] ?? [], only.order);
  return direction === null ? null : { ...only, direction };
}

/** The one tag that a filter asks for, whatever else it asks. */
export function onlyTag(attributes: Attributes, filter: Filter | null | undefined) {
  const asked = filter == null ? null : askedTags(attributes, filter);
  if (asked === null || !asked.isAll) return null;
  const [tag, ...others] = [...asked.all, ...asked.any];
  if (tag === undefined || others.length > 0) return null;
  const { [asked.name]: _, ...rest } = filter ?? {};
  return { index: asked.index, order: asked.order, tag, rest };
}

/** The attribute with the tags that have an index. */
interface IndexedTags {
  readonly name: string;
  readonly index: string;
  readonly order: string;
  readonly stored: (tag: string) => readonly string[];
}

/** Every list asks for it, and it is always the same. */
const indexedTags = memoizeByKey((attributes: Attributes): IndexedTags | null => {
  for (const [name, attribute] of Object.entries(attributes))
    if ("tagIndex" in attribute && attribute.tagIndex !== undefined) {
      const { tagIndex, stored = (tag) => [tag] } = attribute;
      return { name, index: tagIndex.table, order: tagIndex.order, stored };
    }
  return null;
});

/** By their names, the relations to rows with such tags, at any distance. */
const taggedRelations = memoizeByKey((relations: Relations): ReadonlyMap<string, Attributes> => {
  const found = new Map<string, Attributes>();
  for (const [name, { to, relations: further = {} }] of Object.entries(relations)) {
    if (indexedTags(to.filter) !== null) found.set(name, to.filter);
    for (const [theirs, attributes] of taggedRelations(further)) found.set(theirs, attributes);
  }
  return found;
});

interface AskedTags extends IndexedTags {
  /** The row has all of these, and where there are any, one of those. */
  readonly all: readonly string[];
  readonly any: readonly string[];
  /** Nothing but one of the two is asked of the tags. */
  readonly isAll: boolean;
}

/** The tags without which no row meets the filter; null where there is another way to meet it. */
function askedTags(attributes: Attributes, filter: Filter): AskedTags | null {
  const indexed = indexedTags(attributes);
  if (indexed === null || (isAlternative(filter) && conditionCount(filter) > 1)) return null;
  const wanted = filter[indexed.name] as Filter | null | undefined;
  if (wanted == null) return null;
  const { all_, any_ } = wanted as { readonly all_?: string[]; readonly any_?: string[] };
  if ((all_ ?? []).length === 0 && any_ == null) return null;
  if (isAlternative(wanted) && conditionCount(wanted) > 1) return null;
  const storedAs = (tags?: readonly string[] | null) => [
    ...new Set((tags ?? []).flatMap(indexed.stored)),
  ];
  return {
    ...indexed,
    all: storedAs(all_),
    any: storedAs(any_),
    isAll: conditionCount(wanted) === 1,
  };
}

const isAlternative = ({ operator }: Filter): boolean => operator === "or_";
/** How many things it asks. */
export const conditionCount = (filter: Filter): number =>
  Object.entries(filter).filter(([key, value]) => key !== "operator" && value != null).length;

/** Which way a list is sorted that is sorted by this column alone. */
export function directionOf(terms: readonly OrderTerm[], order: string): "asc" | "desc" | null {
  const [column, direction] = terms[0]?.split(" ") ?? [];
  if (terms.length !== 1 || column !== order) return null;
  return direction === "desc" ? "desc" : "asc";
}
