// Lists, counts and pages of any resource, from its definition. The database builds the JSON of a
// whole page: turning rows into objects and objects into JSON in here costs five times as much.

import type { Queries } from "../storage/database.ts";
import type { Dialect } from "../storage/dialect.ts";
import type { JsonBytes, JsonText } from "../storage/json-text.ts";
import { arrayBytesSql, arraySql } from "../storage/record-sql.ts";
import type { Query } from "../storage/statement.ts";
import { type Filter, filterCondition, relatedConditions } from "./conditions.ts";
import type { Filterable, ListDefinition, Relations, Tally } from "./definition.ts";
import { listSql, WORKSPACE_PARAMETER } from "./list-sql.ts";
import type { Bind } from "./operators.ts";
import { findsByTags, listedByTag } from "./tag-index.ts";
import { tallyFor } from "./tallies.ts";

/** Which rows: the resource's own filter, and filters on related resources by their name. */
export interface Selection {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
}

export interface Page {
  readonly sort?: string | null | undefined;
  readonly limit: number;
  readonly offset: number;
  /** For records with fields that depend on it. */
  readonly now?: string;
}

export interface PageResult<T> {
  readonly results: readonly T[];
  readonly count: number;
  readonly limit: number;
  readonly pages: number;
  readonly page: number;
}

/** One page of records as a JSON array. */
export async function listJson<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & Page,
): Promise<JsonText<T[]>> {
  const { sql, values } = await pageRows(queries, list, request);
  const row = await queries.select<{ json: string }>({
    sql: arraySql(queries.dialect, sql),
    values,
  });
  return row?.json ?? "[]";
}

/** The same to be sent: nobody here looks into it. */
export async function listBytes<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & Page,
): Promise<JsonBytes<T[]>> {
  const { sql, values } = await pageRows(queries, list, request);
  const query = { sql: arrayBytesSql(queries.dialect, sql), values };
  return (await queries.select<{ json: JsonBytes<T[]> }>(query))?.json ?? "[]";
}

export async function countRows(
  queries: Queries,
  list: Filterable,
  selection: Selection,
): Promise<number> {
  const tally = tallyFor(queries, list, selection);
  if (tally !== null) return countTallied(queries, tally, selection);
  const { where, values } = restrict(queries, list, selection, { byTags: true });
  const sql = `select count(*) as count from "${list.table}" where ${where}`;
  const row = await queries.select<{ count: number }>({ sql, values });
  return row?.count ?? 0;
}

async function countTallied(
  queries: Queries,
  tally: Tally,
  { filter }: Selection,
): Promise<number> {
  const query = ({ where }: SelectedRows): string =>
    `select coalesce(sum(${tally.count}), 0) as count from "${tally.table}" where ${where} and ${tally.isWhole}`;
  const row = await selectFrom<{ count: number }>(queries, tally, { selection: { filter }, query });
  return row?.count ?? 0;
}

/** The ids of at most `limit` rows that match, the oldest first. */
export async function listIds(
  queries: Queries,
  list: Filterable,
  { limit, ...selection }: Selection & { readonly limit: number },
): Promise<string[]> {
  const id = `"${list.table}"."id"`;
  const row = await selectFrom<{ json: string }>(queries, list, {
    selection,
    query: ({ where, bind, dialect }) =>
      arraySql(
        dialect,
        `select '"' || cast(${id} as text) || '"' as record from "${list.table}" where ${where} order by ${id} limit ${bind(limit)}`,
      ),
  });
  return JSON.parse(row?.json ?? "[]") as string[];
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
  const { where, values, bind } = restrict(queries, list, request.selection);
  const sql = request.query({ where, bind, dialect: queries.dialect });
  return queries.select<R>({ sql, values });
}

/** The page with the number `page` (from 1), and how many there are, as a JSON object. */
export async function pageJson<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & {
    readonly sort?: string | null;
    readonly limit: number;
    readonly page: number;
    readonly now?: string;
  },
): Promise<JsonText<PageResult<T>>> {
  const { limit, page } = request;
  const [count, results] = await Promise.all([
    countRows(queries, list, request),
    listJson<T>(queries, list, { ...request, offset: (page - 1) * limit }),
  ]);
  const pages = limit === 0 ? 0 : Math.ceil(count / limit);
  return `{"results":${results},"count":${count},"limit":${limit},"pages":${pages},"page":${page}}`;
}

/** Selects the records of a page, each as JSON. */
async function pageRows(
  queries: Queries,
  list: ListDefinition,
  request: Selection & Page,
): Promise<Query> {
  const { dialect } = queries;
  const { select, usesNow, orders } = listSql(list, dialect);
  const sort = orders.has(request.sort ?? "") ? (request.sort ?? "") : list.defaultSort;
  const order = orders.get(sort);
  const tagged = listedByTag(queries, list, { filter: request.filter, sort });
  const { where, values, bind } = restrict(
    queries,
    list,
    tagged === null ? request : { ...request, filter: tagged.rest },
    {
      byTags: tagged === null && (await findsByTags(queries, list, request.filter)),
      more: usesNow ? [request.now] : [],
    },
  );
  const limits = (): string => `limit ${bind(request.limit)} offset ${bind(request.offset)}`;
  if (tagged === null && (!list.isFoundById || !dialect.buildsBeforeSorting))
    return { sql: `${select} ${where} order by ${order} ${limits()}`, values };
  const id = `"${list.table}"."id"`;
  const ids =
    tagged === null
      ? `select ${id} from "${list.table}" where ${where} order by ${order} ${limits()}`
      : `select row_id from "${tagged.index}" tagged cross join "${list.table}" on ${id} = row_id where tagged.workspace_id = ${dialect.parameter(WORKSPACE_PARAMETER)} and tag = ${bind(tagged.tag)} and ${where} order by at ${tagged.direction}, row_id ${tagged.direction} ${limits()}`;
  return { sql: `${select} ${id} in (${ids}) order by ${order}`, values };
}

function restrict(
  queries: Queries,
  list: Filterable,
  { filter, related, relations }: Selection,
  {
    byTags = false,
    more = [],
  }: { readonly byTags?: boolean; readonly more?: readonly unknown[] } = {},
) {
  const { dialect } = queries;
  const values: unknown[] = [queries.workspaceId, ...more];
  const bind = binder(values, dialect.parameter);
  const workspace = dialect.parameter(WORKSPACE_PARAMETER);
  const alias = list.table;
  const context = { dialect, bind, workspace };
  const conditions = [dialect.isCommon(`"${alias}"."workspace_id" = ${workspace}`)];
  const own = filterCondition(
    list.filter,
    { filter: filter ?? {}, alias },
    { ...context, findsByTags: byTags },
  );
  if (own !== null) conditions.push(own);
  if (relations !== undefined && related !== undefined)
    conditions.push(...relatedConditions(relations, { filters: related, alias }, context));
  return { where: conditions.join(" and "), values, bind };
}

function binder(values: unknown[], parameter: (n: number) => string) {
  return (value: unknown): string => parameter(values.push(value));
}
