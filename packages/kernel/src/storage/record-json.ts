// A record as JSON text in SQL, out of pieces that are put one behind the other; what is JSON
// already goes in as it is.

import { type RawBuilder, sql } from "kysely";
import type { Dialect, FieldKind, Fields, LookedUpFields, RowSql } from "./dialect.ts";

export const quoteName = (name: string): string => `"${name}"`;
/** A text of ours in SQL. */
export const literal = (text: string): RawBuilder<string> => sql.raw(`'${text}'`);

/** How an engine writes JSON. */
export interface JsonWriter {
  /** The text `before` and a value behind it; a text in any case. */
  readonly piece: (
    before: string,
    kind: FieldKind,
    value: RawBuilder<unknown>,
  ) => RawBuilder<string>;
  readonly joined: (pieces: readonly RawBuilder<string>[]) => RawBuilder<string>;
}

/** A row of a table at a moment; without one, no field may ask for it. */
export function rowSql(
  dialect: Dialect,
  table: string,
  now: RawBuilder<string> = sql.raw("null"),
): RowSql {
  return {
    dialect,
    now,
    column: (name) => sql.ref(`${table}.${name}`),
    text: (expression) => sql.raw(expression.replaceAll("$", quoteName(table))),
  };
}

export function recordJson(fields: Fields, row: RowSql, writer: JsonWriter): RawBuilder<string> {
  return writer.joined([...membersOf(fields, { row, writer, opening: "{" }), literal("}")]);
}

interface Members {
  readonly row: RowSql;
  readonly writer: JsonWriter;
  /** What comes before the first. */
  readonly opening: string;
}

/** `"a":1,"b":2` and so on, each with what comes before it. */
function* membersOf(
  fields: Fields,
  { row, writer, opening }: Members,
): Generator<RawBuilder<string>> {
  let before = opening;
  for (const [name, field] of Object.entries(fields)) {
    const key = `${before}"${name}":`;
    if (typeof field === "string") yield writer.piece(key, field, row.column(name));
    else if ("from" in field) yield lookedUp(field, { row, writer, opening: before });
    else yield writer.piece(key, field.kind, sql`(${field.expression(row)})`);
    before = ",";
  }
}

/** Found in one look; each look more would have to be planned and made for every record. */
function lookedUp({ from, fields }: LookedUpFields, members: Members): RawBuilder<string> {
  const { row, writer, opening } = members;
  const found = writer.joined([...membersOf(fields, members)]);
  const nothing = Object.keys(fields).map((name) => `"${name}":null`);
  return sql`coalesce((select ${found} from ${row.text(from)}), ${literal(opening + nothing.join(","))})`;
}
