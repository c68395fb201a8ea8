// Lists, counts and pages of any resource, from its definition. The database builds the JSON of a
// whole page: turning rows into objects and objects into JSON in here costs five times as much.

import type { Queries } from "../storage/database.ts";
import type { Dialect } from "../storage/dialect.ts";
import type { JsonBytes, JsonText } from "../storage/json-text.ts";
import { arrayBytesSql, arraySql, withCount } from "../storage/record-sql.ts";
import type { Query } from "../storage/statement.ts";
import type { TextRanges } from "../text-blocks/text-ranges.ts";
import type { BlockRange } from "../text-blocks/text-source.ts";
import { filterCondition, relatedConditions } from "./conditions.ts";
import { findFew, isAmongFew } from "./counter-lookup.ts";
import { counterFor, filtersRelated } from "./counters.ts";
import type { Filter, Filterable, ListDefinition, Relations, RowCounter } from "./definition.ts";
import { fullScansOf } from "./full-scans.ts";
import { listSql, WORKSPACE_PARAMETER } from "./list-sql.ts";
import type { Bind } from "./operators.ts";
import { type RangePagePart, readRanges, searchedRanges, withinRange } from "./range-pages.ts";
import { recordRows } from "./record-rows.ts";
import {
  findSubstringLookups,
  type ListReading,
  NO_SUBSTRING_LOOKUPS,
  type SubstringLookups,
} from "./substring-lookup.ts";
import { conditionCount, findTagLookups, listedByTag, onlyTag } from "./tag-index.ts";
import { isUsualPage } from "./usual-pages.ts";
import { findValueLookups } from "./value-lookup.ts";

/** Skipping so many index entries may take long enough to be done beside the event loop. */
const DEEP_OFFSET = 1000;

/** Which rows: the resource's own filter, and filters on related resources by their name. */
export interface Selection {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
  /** Fires when nobody is there any more to take the answer. */
  readonly gone?: (() => AbortSignal) | undefined;
}

export interface ListPageRequest {
  readonly sort?: string | null | undefined;
  readonly limit: number;
  readonly offset: number;
  /** For records with fields that depend on it. */
  readonly now?: string;
  /** Where its rows may be, as `findPageRanges` tells, for who reads the same page twice. */
  readonly stretches?: TextRanges | null;
}

/** One page of records as a JSON array. */
export async function listJson<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest,
): Promise<JsonText<T[]>> {
  return (await readPage<string>(queries, list, request, arraySql)) ?? "[]";
}

/** The same to be sent: nobody here looks into it. */
export async function listBytes<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest,
): Promise<JsonBytes<T[]>> {
  return (await readPage<JsonBytes<T[]>>(queries, list, request, arrayBytesSql)) ?? "[]";
}

export async function countRows(
  queries: Queries,
  list: Filterable,
  selection: Selection,
): Promise<number> {
  const tally = counterFor(list, selection);
  if (tally !== null) return countTallied(queries, tally, selection);
  const tagged = countedByTag(queries, list, selection);
  if (tagged !== null) {
    const { gone } = selection;
    return (await queries.select<{ count: number }>({ ...tagged, gone }))?.count ?? 0;
  }
  const { where, values } = await restrict(queries, list, selection);
  const sql = `select count(*) as count from "${list.table}" where ${where}`;
  const row = await queries.select<{ count: number }>({
    sql,
    values,
    sweeps: fullScansOf(list, selection),
    gone: selection.gone,
  });
  return row?.count ?? 0;
}

async function countTallied(
  queries: Queries,
  tally: RowCounter,
  { filter }: Selection,
): Promise<number> {
  const query = ({ where }: SelectedRows): string =>
    `select cast(coalesce(sum(${tally.count}), 0) as bigint) as count from "${tally.table}" where ${where} and ${tally.isWhole}`;
  const row = await selectFrom<{ count: number }>(queries, tally, { selection: { filter }, query });
  return row?.count ?? 0;
}

/** What a query over the rows of a selection is written with: it adds values with `bind`. */
export interface SelectedRows {
  readonly where: string;
  readonly bind: Bind;
  readonly dialect: Dialect;
}

/** The first row of a query of its own over the rows that a selection leaves. */
export async function selectFrom<R>(
  queries: Queries,
  list: Filterable,
  request: { readonly selection: Selection; readonly query: (rows: SelectedRows) => string },
): Promise<R | undefined> {
  const { where, values, bind } = await restrict(queries, list, request.selection);
  const sql = request.query({ where, bind, dialect: queries.dialect });
  const { gone } = request.selection;
  return queries.select<R>({ sql, values, sweeps: fullScansOf(list, request.selection), gone });
}

async function readPage<Json extends string | Uint8Array>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest,
  arrayOf: (dialect: Dialect, rows: string) => string,
): Promise<Json | undefined> {
  const sort = sortOf(list, request);
  const stretches = request.stretches ?? findPageRanges(queries, list, request);
  if (stretches !== null)
    return readSearched(queries, list, { ...request, sort, stretches }, arrayOf);
  const { sql, ...rest } = await pageRows(queries, list, { ...request, sort });
  const query = { sql: arrayOf(queries.dialect, sql), ...rest, gone: request.gone };
  return (await queries.select<{ json: Json }>(query))?.json;
}

const sortOf = (
  { sorts, defaultSort }: ListDefinition,
  { sort }: Pick<ListPageRequest, "sort">,
): string => (sort != null && Object.hasOwn(sorts, sort) ? sort : defaultSort);

/** Where the rows of a page may be, if it is one of a search that finds its rows by blocks. */
export const findPageRanges = (
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest,
): TextRanges | null => searchedRanges(queries, list, { ...request, sort: sortOf(list, request) });

async function readSearched<Json extends string | Uint8Array>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest & { readonly sort: string; readonly stretches: TextRanges },
  arrayOf: (dialect: Dialect, rows: string) => string,
): Promise<Json | undefined> {
  const time = list.textBlocks?.source.time ?? "";
  const of = (stretch: BlockRange) => ({
    ...request,
    filter: withinRange(request.filter, time, stretch),
  });
  return readRanges<Json>(request.stretches, request, {
    count: async (stretch, most) => {
      const query = ({ where, bind }: SelectedRows): string =>
        `select count(*) as count from (select 1 from "${list.table}" where ${where} limit ${bind(most)}) counted`;
      const row = await selectFrom<{ count: number }>(queries, list, {
        selection: of(stretch),
        query,
      });
      return row?.count ?? 0;
    },
    read: async (stretch, part) => {
      const { sql, ...rest } = await pageRows(queries, list, { ...of(stretch), ...part });
      const query = { sql: withCount(arrayOf(queries.dialect, sql)), ...rest, gone: request.gone };
      return queries.select<RangePagePart<Json>>(query);
    },
  });
}

/** Selects the records of a page, each as JSON. */
async function pageRows(
  queries: Queries,
  list: ListDefinition,
  request: Selection & ListPageRequest & { readonly sort: string },
): Promise<Query> {
  const { dialect } = queries;
  const { record, usesNow, orders } = listSql(list, dialect);
  const { sort } = request;
  const order = orders.get(sort) ?? "";
  const tagged = listedByTag(list, { filter: request.filter, sort });
  const isSorted = list.slowSorts?.includes(sort) ?? false;
  const { where, values, bind, isRestricted } = await restrict(
    queries,
    list,
    tagged === null ? request : { ...request, filter: tagged.rest },
    {
      first: usesNow ? [request.now] : [],
      reading: isSorted ? null : { order, rows: request.offset + request.limit },
    },
  );
  const isDeep = request.offset >= DEEP_OFFSET;
  const mayBeLong = isRestricted || isDeep || isSorted;
  const sweeps = mayBeLong
    ? fullScansOf(list, isDeep ? { ...request, filter: null } : request)
    : [];
  const table = `"${list.table}"`;
  const workspace = dialect.parameter(WORKSPACE_PARAMETER);
  const isUsual = dialect.plansByValue && list.isLarge && !isRestricted && isUsualPage(request);
  const { limit, offset } = isUsual
    ? { limit: String(request.limit), offset: String(request.offset) }
    : { limit: bind(request.limit), offset: bind(request.offset) };
  const rows =
    tagged === null
      ? `from ${table} where ${where} order by ${order}`
      : `from "${tagged.index}" tagged cross join ${table} where ${table}.id = row_id and tagged.workspace_id = ${workspace} and tag = ${bind(tagged.tag)} and ${where} order by at ${tagged.direction}, row_id ${tagged.direction}`;
  const page = `${rows} limit ${limit} offset ${offset}`;
  const from = recordRows(dialect, {
    table,
    workspace,
    page,
    offset: request.offset,
    isLarge: list.isLarge === true,
    isTagged: tagged !== null,
  });
  return { sql: `select ${record} as record ${from}`, values, sweeps };
}

/** Where nothing but one tag is asked for, the index of tags alone says how many rows have it. */
function countedByTag(
  { dialect, workspaceId }: Queries,
  list: Filterable,
  { filter, related = {}, relations = {} }: Selection,
): Query | null {
  const only = onlyTag(list.filter, filter);
  if (only === null || conditionCount(only.rest) > 0 || filtersRelated(relations, related))
    return null;
  return {
    sql: `select count(*) as count from "${only.index}" where workspace_id = ${dialect.parameter(WORKSPACE_PARAMETER)} and tag = ${dialect.parameter(2)}`,
    values: [workspaceId, only.tag],
    sweeps: fullScansOf(list, {}),
  };
}

async function restrict(
  queries: Queries,
  list: Filterable,
  selection: Selection,
  {
    first = [],
    reading = null,
  }: { readonly first?: readonly unknown[]; readonly reading?: ListReading | null } = {},
) {
  const { filter, related, relations, gone } = selection;
  const { dialect } = queries;
  const tagLookups = await findTagLookups(queries, list, { filter, related, relations });
  const few = await findFew(queries, list, filter);
  const valueLookups = await findValueLookups(queries, list, {
    filter,
    related,
    relations,
    reading,
  });
  const workspace = dialect.parameter(WORKSPACE_PARAMETER);
  const alias = list.table;
  const conditions = (
    wanted: Filter,
    {
      more = [],
      letterLookups = NO_SUBSTRING_LOOKUPS,
    }: { more?: readonly unknown[]; letterLookups?: SubstringLookups } = {},
  ) => {
    const values: unknown[] = [queries.workspaceId, ...more];
    const bind = binder(values, dialect.parameter);
    const context = { dialect, bind, workspace, tagLookups, letterLookups, valueLookups };
    const all = [dialect.isCommon(`"${alias}"."workspace_id" = ${workspace}`)];
    const own = filterCondition(list.filter, { filter: wanted, alias }, context);
    if (own !== null) all.push(own);
    if (few !== null) all.push(isAmongFew(few, alias, context));
    if (relations !== undefined && related !== undefined)
      all.push(...relatedConditions(relations, { filters: related, alias }, context));
    return { where: all.join(" and "), values, bind, isRestricted: all.length > 1 };
  };
  const letterLookups = await findSubstringLookups(queries, list, {
    filter,
    related,
    relations,
    gone,
    reading,
    conditions,
  });
  return conditions(filter ?? {}, { more: first, letterLookups });
}

function binder(values: unknown[], parameter: (n: number) => string) {
  return (value: unknown): string => parameter(values.push(value));
}
