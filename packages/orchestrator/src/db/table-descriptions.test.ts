// A description that says something else of a column than the database has would write rows that
// cannot be read, or write a null where the program knows none.

import { readdir } from "node:fs/promises";
import { type ColumnTypes, kernelMigrations, type Table } from "@orchestrator/kernel/storage";
import { describeEachDatabase } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "./migrations/index.ts";

const TABLES = new URL("tables/", import.meta.url);

async function descriptions(): Promise<Table[]> {
  const files = (await readdir(TABLES)).filter((file) => file.endsWith(".table.ts"));
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, TABLES).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isTable);
}

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "members" in value && "columns" in value;

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

const COLUMNS = {
  sqlite: (table: string) =>
    `select name, lower(type) as type, "notnull" = 0 and pk = 0 as nullable from pragma_table_info('${table}')`,
  postgres: (table: string) =>
    `select column_name as name, data_type as type, is_nullable = 'YES' as nullable
     from information_schema.columns where table_name = '${table}' and table_schema = current_schema()`,
} as const;

/** Statements name their workspace themselves; SQLite alone numbers the lines of logs. */
const OF_NO_DESCRIPTION = ["workspace_id", "position"];

/** `text collate "C"` is the type `text`. */
const typeOf = (types: ColumnTypes, kind: keyof ColumnTypes): string =>
  String(types[kind]).replace(/ collate .*/, "");

describeEachDatabase("every description of a table", (open) => {
  test("has the columns that the database has", async () => {
    await using t = await open([kernelMigrations, orchestratorMigrations]);
    const { dialect } = t.db;
    const tables = await descriptions();
    expect(tables.length).toBeGreaterThan(10);
    for (const { name, describe } of tables) {
      const stored = await t.db.exclusively((session) =>
        session.rows<StoredColumn>(COLUMNS[dialect.name](name)),
      );
      const found = stored
        .filter(({ name: column }) => !OF_NO_DESCRIPTION.includes(column))
        .map((column) => ({ ...column, nullable: Boolean(column.nullable) }));
      const described = [...describe()].map(([column, { kind, isNullable }]) => ({
        name: column,
        type: typeOf(dialect.types, kind),
        nullable: isNullable,
      }));
      const byName = (a: StoredColumn, b: StoredColumn) => (a.name < b.name ? -1 : 1);
      expect(described.toSorted(byName), name).toEqual(found.toSorted(byName));
    }
  });
});
