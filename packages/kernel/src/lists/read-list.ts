// Lists, counts and pages of any resource, from its definition. The database builds the JSON of a
// whole page: turning rows into objects and objects into JSON in here costs five times as much.

import type { Queries } from "../storage/database.ts";
import type { JsonText } from "../storage/json-text.ts";
import type { Query } from "../storage/statement.ts";
import { type Filter, filterCondition, relatedConditions } from "./conditions.ts";
import type { ListDefinition, Relations } from "./definition.ts";
import { listSql } from "./list-sql.ts";

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
  const row = await queries.select<{ json: string }>(listQuery(queries, list, request));
  return row?.json ?? "[]";
}

export async function countRows(
  queries: Queries,
  list: ListDefinition,
  selection: Selection,
): Promise<number> {
  const { where, values } = restrict(queries, list, selection);
  const sql = `select count(*) as count from "${list.table}" where ${where}`;
  const row = await queries.select<{ count: number }>({ sql, values });
  return row?.count ?? 0;
}

/** The page with the number `page` (from 1), and how many there are, as a JSON object. */
export async function pageJson<T>(
  queries: Queries,
  list: ListDefinition,
  request: Selection & {
    readonly sort?: string | null;
    readonly limit: number;
    readonly page: number;
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

function listQuery(queries: Queries, list: ListDefinition, request: Selection & Page): Query {
  const { dialect } = queries;
  const { where, values } = restrict(queries, list, request);
  const bind = binder(values, dialect.parameter);
  const { select, orders, asArray } = listSql(list, dialect);
  const order = orders.get(request.sort ?? list.defaultSort) ?? orders.get(list.defaultSort);
  const rows = `${select} ${where} order by ${order} limit ${bind(request.limit)} offset ${bind(request.offset)}`;
  return { sql: asArray(rows), values };
}

function restrict(
  queries: Queries,
  list: ListDefinition,
  { filter, related, relations }: Selection,
) {
  const { dialect } = queries;
  const values: unknown[] = [];
  const bind = binder(values, dialect.parameter);
  const workspace = bind(queries.workspaceId);
  const conditions = [`"${list.table}"."workspace_id" = ${workspace}`];
  const own = filterCondition(
    list.filter,
    { filter: filter ?? {}, alias: list.table },
    { dialect, bind },
  );
  if (own !== null) conditions.push(own);
  if (relations !== undefined && related !== undefined) {
    const context = { dialect, bind, workspace };
    conditions.push(
      ...relatedConditions(relations, { filters: related, table: list.table }, context),
    );
  }
  return { where: conditions.join(" and "), values };
}

function binder(values: unknown[], parameter: (n: number) => string) {
  return (value: unknown): string => parameter(values.push(value));
}
