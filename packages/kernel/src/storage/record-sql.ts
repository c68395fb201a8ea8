import { type RawBuilder, sql } from "kysely";
import type { Dialect, Fields } from "./dialect.ts";

/** A record as JSON text inside a statement; `now` is bound wherever a computed field asks for the moment. */
export function recordSql(
  dialect: Dialect,
  {
    fields,
    table,
    now,
  }: { readonly fields: Fields; readonly table: string; readonly now?: string },
): RawBuilder<string> {
  const pieces = dialect.recordJson(fields, table).split(":now");
  return sql.join(
    pieces.map((piece) => sql.raw<string>(piece)),
    now === undefined ? sql.raw("null") : sql`${now}`,
  ) as RawBuilder<string>;
}

/** Makes one JSON array, as text, of the rows that a query selects as `record`, in their order. */
export function arraySql(dialect: Dialect, rows: string): string {
  return `select ${arrayOf(dialect)} as json from (${rows}) listed`;
}

/** The same as bytes, where the engine can hand them out: a long text need not become a string only to be sent. */
export function arrayBytesSql(dialect: Dialect, rows: string): string {
  return `select ${dialect.asBytes(arrayOf(dialect))} as json from (${rows}) listed`;
}

/** Adds to either how many rows there are. */
export const withCount = (array: string): string =>
  array.replace(" as json from ", " as json, count(*) as rows from ");

/** `concat` takes no rows for nothing at all. */
const arrayOf = (dialect: Dialect): string => `concat('[', ${dialect.joined("record")}, ']')`;
