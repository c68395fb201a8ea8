import type { Queries } from "../storage/database.ts";
import { arraySql } from "../storage/record-sql.ts";
import type { Filterable } from "./definition.ts";
import { type Selection, selectFrom } from "./read-list.ts";

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
