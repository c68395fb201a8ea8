import type { MigrationList } from "@orchestrator/kernel/storage";
import { describeEachDatabase, openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { statement } from "../../db/tables.ts";
import { boundBy, deleteKeyRange, keyRanges } from "./keyed-walk.store.ts";
import { listWorkspaceTables } from "./workspace-tables.store.ts";

const OURS = "11111111-1111-4111-8111-111111111111";
const THEIRS = "22222222-2222-4222-8222-222222222222";

const rows = Array.from({ length: 23 }, (_, n) => {
  const owner = n % 3 === 0 ? OURS : THEIRS;
  return `('${"abc"[n % 3]}', ${n}, '${owner}')`;
});

const walked: MigrationList = {
  component: "walked",
  migrations: [
    {
      name: "walked",
      up: (t, { name }) => `
        create table workspace_sizes (
          measured ${t.text} not null, runs ${t.integer} not null, workspace_id ${t.id} not null,
          primary key (measured, runs)
        ) ${name === "sqlite" ? "without rowid" : ""};
        insert into workspace_sizes values ${rows.join(", ")};`,
    },
  ],
};

const left = statement()((db) => db.selectFrom("workspace_sizes").select(["workspace_id", "runs"]));

describeEachDatabase("a table that is kept in the order of its key", (open) => {
  test("is gone through once, range by range, and loses the rows of one workspace only", async () => {
    await using opened = await open([walked]);
    const { db } = opened;
    const [found] = await listWorkspaceTables(db);
    expect(found).toMatchObject({ name: "workspace_sizes", isIndexed: false, parents: [] });
    if (found === undefined) return;
    const table = { ...found, key: ["measured", "runs"] };
    if (db.dialect.name === "sqlite") expect(found.key).toEqual(table.key);
    const deleted: number[] = [];
    for await (const range of keyRanges(db, table, 5))
      deleted.push(
        await db.write(OURS, (tx) => tx.run(deleteKeyRange(table, range), boundBy(range))),
      );
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(8);
    const rest = await db.system.all(left, {});
    expect(rest).toHaveLength(15);
    expect(new Set(rest.map(({ workspace_id }) => workspace_id))).toEqual(new Set([THEIRS]));
  });
});

test("tables of workspaces are found in a schema whose name is written in quotation marks", async () => {
  await using opened = await openTestPostgres([walked]);
  const found = await opened.db.writeSystem(async (tx) => {
    const execute = (sql: string) => tx.inWorkspace(OURS).select({ sql, values: [] });
    await execute('create schema "Our Data"');
    await execute('alter table workspace_sizes set schema "Our Data"');
    await execute('set local search_path = "Our Data"');
    const tables = await listWorkspaceTables({ system: tx });
    await execute("alter table workspace_sizes set schema public");
    await execute('drop schema "Our Data"');
    return tables;
  });
  expect(found).toMatchObject([{ name: "workspace_sizes", isIndexed: false }]);
});
