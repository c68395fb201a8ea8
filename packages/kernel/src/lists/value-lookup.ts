// Where few rows have a value, they are better looked up and sorted; where many have it, a page is
// full sooner when rows are read in the order of the list. A remote database knows which from its
// statistics. The engine inside this process plans without knowing values: so it is asked first how
// many there are, in the index that would find them, and told what it said.

import type { Queries } from "../storage/database.ts";
import { filtersRelated } from "./counters.ts";
import type {
  Attribute,
  Attributes,
  Filter,
  Filterable,
  OperatorAttribute,
  Relations,
  ValueIndex,
} from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";
import { applyOperator, type SqlContext } from "./operators.ts";
import type { ListReading } from "./substring-lookup.ts";
import { conditionCount } from "./tag-index.ts";

/** To look so many up and to sort them takes a few milliseconds. */
const MANY_ROWS = 5000;

/** Few rows of the table have one of these in the column. */
interface Few {
  readonly table: string;
  readonly attribute: IndexedAttribute;
  readonly values: readonly string[];
}
/**
 * By filter, and by the name of what it asks. Nothing is said where the database is best left
 * alone.
 */
export type ValueLookups = ReadonlyMap<Filter, ReadonlyMap<string, Few | "many">>;

/**
 * Condition: the row is one of those looked up. Its key finds it sooner than any index, so that
 * none is tried for the order of the list.
 */
export function isFoundByValues(few: Few, alias: string, context: SqlContext): string {
  const { dialect } = context;
  return dialect.isAmong(
    `"${alias}".${dialect.letterKey}`,
    rowsWith(few, dialect.letterKey, context),
  );
}

/**
 * Condition: the value is none of these. A value that is usual is written out, because the index
 * says it so.
 */
export const hasNoneOf = (column: string, usual: readonly string[]): string =>
  `${column} not in (${usual.map((value) => `'${value}'`).join(", ")})`;

/** Whether the index has every row with one of the values. */
export const isIn = ({ without = [] }: ValueIndex, values: readonly string[]): boolean =>
  !values.some((value) => without.includes(value));

function rowsWith(
  { table, attribute: { column, kind, valueIndex }, values: value }: Few,
  selected: string,
  { dialect, bind, workspace }: SqlContext,
): string {
  const operand = { column: `"${column}"`, kind, hasWildcards: false, dialect, value, bind };
  const isIndexed =
    valueIndex.without === undefined ? "" : ` and ${hasNoneOf(operand.column, valueIndex.without)}`;
  return `select ${selected} from "${table}" where workspace_id = ${workspace} and ${applyOperator("any_", operand)}${isIndexed}`;
}

interface ValueQuery {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter | undefined;
  readonly relations?: Relations | undefined;
  /** Null where all rows are, in any order. */
  readonly reading: ListReading | null;
}

/** What is known of the filter of a list, and of those about what is related to it. */
export async function findValueLookups(
  queries: Queries,
  list: Filterable,
  { filter, related = {}, relations = {}, reading }: ValueQuery,
): Promise<ValueLookups> {
  const lookups = new Map<Filter, Map<string, Few | "many">>();
  if (queries.dialect.isRemote) return lookups;
  const note = ({ filter: asking, name }: Search, rows: Few | "many") =>
    lookups.set(asking, (lookups.get(asking) ?? new Map()).set(name, rows));
  // Row by row, related ones are found by what they are related through.
  for (const search of relatedSearches(relations, related)) note(search, "many");
  const searches = searchesOf(list.filter, filter);
  const isAlone = searches.length === 1 && isOnly(filter) && !filtersRelated(relations, related);
  for (const search of searches) {
    if (isAlone && isAnswered(search, list, reading)) continue;
    const few = { table: list.table, attribute: search.attribute, values: search.values };
    note(search, !search.isAlternative && (await areFew(queries, few)) ? few : "many");
  }
  return lookups;
}

/**
 * The index alone counts the rows with the values, and hands out those with one of them in its own
 * order.
 */
function isAnswered(
  { values, attribute }: Search,
  { table }: Filterable,
  reading: ListReading | null,
): boolean {
  if (reading === null) return true;
  const isInOrder = reading.order.startsWith(`"${table}"."${attribute.valueIndex.order}" `);
  return isInOrder && values.length === 1;
}

async function areFew(queries: Queries, few: Few): Promise<boolean> {
  const { dialect, workspaceId } = queries;
  const values: unknown[] = [workspaceId];
  const rows = rowsWith(few, "1", {
    dialect,
    bind: (value) => dialect.parameter(values.push(value)),
    workspace: dialect.parameter(WORKSPACE_PARAMETER),
  });
  const sql = `select count(*) as count from (${rows} limit ${MANY_ROWS}) found`;
  const counted = await queries.select<{ count: number }>({ sql, values });
  return counted !== undefined && counted.count < MANY_ROWS;
}

type IndexedAttribute = (Attribute | OperatorAttribute) & {
  readonly column: string;
  readonly valueIndex: ValueIndex;
};

/** Values that a filter asks for. */
interface Search {
  readonly filter: Filter;
  readonly name: string;
  readonly attribute: IndexedAttribute;
  readonly values: readonly string[];
  /** There are other ways to meet the filter. */
  readonly isAlternative: boolean;
}

function searchesOf(
  attributes: Attributes,
  filter: Filter | null | undefined,
  isWithinAlternatives = false,
): Search[] {
  if (filter == null) return [];
  const isAlternative = isWithinAlternatives || (filter["operator"] === "or_" && !isOnly(filter));
  return Object.entries(attributes).flatMap(([name, attribute]): Search[] => {
    const wanted = filter[name] as Filter | readonly string[] | null | undefined;
    if (wanted == null) return [];
    if ("group" in attribute) return searchesOf(attribute.group, wanted as Filter, isAlternative);
    const given = "meaning" in attribute ? wanted : (wanted as Filter)["any_"];
    if (!isIndexed(attribute) || given == null) return [];
    const { stored = (value: string) => [value] } = attribute;
    const values = (given as readonly string[]).flatMap(stored);
    if (!isIn(attribute.valueIndex, values)) return [];
    return [{ filter, name, attribute, values, isAlternative }];
  });
}

const isIndexed = (attribute: Attribute | OperatorAttribute): attribute is IndexedAttribute =>
  attribute.valueIndex !== undefined;

/** Whether one thing is asked, at any depth. */
const isOnly = (filter: Filter | null | undefined): boolean =>
  filter != null &&
  conditionCount(filter) === 1 &&
  Object.values(filter).every(
    (wanted) =>
      typeof wanted !== "object" ||
      wanted === null ||
      Array.isArray(wanted) ||
      isOnly(wanted as Filter),
  );

/** Of rows that are looked for one by one: others are found all at once. */
function relatedSearches(relations: Relations, filters: Filter): Search[] {
  return Object.entries(relations).flatMap(([name, relation]) => [
    ...("theirColumn" in relation
      ? searchesOf(relation.to.filter, filters[name] as Filter | null | undefined)
      : []),
    ...relatedSearches(relation.relations ?? {}, filters),
  ]);
}
