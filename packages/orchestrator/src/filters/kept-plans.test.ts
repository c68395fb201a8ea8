import { type Database, kernelMigrations, listJson, type Query } from "@orchestrator/kernel";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { FLOW_RUN_LIST } from "../features/flow-runs/flow-runs.filter.ts";
import { FILL, WORKSPACE } from "../testing/two-full-workspaces.ts";

/** PostgreSQL plans a statement for its values this often before it may keep a plan. */
const PLANNED_ANYWAY = 5;
const CALLS = 8;
const NOW = "2026-11-14T09:00:00.000000Z";

/** What a page of runs is asked for with. */
async function queryOf(db: Database, offset: number): Promise<Query> {
  let asked: Query | undefined;
  const queries = {
    ...db.in(WORKSPACE),
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    select: async (query: Query) => {
      asked = query;
      return undefined;
    },
  };
  const page = { sort: "EXPECTED_START_TIME_DESC", limit: 20, offset, now: NOW };
  await listJson(queries, FLOW_RUN_LIST, page);
  if (asked === undefined) throw new Error("Nothing was asked");
  return asked;
}

/** How often a page of runs was planned anew in so many calls. */
async function timesPlanned({ offset }: { readonly offset: number }): Promise<number | undefined> {
  await using t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  const { sql, values } = await queryOf(t.db, offset);
  return t.db.exclusively(async (session) => {
    await session.execute(FILL);
    await session.execute(`prepare page as ${sql}`);
    const given = values.map((value) => `'${String(value)}'`).join(", ");
    for (let call = 0; call < CALLS; call += 1) await session.execute(`execute page (${given})`);
    const [kept] = await session.rows<{ readonly planned: number }>(
      "select custom_plans as planned from pg_prepared_statements where name = 'page'",
    );
    await session.execute("deallocate page");
    return kept?.planned;
  });
}

test("the first page of all runs is not planned again with every call", async () => {
  expect(await timesPlanned({ offset: 0 })).toBe(PLANNED_ANYWAY);
});

test("a page from further on is planned for where it is", async () => {
  expect(await timesPlanned({ offset: 10 })).toBe(CALLS);
});
