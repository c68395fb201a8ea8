import { countRows, listJson } from "@orchestrator/kernel/lists";
import { parseMicros } from "@orchestrator/kernel/pure";
import {
  type Database,
  kernelMigrations,
  type Queries,
  type Query,
} from "@orchestrator/kernel/storage";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { readRemoteHistory } from "../history/remote-history.store.ts";
import { FILL, WORKSPACE } from "../testing/two-full-workspaces.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";

/** PostgreSQL plans a statement for its values this often before it may keep a plan. */
const PLANNED_ANYWAY = 5;
const CALLS = 8;
const NOW = "2026-11-14T09:00:07.000000Z";
/** Five hundred runs are expected in each of twelve hours. */
const IN_HOURS = `update flow_runs set expected_start_time = '2026-11-13T' || lpad((substr(name, 5)::integer / 500)::text, 2, '0') || ':00:00.000000Z'`;
const PART = 72 * 60 * 1_000_000;

type Ask = (queries: Queries) => Promise<unknown>;

const pageAt =
  (offset: number, sort = "EXPECTED_START_TIME_DESC"): Ask =>
  (queries) =>
    listJson(queries, FLOW_RUN_LIST, {
      sort,
      limit: 20,
      offset,
      now: NOW,
    });

const countInStates: Ask = (queries) =>
  countRows(queries, FLOW_RUN_LIST, {
    filter: { state: { type: { any_: ["FAILED", "CRASHED"] } } },
  });

const historyIn =
  (count: number, { start = parseMicros(NOW) - count * PART, length = PART } = {}): Ask =>
  (queries) =>
    readRemoteHistory(queries, FLOW_RUN_LIST, {
      selection: {},
      intervals: { start, length, count },
      now: NOW,
    });

/** What the database is asked at first. */
async function queryOf(db: Database, ask: Ask): Promise<Query> {
  let asked: Query | undefined;
  await ask({
    ...db.in(WORKSPACE),
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    select: async (query: Query) => {
      asked ??= query;
      return undefined;
    },
  });
  if (asked === undefined) throw new Error("Nothing was asked");
  return asked;
}

const written = (value: unknown): string => `'${String(value)}'`;

interface PreparedQuestion {
  readonly session: Parameters<Parameters<Database["exclusively"]>[0]>[0];
  /** Asks once. */
  readonly execute: string;
}

let t: Awaited<ReturnType<typeof openTestPostgres>>;

/** Runs are many, and what they come to is added up. */
beforeAll(async () => {
  t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  await t.db.exclusively(async (session) => {
    await session.execute(FILL);
    await session.execute(IN_HOURS);
    await session.execute(
      "select add_up_flow_run_changes(); analyze flow_runs; analyze flow_run_sums; analyze flow_run_coarse_sums",
    );
  });
});

afterAll(() => t[Symbol.asyncDispose]());

async function withAsked<R>(ask: Ask, use: (asked: PreparedQuestion) => Promise<R>): Promise<R> {
  const { sql, values } = await queryOf(t.db, ask);
  return t.db.exclusively(async (session) => {
    await session.execute(`prepare asked as ${sql}`);
    const used = await use({
      session,
      execute: `execute asked (${values.map(written).join(", ")})`,
    });
    await session.execute("deallocate asked");
    return used;
  });
}

/** How often a question was planned anew in so many calls. */
const timesPlanned = (ask: Ask): Promise<number | undefined> =>
  withAsked(ask, async ({ session, execute }) => {
    for (let call = 0; call < CALLS; call += 1) await session.execute(execute);
    const [kept] = await session.rows<{ readonly planned: number }>(
      "select custom_plans as planned from pg_prepared_statements where name = 'asked'",
    );
    return kept?.planned;
  });

/** How it is answered when that was thought of for good. */
const keptPlan = (ask: Ask): Promise<string> =>
  withAsked(ask, async ({ session, execute }) => {
    await session.execute("set local plan_cache_mode = force_generic_plan");
    const lines = await session.rows<{ readonly "QUERY PLAN": string }>(
      `explain (analyze, timing off, costs off, buffers off) ${execute}`,
    );
    return lines.map((line) => line["QUERY PLAN"]).join("\n");
  });

test("the first page of all runs is not planned again with every call", async () => {
  expect(await timesPlanned(pageAt(0))).toBe(PLANNED_ANYWAY);
});

test("a page from further on is planned for where it is", async () => {
  expect(await timesPlanned(pageAt(10))).toBe(CALLS);
});

test("a count of the runs in a few states is not planned again with every call", async () => {
  expect(await timesPlanned(countInStates)).toBe(PLANNED_ANYWAY);
});

test("a history is not planned again with every call", async () => {
  expect(await timesPlanned(historyIn(20))).toBe(PLANNED_ANYWAY);
  expect(await timesPlanned(historyIn(500))).toBe(PLANNED_ANYWAY);
});

test("a history of whole hours of the past looks at nothing but hours", async () => {
  const start = parseMicros("2026-11-13T00:00:00.000000Z");
  const plan = await keptPlan(historyIn(12, { start, length: 60 * 60 * 1_000_000 }));
  // Minutes of which runs are looked at, ten minutes of which minutes are, and hours of which ten
  // minutes are.
  const split = plan.match(/Function Scan on unnest asked.*/gu) ?? [];
  expect(split).toHaveLength(3);
  for (const scan of split) expect(scan).toMatch(/\(actual rows=0/u);
});

test("runs before a page from further on are passed over in the index, and only those of the page are looked up", async () => {
  for (const [sort, index] of [
    ["START_TIME_DESC", "flow_runs_by_start"],
    ["EXPECTED_START_TIME_DESC", "flow_runs_by_expected_start"],
  ] as const) {
    const plan = await keptPlan(pageAt(3000, sort));
    expect(plan).toContain(
      `Index Only Scan Backward using ${index} on flow_runs (actual rows=3020`,
    );
    expect(plan).toMatch(/Index Scan using flow_runs_\w+ on flow_runs .*loops=20\)/u);
  }
});

test("a history goes through no table of runs or of their tallies", async () => {
  expect(await keptPlan(historyIn(20))).not.toMatch(/Seq Scan on flow_runs/u);
});
