// Many rows of one table in one go. A remote engine gets them as one JSON parameter, in one round
// trip. The one in this process has no round trips to save, and to take values out of JSON costs it
// as much as to store them: it gets them bound, a few rows at once.

import { sql } from "kysely";
import type { Transaction } from "./database.ts";
import type { Dialect, FieldKind } from "./dialect.ts";
import { asArrays, type RowTexts } from "./pipelined-rows.ts";
import { type Placeholders, type Statement, statementsFor } from "./statement.ts";

type Column = Exclude<FieldKind, "tags">;
type Text = "id" | "text" | "time";
type Kinds<Row, Kind> = { readonly [K in keyof Row]: Kind };
/** JSON is there in every row: as a value it could be `null` itself. */
type OwnKinds<Row> = {
  readonly [K in keyof Row]: null extends Row[K] ? Exclude<Column, "json"> : Column;
};
type AnyTables = Record<string, Record<string, unknown>>;
/** By their place in the list. */
type Values = readonly unknown[];

const { statement } = statementsFor<AnyTables>();

/** More rows save nothing, and a statement for each number of them is kept. */
const BOUND_AT_ONCE = 20;

interface RowInsert<Row, Shared> {
  readonly table: string;
  /** What is each row's own. */
  readonly columns: OwnKinds<Row>;
  /** What has the same value in all of them, besides the workspace. */
  readonly shared: Kinds<Shared, Text>;
  /** Leaves rows as they are that are there already. */
  readonly skipsKnown: boolean;
}

/** Makes the change that writes any number of rows; nobody waits for it before the commit. */
export function rowInsert<Row extends object, Shared extends object>(
  insert: RowInsert<Row, Shared>,
): (tx: Transaction, shared: Shared, rows: readonly Row[]) => void {
  const shared = Object.keys(insert.shared) as (keyof Shared)[];
  const columns = Object.keys(insert.columns) as (keyof Row & string)[];
  const fromJson = jsonStatement(insert) as Statement<RowTexts<Record<string, string>>, unknown>;
  const textsOf = textsOfRows<Row>(insert.columns);
  const bound: Statement<Values, unknown>[] = [];
  return (tx, common, rows) => {
    if (tx.dialect.isRemote) {
      const texts = textsOf(rows);
      // Rows that share nothing but the workspace can go with those of other writes.
      if (shared.length > 0) tx.enqueue(fromJson, { ...asArrays(texts), ...common });
      else tx.enqueueRows(fromJson, texts);
      return;
    }
    for (let first = 0; first < rows.length; first += BOUND_AT_ONCE) {
      const some = rows.slice(first, first + BOUND_AT_ONCE);
      const values: unknown[] = shared.map((name) => common[name]);
      for (const row of some) for (const name of columns) values.push(row[name]);
      tx.enqueue((bound[some.length] ??= boundStatement(insert, some.length)), values);
    }
  };
}

const isJson = ([, kind]: readonly [string, unknown]): boolean => kind === "json";

/**
 * The rows as the statement takes them, without the brackets of arrays: JSON by its column, and
 * objects of all else.
 */
function textsOfRows<Row>(kinds: OwnKinds<Row>): (rows: readonly Row[]) => Record<string, string> {
  const names = Object.keys(kinds) as (keyof Row & string)[];
  const documents = names.filter((name) => kinds[name] === "json");
  const others = names.filter((name) => kinds[name] !== "json");
  const objectOf = (row: Row): Partial<Row> => {
    const object: Partial<Row> = {};
    for (const name of others) object[name] = row[name];
    return object;
  };
  return (rows) => {
    const objects = documents.length === 0 ? rows : rows.map(objectOf);
    const texts: Record<string, string> = { rows: JSON.stringify(objects).slice(1, -1) };
    for (const name of documents) texts[name] = rows.map((row) => row[name]).join(",");
    return texts;
  };
}

function jsonStatement<Row, Shared>({
  table,
  columns,
  shared,
  skipsKnown,
}: RowInsert<Row, Shared>): Statement<Shared & { rows: string }, unknown> {
  const kinds = shared as Readonly<Record<string, Text>>;
  const own = Object.entries<Column>(columns);
  const common = Object.keys(kinds);
  return statement<Readonly<Record<string, unknown>>>()((db, p, dialect) => {
    const rows = dialect.rowsFrom(
      Object.fromEntries(own.filter((column) => !isJson(column))),
      p["rows"] as string,
      Object.fromEntries(own.filter(isJson).map(([name]) => [name, p[name] as string])),
    );
    const insertion = db
      .insertInto(table)
      .columns(["workspace_id", ...common, ...own.map(([name]) => name)])
      .expression((e) =>
        e
          .selectFrom(rows.$castTo<Record<string, unknown>>().as("row"))
          .select([
            typed(p.workspace_id, "id", dialect).as("workspace_id"),
            ...common.map((name) => typed(p[name], kinds[name] ?? "text", dialect).as(name)),
            ...own.map(([name]) => `row.${name}` as const),
          ])
          // Without it SQLite takes `on conflict` for a part of the join.
          .where(sql.lit(true)),
      );
    return skipsKnown ? insertion.onConflict((conflict) => conflict.doNothing()) : insertion;
  });
}

const typed = (value: unknown, kind: Text, { types }: Dialect) =>
  sql<unknown>`cast(${value} as ${sql.raw(kind === "id" ? types.id : "text")})`;

function boundStatement<Row, Shared>(
  { table, columns, shared, skipsKnown }: RowInsert<Row, Shared>,
  count: number,
): Statement<Values, unknown> {
  const common = Object.keys(shared);
  const own = Object.keys(columns);
  return statement<Values>()((db, p) => {
    const places = p as unknown as Placeholders<Readonly<Record<number, unknown>>>;
    const valuesOf = (names: readonly string[], first: number) =>
      names.map((name, n) => [name, places[first + n]] as const);
    const rows = Array.from({ length: count }, (_, row) => ({
      workspace_id: p.workspace_id,
      ...Object.fromEntries(valuesOf(common, 0)),
      ...Object.fromEntries(valuesOf(own, common.length + row * own.length)),
    }));
    const insertion = db.insertInto(table).values(rows);
    return skipsKnown ? insertion.onConflict((conflict) => conflict.doNothing()) : insertion;
  });
}
