import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Dialect } from "./dialect.ts";
import { postgresDialect } from "./postgres/postgres-dialect.ts";
import { sqliteDialect } from "./sqlite/sqlite-dialect.ts";
import { bindValues, statementsFor } from "./statement.ts";

interface Tables {
  things: { workspace_id: string; name: string; size: number; colour: string };
}
const { statement, systemStatement } = statementsFor<Tables>();

const resize = statement<{ name: string; size: number }>()((db, p) =>
  db
    .updateTable("things")
    .set({ size: p.size, colour: "dark 'red" })
    .where("name", "=", p.name)
    .where("workspace_id", "=", p.workspace_id)
    .where("size", "<>", p.size)
    .where("size", "<", 100),
);

test.each([
  [
    sqliteDialect,
    `"size" = ?, "colour" = 'dark ''red' where "name" = ? and "workspace_id" = ? and "size" <> ? and "size" < 100`,
  ],
  [
    postgresDialect,
    `"size" = $1, "colour" = 'dark ''red' where "name" = $2 and "workspace_id" = $3 and "size" <> $4 and "size" < 100`,
  ],
])(
  "binds values in the order of the SQL, repetitions among them, and writes constants into its text",
  (dialect, rest) => {
    const compiled = resize.compiledFor(dialect);
    expect(compiled.sql).toBe(`update "things" set ${rest}`);
    expect(bindValues(compiled, { name: "lamp", size: 7 }, "W1")).toEqual([7, "lamp", "W1", 7]);
    expect(bindValues(compiled, { size: 8, name: "desk" }, "W2")).toEqual([8, "desk", "W2", 8]);
  },
);

test("takes the workspace from the connection, whatever the values say", () => {
  const compiled = resize.compiledFor(sqliteDialect);
  const values = bindValues(compiled, { name: "lamp", size: 7, workspace_id: "another's" }, "W1");
  expect(values).toEqual([7, "lamp", "W1", 7]);
});

test("lets a system statement name a workspace like any other value", () => {
  const count = systemStatement<{ workspace_id: string }>()((db, p) =>
    db.selectFrom("things").select("name").where("workspace_id", "=", p.workspace_id),
  );
  expect(bindValues(count.compiledFor(sqliteDialect), { workspace_id: "W2" }, null)).toEqual([
    "W2",
  ]);
});

test("is built once for each engine", () => {
  const builtFor: Dialect[] = [];
  const one = systemStatement()((db, _p, dialect) => {
    builtFor.push(dialect);
    return db.selectNoFrom(sql<number>`1`.as("one"));
  });
  const dialects = [sqliteDialect, postgresDialect, sqliteDialect, postgresDialect];
  const [first, , third] = dialects.map((dialect) => one.compiledFor(dialect));
  expect(builtFor).toEqual([sqliteDialect, postgresDialect]);
  expect(third).toBe(first);
});

test("refuses to leave a value out, and takes null for a value", () => {
  const compiled = resize.compiledFor(postgresDialect);
  expect(() => bindValues(compiled, { name: "lamp" }, "W1")).toThrow("size");
  expect(bindValues(compiled, { name: null, size: 7 }, "W1")).toEqual([7, null, "W1", 7]);
});
