import type { Queries } from "../storage/database.ts";
import type { JsonText } from "../storage/json-text.ts";
import type { ListDefinition } from "./definition.ts";
import { countRows, listJson, type Selection } from "./read-list.ts";

export interface PageResult<T> {
  readonly results: readonly T[];
  readonly count: number;
  readonly limit: number;
  readonly pages: number;
  readonly page: number;
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
