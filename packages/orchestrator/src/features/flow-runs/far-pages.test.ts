import { listJson, openScope, type Queries, type Query } from "@orchestrator/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";

const RUNS = 1400;
const WORKSPACE = openScope("fixtures").workspaceId;
const NOW = "2026-01-02T00:00:00.000000Z";
const NOBODY = "00000000-0000-4000-8000-00000000ffff";

// Few moments in few hours, so that many runs share one; some have none.
const MOMENTS = ["00:00.000000", "10:59.999999", "30:00.000001", "59:59.999999"] as const;
const HOURS = ["2025-12-31T23", "2026-01-01T00", "2026-01-01T01", "2026-01-01T05"] as const;
const time = fc
  .tuple(fc.constantFrom(...HOURS), fc.constantFrom(...MOMENTS))
  .map(([hour, moment]) => `${hour}:${moment}Z`);

const asked = fc.record({
  sort: fc.constantFrom("EXPECTED_START_TIME_ASC", "EXPECTED_START_TIME_DESC"),
  after_: fc.option(time, { freq: 1 }),
  before_: fc.option(time, { freq: 1 }),
  offset: fc.integer({ min: 0, max: RUNS + 20 }),
  limit: fc.integer({ min: 0, max: 200 }),
});

const quoted = (value: string | null): string => (value === null ? "null" : `'${value}'`);

async function change(api: TestApi, sql: string): Promise<void> {
  await api.ctx.db.exclusively((session) => session.execute(sql));
}

/** Runs whose times follow from their place; with those that changed their time, and without those that are gone. */
async function addRuns(api: TestApi, isTimeless: boolean): Promise<void> {
  const { id: flow_id } = await addFlow(api);
  const timeOf = (n: number): string | null =>
    isTimeless && n % 9 === 0
      ? null
      : `${HOURS[n % 7 > 3 ? 1 : n % 7]}:${MOMENTS[(n * 31) % MOMENTS.length]}Z`;
  const add = (n: number) =>
    addFlowRun(api, { flow_id, name: `run ${n}`, expected_start_time: timeOf(n) });
  for (let n = 0; n < RUNS + 30; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, more) => add(n + more)));
  await change(api, "delete from flow_runs where name like 'run 13%' and name <> 'run 13'");
  for (const [name, moved] of [
    ["run 2%5", timeOf(1)],
    ["run 3%5", "2026-01-01T05:10:59.999999Z"],
    ["run 4_8", isTimeless ? null : "2026-01-01T03:00:00.000000Z"],
  ] as const)
    await change(
      api,
      `update flow_runs set expected_start_time = ${quoted(moved)} where name like '${name}'`,
    );
}

/** A page whose runs change after the first question was answered; what was asked; and the page of afterwards. */
async function readWhile(api: TestApi, sql: string) {
  const page = { sort: "EXPECTED_START_TIME_DESC", offset: 1010, limit: 50, now: NOW };
  const queries = api.ctx.db.in(WORKSPACE);
  const read = async (by: Queries): Promise<{ id: string }[]> =>
    JSON.parse(await listJson(by, FLOW_RUN_LIST, page));
  const asked: string[] = [];
  const found = await read({
    ...queries,
    workspaceId: WORKSPACE,
    dialect: api.ctx.db.dialect,
    select: async <R>(query: Query) => {
      const row = await queries.select<R>(query);
      asked.push(query.sql);
      if (asked.length === 1) await change(api, sql);
      return row;
    },
  });
  return { found, asked, after: await read(queries) };
}

describeEachApi("a page far behind the first", (open) => {
  for (const isTimeless of [false, true]) {
    test(`is what it would be if all runs were counted off, ${isTimeless ? "also those without a time" : "whatever became of them"}`, {
      timeout: 120_000,
    }, async () => {
      await using api = await open();
      await addRuns(api, isTimeless);
      const property = fc.asyncProperty(asked, async ({ after_, before_, ...page }) => {
        const flow_runs = { expected_start_time: { after_, before_ } };
        const far = await api.post("/flow_runs/filter", { flow_runs, ...page });
        // Which runs it is not is more than the milestones can tell.
        const counted = { ...flow_runs, id: { not_any_: [NOBODY] } };
        const plain = await api.post("/flow_runs/filter", { flow_runs: counted, ...page });
        const ids = ({ body }: typeof far) => (body as { id: string }[]).map(({ id }) => id);
        expect(ids(far)).toEqual(ids(plain));
      });
      await fc.assert(property, { numRuns: api.ctx.db.dialect.isRemote ? 10 : 150 });
    });
  }

  test("is that of one moment, although runs go after its hour was looked for", async () => {
    await using api = await open();
    if (api.ctx.db.dialect.isRemote) return;
    await addRuns(api, false);
    const gone = "delete from flow_runs where name like 'run 1_'";
    const { found, asked, after } = await readWhile(api, gone);
    expect(found).toEqual(after);
    expect(asked).toHaveLength(2);
  });

  test("is counted off after all if so many runs come before it that it is no longer in its hour", async () => {
    await using api = await open();
    if (api.ctx.db.dialect.isRemote) return;
    await addRuns(api, false);
    const moved =
      "update flow_runs set expected_start_time = '2026-01-01T05:00:00.000000Z' where expected_start_time < '2026-01-01T01' and name not like '%1'";
    const { found, asked, after } = await readWhile(api, moved);
    expect(found).toEqual(after);
    expect(asked).toHaveLength(3);
  });

  test("is counted off where runs are so sparse that adding up their hours would cost more", async () => {
    await using api = await open();
    if (api.ctx.db.dialect.isRemote) return;
    await addRuns(api, false);
    await change(
      api,
      "update flow_runs set expected_start_time = '2020-01-01T00:00:00.000000Z' where name like 'run 1%'",
    );
    await change(
      api,
      `update flow_runs set expected_start_time = strftime('%Y-%m-%dT%H:00:00.000000Z', '2026-02-01', (rowid % 400) || ' hours')
        where name not like 'run 1%'`,
    );
    const { found, asked, after } = await readWhile(api, "select 1");
    expect(found).toEqual(after);
    expect(asked.filter((query) => query.includes("with milestone"))).toEqual([]);
  });
});
