// PostgreSQL writes ids and times between quotes as they are, and numbers and JSON without: a field
// that is of another type than its kind says would break the JSON of its records.

import { readdir } from "node:fs/promises";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { type Dialect, kernelMigrations, rowSql, textOf } from "@orchestrator/kernel/storage";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "./migrations/index.ts";

const SOURCES = new URL("../", import.meta.url);

const TYPES: Readonly<Record<string, readonly string[]>> = {
  id: ["uuid"],
  time: ["text"],
  text: ["text"],
  json: ["json", "text"],
  tags: ["jsonb"],
  flag: ["boolean"],
  integer: ["bigint", "integer", "numeric"],
  real: ["double precision", "numeric", "bigint", "integer"],
};
/** What is never there has any type. */
const NOTHING = "null";
const NOW = "'2026-11-14T09:00:00.000000Z'";

async function listDefinitions(): Promise<ListDefinition[]> {
  const files = await readdir(SOURCES, { recursive: true });
  const modules = await Promise.all(
    files
      .filter((file) => file.endsWith(".filter.ts"))
      .map((file) => import(new URL(file, SOURCES).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isList);
}

function isList(value: unknown): value is ListDefinition {
  return typeof value === "object" && value !== null && "table" in value && "fields" in value;
}

interface Expression {
  readonly name: string;
  readonly kind: string;
  readonly sql: string;
}

function* expressionsOf(
  { fields, table }: ListDefinition,
  dialect: Dialect,
): Generator<Expression> {
  const row = rowSql(dialect, table, sql.raw(NOW));
  const text = (fragment: RawBuilder<unknown>) => textOf(dialect, fragment);
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "string") yield { name, kind: field, sql: `"${table}"."${name}"` };
    else if ("from" in field)
      for (const [found, { kind, expression }] of Object.entries(field.fields))
        yield {
          name: found,
          kind,
          sql: text(sql`select ${expression(row)} from ${row.text(field.from)}`),
        };
    else yield { name, kind: field.kind, sql: text(field.expression(row)) };
  }
}

test("every field of a list has the type that its kind says", async () => {
  await using t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  const { dialect } = t.db;
  const lists = await listDefinitions();
  expect(lists.length).toBeGreaterThan(20);
  await t.db.exclusively(async (session) => {
    for (const list of lists) {
      const expressions = [...expressionsOf(list, dialect)].filter((one) => one.sql !== NOTHING);
      for (const { name, kind, sql: value } of expressions) {
        const [row] = await session.rows<{ readonly type: string }>(
          `select pg_typeof((${value}))::text as type from (select 1) one left join "${list.table}" on true`,
        );
        const types = TYPES[kind] ?? [];
        expect(types, `${list.table}.${name}, a field of kind ${kind}`).toContain(row?.type);
      }
    }
  });
});
