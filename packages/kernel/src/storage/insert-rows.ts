// Many rows of one table in one go. A remote engine gets them as one JSON parameter, in one round trip. The one in this process
// has no round trips to save, and to take values out of JSON costs it as much as to store them: it gets them bound, a few rows at once.

import { sql } from "kysely";
import type { Transaction } from "./database.ts";
import type { Dialect, FieldKind } from "./dialect.ts";
import { type Placeholders, type Statement, statementsFor } from "./statement.ts";

type Column = Exclude<FieldKind, "tags">;
type Text = "id" | "text" | "time";
type Kinds<Row, Kind> = { readonly [K in keyof Row]: Kind };
type AnyTables = Record<string, Record<string, unknown>>;
/** By their place in the list. */
type Values = readonly unknown[];

const { statement } = statementsFor<AnyTables>();

/** More rows save nothing, and a statement for each number of them is kept. */
const BOUND_AT_ONCE = 20;

interface RowInsert<Row, Shared> {
  readonly table: string;
  /** What is each row's own. */
  readonly columns: Kinds<Row, Column>;
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
  const columns = Object.keys(insert.columns) as (keyof Row)[];
  const fromJson = jsonStatement(insert);
  const bound: Statement<Values, unknown>[] = [];
  return (tx, common, rows) => {
    if (tx.dialect.isRemote) {
      const json = JSON.stringify(rows);
      // Rows that share nothing but the workspace can go with those of other writes.
      if (shared.length > 0) tx.tell(fromJson, { rows: json, ...common });
      else
        tx.tellRows(fromJson as Statement<{ rows: string }, unknown>, { rows: json.slice(1, -1) });
      return;
    }
    for (let first = 0; first < rows.length; first += BOUND_AT_ONCE) {
      const some = rows.slice(first, first + BOUND_AT_ONCE);
      const values: unknown[] = shared.map((name) => common[name]);
      for (const row of some) for (const name of columns) values.push(row[name]);
      tx.tell((bound[some.length] ??= boundStatement(insert, some.length)), values);
    }
  };
}

function jsonStatement<Row, Shared>({
  table,
  columns,
  shared,
  skipsKnown,
}: RowInsert<Row, Shared>): Statement<Shared & { rows: string }, unknown> {
  const kinds = shared as Readonly<Record<string, Text>>;
  const own = Object.keys(columns);
  const common = Object.keys(kinds);
  const kindOf = (name: string): Column =>
    (columns as Readonly<Record<string, Column>>)[name] ?? "text";
  // Within the rows it is a text: to take JSON out of JSON, an engine has to understand every escape in it.
  const isJson = (name: string): boolean => kindOf(name) === "json";
  return statement<Readonly<Record<string, unknown>>>()((db, p, dialect) => {
    const rows = dialect.rowsFrom(
      Object.fromEntries(own.map((name) => [name, isJson(name) ? "text" : kindOf(name)])),
      p["rows"] as string,
    );
    const insertion = db
      .insertInto(table)
      .columns(["workspace_id", ...common, ...own])
      .expression((e) =>
        e
          .selectFrom(rows.$castTo<Record<string, unknown>>().as("row"))
          .select([
            typed(p.workspace_id, "id", dialect).as("workspace_id"),
            ...common.map((name) => typed(p[name], kinds[name] ?? "text", dialect).as(name)),
            ...own.map((name) =>
              isJson(name)
                ? sql<unknown>`cast(${sql.ref(`row.${name}`)} as ${sql.raw(dialect.types.json)})`.as(
                    name,
                  )
                : (`row.${name}` as const),
            ),
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
