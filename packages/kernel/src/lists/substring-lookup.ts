// Where few rows hold the letters that are asked for, they are looked up; where many do, a page is
// full sooner when rows are read in the order of the list. So the list is glanced at first: how
// many of its first rows are in it tells how far a reader would have to go, and how many rows may
// be looked up in that time. What is found is only where to look: which rows are in the list is
// decided by the statement that reads it.

import type { Queries } from "../storage/database.ts";
import { arraySql } from "../storage/record-sql.ts";
import { filtersRelated } from "./counters.ts";
import type { Attributes, Filter, Filterable, Relation, Relations } from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";
import { memoizeByKey } from "./memoize-by-key.ts";
import type { SqlContext } from "./operators.ts";

/** How many rows are glanced at. */
const GLANCE = 500;
/** To look a row up takes as long as to pass by so many. */
const ROWS_PASSED = 2;
/** More are never looked up, nor where other conditions may find the rows sooner. */
const MANY_ROWS = 60_000;
const MANY_AMONG_OTHERS = 2000;
/** To count rows, an index of the texts is gone through, which is quicker than to read them. */
const MANY_COUNTED = 20_000;

/** What is known of a filter that asks for letters. */
interface SubstringLookup {
  /** The keys of the few rows that may hold them; null where so many do that they are met soon. */
  readonly few: readonly unknown[] | null;
  /** The attribute with the text. */
  readonly name: string;
}
export type SubstringLookups = ReadonlyMap<Filter, SubstringLookup>;
export const NO_SUBSTRING_LOOKUPS: SubstringLookups = new Map();

/** How the rows of a list are read: so many of them, in this order. */
export interface ListReading {
  readonly order: string;
  readonly rows: number;
}

interface SubstringQuery {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter | undefined;
  readonly relations?: Relations | undefined;
  readonly gone?: (() => AbortSignal) | undefined;
  /** Null where all rows are, in any order. */
  readonly reading: ListReading | null;
  /** The conditions of the list with another filter. */
  readonly conditions: (filter: Filter) => { readonly where: string; readonly values: unknown[] };
}

/**
 * Condition: the row is one of those looked up. Its key finds it sooner than any index, so that
 * none is tried for the order of the list.
 */
export const isFoundBySubstring = (
  keys: readonly unknown[],
  alias: string,
  { dialect, bind }: SqlContext,
): string => dialect.isOneOf(`"${alias}".${dialect.letterKey}`, "id", bind(dialect.list(keys)));

/**
 * The filters that find their rows by letters: that of a list, and those about what is related to
 * it.
 */
export async function findSubstringLookups(
  queries: Queries,
  list: Filterable,
  asked: SubstringQuery,
): Promise<SubstringLookups> {
  const { filter, related = {}, relations = {}, reading, gone } = asked;
  const isLongEnough = ({ text, ...index }: Search): boolean =>
    queries.dialect.letterCandidates(index, text, String) !== null;
  const own = searchesOf(list, filter).filter(isLongEnough);
  const searches = [...own, ...relatedSearches(relations, related).filter(isLongEnough)];
  if (searches.length === 0) return NO_SUBSTRING_LOOKUPS;
  let most = MANY_AMONG_OTHERS;
  // What is asked of related rows may be found in very many of them: too much for a glance.
  if (!filtersRelated(relations, related)) {
    const glance = await glanceAt(queries, { table: list.table, searches: own }, asked);
    if (glance === undefined || glance.seen < GLANCE) return NO_SUBSTRING_LOOKUPS;
    if (reading !== null && glance.met >= reading.rows)
      return new Map(own.map((search) => [search.filter, { few: null, name: search.attribute }]));
    most = worthOf(glance, reading);
  }
  const lookups = new Map<Filter, SubstringLookup>();
  for (const search of searches) {
    const few = await lookUp(queries, search, { most, gone });
    if (few !== null) lookups.set(search.filter, { few, name: search.attribute });
  }
  return lookups;
}

/**
 * Of the first rows of a list: how many there are, meet all other conditions, and hold the letters
 * too.
 */
interface Glance {
  readonly seen: number;
  readonly others: number;
  readonly met: number;
}

/** How many rows may be looked up in the time in which the list would be read in its order. */
function worthOf({ others, met }: Glance, reading: ListReading | null): number {
  if (others <= GLANCE / 2) return MANY_AMONG_OTHERS;
  if (reading === null) return MANY_COUNTED;
  // The fewer were met, the less they tell of the rows behind them: of up to four there may as well
  // be none.
  const density = Math.max(0, met - 2 * Math.sqrt(met)) / GLANCE;
  return Math.min(MANY_ROWS, Math.ceil(reading.rows / density / ROWS_PASSED));
}

async function glanceAt(
  queries: Queries,
  { table, searches }: { readonly table: string; readonly searches: readonly Search[] },
  { filter, reading, conditions, gone }: SubstringQuery,
): Promise<Glance | undefined> {
  const { dialect } = queries;
  const others: Record<string, unknown> = { ...filter };
  for (const { attribute, wanted } of searches) others[attribute] = { ...wanted, like_: null };
  const { where, values } = conditions(others);
  const bind = (value: unknown): string => dialect.parameter(values.push(value));
  const holds = searches.map(({ column, text }) =>
    dialect.holding(text, bind)(`"${table}"."${column}"`),
  );
  const isHere = `workspace_id = ${dialect.parameter(WORKSPACE_PARAMETER)}`;
  const order = reading?.order ?? "id";
  const first = `select * from "${table}" where ${isHere} order by ${order} limit ${GLANCE}`;
  const count = (...met: readonly string[]) => `count(case when ${met.join(" and ")} then 1 end)`;
  return queries.select<Glance>({
    sql: `select count(*) as seen, ${count(where)} as others, ${count(where, ...holds)} as met from (${first}) as "${table}"`,
    values,
    gone,
  });
}

interface Search {
  readonly filter: Filter;
  /** What the filter asks about the text, and by which name. */
  readonly attribute: string;
  readonly wanted: Filter;
  readonly table: string;
  readonly column: string;
  readonly name: string;
  readonly text: string;
}

/** What no row can do without to meet the filter; nothing where there is another way to meet it. */
function searchesOf(
  { table, filter: attributes }: Filterable,
  filter: Filter | null | undefined,
): Search[] {
  const searches: Search[] = [];
  if (filter == null || filter["operator"] === "or_") return searches;
  for (const { attribute, name, column } of letteredOf(attributes)) {
    const wanted = filter[attribute] as Filter | null | undefined;
    if (wanted == null) continue;
    const { like_: text, operator } = wanted;
    if (typeof text !== "string" || operator === "or_") continue;
    searches.push({ filter, attribute, wanted, table, column, name, text });
  }
  return searches;
}

type Lettered = Pick<Search, "attribute" | "name" | "column">;

/** Worked out once for each list: all lists pass here, and few ask for letters. */
const letteredOf = memoizeByKey((attributes: Attributes): readonly Lettered[] =>
  Object.entries(attributes).flatMap(([attribute, indexed]): Lettered[] => {
    if (!("letterIndex" in indexed) || indexed.column === undefined) return [];
    return [{ attribute, name: indexed.letterIndex, column: indexed.column }];
  }),
);

function relatedSearches(relations: Relations, filters: Filter): Search[] {
  const searches: Search[] = [];
  for (const name in relations) {
    const { to, relations: further } = relations[name] as Relation;
    searches.push(...searchesOf(to, filters[name] as Filter | null | undefined));
    if (further !== undefined) searches.push(...relatedSearches(further, filters));
  }
  return searches;
}

/**
 * The keys of the rows that may hold the text; null where there are more than that, or where
 * nothing finds them.
 */
async function lookUp(
  queries: Queries,
  { text, ...index }: Search,
  { most, gone }: { readonly most: number; readonly gone: SubstringQuery["gone"] },
): Promise<readonly unknown[] | null> {
  const { dialect, workspaceId } = queries;
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown): string => dialect.parameter(values.push(value));
  const candidates = dialect.letterCandidates(index, text, bind);
  if (candidates === null) return null;
  const rows = `select record from (${candidates.rows}) candidates limit ${bind(most + 1)}`;
  const sql = `select case when ${candidates.areAll} then (${arraySql(dialect, rows)}) end as json`;
  const found = await queries.select<{ json: string | null }>({
    sql,
    values,
    sweeps: [index.table],
    gone,
    findsOnly: true,
  });
  const keys = JSON.parse(found?.json ?? "null") as readonly unknown[] | null;
  return keys === null || keys.length > most ? null : keys;
}
