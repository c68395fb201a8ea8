// Any number of ids in one parameter, so that a statement is the same for one and for a thousand.

import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import type { Dialect } from "./dialect.ts";

/** What is bound to the parameter. */
export function idRows(ids: Iterable<string>): string {
  return JSON.stringify(Array.from(ids, (id) => ({ id })));
}

/** The ids as a table `listed`, to be joined with others. */
export function idTable(
  dialect: Dialect,
  rows: string,
): AliasedRawBuilder<{ readonly id: string }, "listed"> {
  return dialect.rowsFrom({ id: "id" }, rows).$castTo<{ readonly id: string }>().as("listed");
}

/** The ids as what a column may be `in`. */
export function listedIds(dialect: Dialect, rows: string): RawBuilder<string> {
  return sql<string>`(select listed.id from ${idTable(dialect, rows)})`;
}
