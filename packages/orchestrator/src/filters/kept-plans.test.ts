import {
  countRows,
  type Database,
  kernelMigrations,
  listJson,
  type Queries,
  type Query,
} from "@orchestrator/kernel";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { FLOW_RUN_LIST } from "../features/flow-runs/flow-runs.filter.ts";
import { FILL, WORKSPACE } from "../testing/two-full-workspaces.ts";

/** PostgreSQL plans a statement for its values this often before it may keep a plan. */
const PLANNED_ANYWAY = 5;
const CALLS = 8;
const NOW = "2026-11-14T09:00:00.000000Z";

type Ask = (queries: Queries) => Promise<unknown>;

const pageAt =
  (offset: number): Ask =>
  (queries) =>
    listJson(queries, FLOW_RUN_LIST, {
      sort: "EXPECTED_START_TIME_DESC",
      limit: 20,
      offset,
      now: NOW,
    });

const countInStates: Ask = (queries) =>
  countRows(queries, FLOW_RUN_LIST, {
    filter: { state: { type: { any_: ["FAILED", "CRASHED"] } } },
  });

/** What the database is asked. */
async function queryOf(db: Database, ask: Ask): Promise<Query> {
  let asked: Query | undefined;
  await ask({
    ...db.in(WORKSPACE),
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    select: async (query: Query) => {
      asked = query;
      return undefined;
    },
  });
  if (asked === undefined) throw new Error("Nothing was asked");
  return asked;
}

const written = (value: unknown): string => `'${String(value)}'`;

/** How often a question was planned anew in so many calls. */
async function timesPlanned(ask: Ask): Promise<number | undefined> {
  await using t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  const { sql, values } = await queryOf(t.db, ask);
  return t.db.exclusively(async (session) => {
    await session.execute(FILL);
    await session.execute("select add_up_flow_run_changes(); analyze flow_run_sums");
    await session.execute(`prepare asked as ${sql}`);
    const given = values.map(written).join(", ");
    for (let call = 0; call < CALLS; call += 1) await session.execute(`execute asked (${given})`);
    const [kept] = await session.rows<{ readonly planned: number }>(
      "select custom_plans as planned from pg_prepared_statements where name = 'asked'",
    );
    await session.execute("deallocate asked");
    return kept?.planned;
  });
}

test("the first page of all runs is not planned again with every call", async () => {
  expect(await timesPlanned(pageAt(0))).toBe(PLANNED_ANYWAY);
});

test("a page from further on is planned for where it is", async () => {
  expect(await timesPlanned(pageAt(10))).toBe(CALLS);
});

test("a count of the runs in a few states is not planned again with every call", async () => {
  expect(await timesPlanned(countInStates)).toBe(PLANNED_ANYWAY);
});

test("runs before a page from further on are passed over in the index, and only those of the page are looked up", async () => {
  await using t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  const { sql, values } = await queryOf(t.db, pageAt(3000));
  await t.db.exclusively(async (session) => {
    await session.execute(FILL);
    await session.execute(`prepare asked as ${sql}`);
    const lines = await session.rows<{ readonly "QUERY PLAN": string }>(
      `explain (analyze, timing off, costs off, buffers off) execute asked (${values.map(written).join(", ")})`,
    );
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(
      /Index Only Scan Backward using flow_runs_by_expected_start on flow_runs \(actual rows=3020/u,
    );
    expect(plan).toMatch(/Index Scan using flow_runs_\w+ on flow_runs .*loops=20\)/u);
    await session.execute("deallocate asked");
  });
});
