import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import type { Database } from "./database.ts";
import {
  isMigrated,
  type MigrationList,
  migrate,
  NewerDatabaseError,
  stampMigrations,
} from "./migrate.ts";

/**
 * A list that adds one column after another to a table of its own, so that only the right order
 * succeeds.
 */
function columns(component: string, names: readonly string[]): MigrationList {
  return {
    component,
    migrations: names.map((name, index) => ({
      name,
      up: (t) =>
        index === 0
          ? `create table ${component} (${name} ${t.text})`
          : `alter table ${component} add column ${name} ${t.text} default '${names[index - 1]}'`,
    })),
  };
}

const broken: MigrationList = {
  component: "broken",
  migrations: [
    { name: "fine", up: (t) => `create table half_done (name ${t.text})` },
    {
      name: "failing",
      up: () => "insert into half_done values ('a'); insert into nowhere values (1)",
    },
  ],
};

const rows = (db: Database, sql: string) => db.exclusively((session) => session.rows(sql));
const history = (db: Database) =>
  rows(db, "select component, version, name from schema_migrations order by component, version");

describeEachDatabase("migrations", (open) => {
  test("are applied in the order of the lists, and told", async () => {
    await using t = await open([]);
    expect(await migrate(t.db, [columns("b", ["x", "y"]), columns("a", ["x"])])).toEqual([
      { component: "b", name: "x" },
      { component: "b", name: "y" },
      { component: "a", name: "x" },
    ]);
    expect(await history(t.db)).toEqual([
      { component: "a", version: 1, name: "x" },
      { component: "b", version: 1, name: "x" },
      { component: "b", version: 2, name: "y" },
    ]);
  });

  test("are applied once: the second run does nothing", async () => {
    await using t = await open([]);
    const lists = [columns("a", ["x", "y"])];
    await migrate(t.db, lists);
    const before = await rows(t.db, "select * from schema_migrations");
    expect(await migrate(t.db, lists)).toEqual([]);
    expect(await rows(t.db, "select * from schema_migrations")).toEqual(before);
  });

  test("go on where an earlier version of the program stopped", async () => {
    await using t = await open([]);
    await migrate(t.db, [columns("a", ["x"])]);
    expect(await migrate(t.db, [columns("a", ["x", "y", "z"])])).toEqual([
      { component: "a", name: "y" },
      { component: "a", name: "z" },
    ]);
  });

  test("remember when they were applied", async () => {
    await using t = await open([columns("a", ["x"])]);
    const [row] = await rows(t.db, "select applied from schema_migrations");
    expect(row).toEqual({
      applied: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  });

  test("leave nothing behind when one of them fails, and can be tried again", async () => {
    await using t = await open([]);
    await expect(migrate(t.db, [columns("a", ["x"]), broken])).rejects.toThrow("nowhere");
    expect(await history(t.db)).toEqual([]);
    await expect(rows(t.db, "select * from half_done")).rejects.toThrow("half_done");
    expect(await migrate(t.db, [columns("a", ["x"])])).toHaveLength(1);
  });

  test("are applied once by replicas that start at the same moment", async () => {
    await using t = await open([]);
    const replicas = [t.db, t.db];
    if (t.openReplica !== null) replicas.push(await t.openReplica(), await t.openReplica());
    const lists = [columns("a", ["x", "y"]), columns("b", ["x"])];
    const applied = await Promise.all(replicas.map((db) => migrate(db, lists)));
    expect(applied.flat()).toHaveLength(3);
    expect(applied.filter((each) => each.length > 0)).toHaveLength(1);
  });

  test("are refused, and nothing is changed, when the database is newer than the program", async () => {
    await using t = await open([columns("a", ["x", "y"])]);
    const before = await history(t.db);
    const older = migrate(t.db, [columns("b", ["x"]), columns("a", ["x"])]);
    await expect(older).rejects.toThrow(NewerDatabaseError);
    await expect(older).rejects.toThrow("a schema 2, this program knows 1");
    expect(await history(t.db)).toEqual(before);
    await expect(rows(t.db, "select * from b")).rejects.toThrow("b");
  });

  test("of another part of the program can be asked for: all of its steps, or it is not there", async () => {
    await using t = await open([columns("a", ["x"])]);
    expect(await isMigrated(t.db, columns("a", ["x"]))).toBe(true);
    expect(await isMigrated(t.db, columns("a", ["x", "y"]))).toBe(false);
    expect(await isMigrated(t.db, columns("b", ["x"]))).toBe(false);
  });

  test("are noted without being taken where the schema is there already, and then taken no more", async () => {
    await using t = await open([columns("a", ["x"])]);
    const lists = [columns("a", ["x", "y"]), columns("b", ["x"])];
    expect(await stampMigrations(t.db, lists)).toEqual([
      { component: "a", name: "y" },
      { component: "b", name: "x" },
    ]);
    await expect(rows(t.db, "select * from b")).rejects.toThrow("b");
    expect(await stampMigrations(t.db, lists)).toEqual([]);
    expect(await migrate(t.db, lists)).toEqual([]);
    expect(await history(t.db)).toHaveLength(3);
    const older = stampMigrations(t.db, [columns("a", ["x"])]);
    await expect(older).rejects.toThrow(NewerDatabaseError);
  });

  test("leave alone the components that this program does not know", async () => {
    await using t = await open([columns("a", ["x"]), columns("unknown", ["x", "y"])]);
    expect(await migrate(t.db, [columns("a", ["x", "y"])])).toEqual([
      { component: "a", name: "y" },
    ]);
    expect(await history(t.db)).toHaveLength(4);
  });
});
