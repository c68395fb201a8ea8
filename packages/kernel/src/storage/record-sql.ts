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
  return `select coalesce('[' || ${dialect.joined("record")} || ']', '[]') as json from (${rows}) listed`;
}
