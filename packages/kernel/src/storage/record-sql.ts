import { type RawBuilder, sql } from "kysely";
import type { Dialect, Fields } from "./dialect.ts";

/**
 * A record as JSON text inside a statement; `now` is bound wherever a computed field asks for the
 * moment.
 */
export function recordSql(
  dialect: Dialect,
  {
    fields,
    table,
    now,
  }: { readonly fields: Fields; readonly table: string; readonly now?: string },
): RawBuilder<string> {
  return dialect.recordJson(fields, table, now === undefined ? undefined : sql`${now}`);
}

/** SQL without values, for statements that are put together as text. */
export const textOf = (dialect: Dialect, fragment: RawBuilder<unknown>): string =>
  fragment.compile(dialect.builder).sql;

/** The same of a record; `now` is how the statement refers to the moment. */
export const recordText = (
  dialect: Dialect,
  {
    fields,
    table,
    now,
  }: { readonly fields: Fields; readonly table: string; readonly now?: string },
): string =>
  textOf(dialect, dialect.recordJson(fields, table, now === undefined ? undefined : sql.raw(now)));

/** Makes one JSON array, as text, of the rows that a query selects as `record`, in their order. */
export function arraySql(dialect: Dialect, rows: string): string {
  return `select ${arrayOf(dialect)} as json from (${rows}) listed`;
}

/**
 * The same as bytes, where the engine can hand them out: a long text need not become a string only
 * to be sent.
 */
export function arrayBytesSql(dialect: Dialect, rows: string): string {
  return `select ${dialect.asBytes(arrayOf(dialect))} as json from (${rows}) listed`;
}

/** Adds to either how many rows there are. */
export const withCount = (array: string): string =>
  array.replace(" as json from ", " as json, count(*) as rows from ");

/** `concat` takes no rows for nothing at all. */
const arrayOf = (dialect: Dialect): string => `concat('[', ${dialect.joined("record")}, ']')`;
