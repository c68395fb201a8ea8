// A record as JSON text in SQL, out of pieces that are put one behind the other; what is JSON already goes in as it is.

import type { Dialect, FieldKind, Fields, LookedUpFields } from "./dialect.ts";

export const quote = (name: string): string => `"${name}"`;

/** How an engine writes JSON. */
export interface JsonWriter {
  /** The text `before` and a value behind it; a text in any case. */
  readonly piece: (before: string, kind: FieldKind, value: string) => string;
  readonly joined: (pieces: readonly string[]) => string;
}

interface Row {
  readonly dialect: Dialect;
  readonly writer: JsonWriter;
  readonly table: string;
}

export function recordJson(fields: Fields, row: Row): string {
  return row.writer.joined([...membersOf(fields, row, "{"), "'}'"]);
}

/** `"a":1,"b":2` and so on, each with what comes before it. */
function* membersOf(fields: Fields, row: Row, opening: string): Generator<string> {
  let before = opening;
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "string")
      yield row.writer.piece(`${before}"${name}":`, field, `${quote(row.table)}.${quote(name)}`);
    else if ("from" in field) yield lookedUp(field, row, before);
    else
      yield row.writer.piece(
        `${before}"${name}":`,
        field.kind,
        `(${inRow(field.expression(row.dialect), row)})`,
      );
    before = ",";
  }
}

/** Found in one look; each look more would have to be planned and made for every record. */
function lookedUp({ from, fields }: LookedUpFields, row: Row, before: string): string {
  const members = row.writer.joined([...membersOf(fields, row, before)]);
  const nothing = Object.keys(fields).map((name) => `"${name}":null`);
  return `coalesce((select ${members} from ${inRow(from, row)}), '${before}${nothing.join(",")}')`;
}

const inRow = (sql: string, { table }: Row): string => sql.replaceAll("$", quote(table));
