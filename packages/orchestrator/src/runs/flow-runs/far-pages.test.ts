import {
  formatMicros,
  listJson,
  openScope,
  parseMicros,
  type Queries,
  type Query,
} from "@orchestrator/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addUpRunChanges } from "../../history/run-tallies.store.ts";
import { FLOW_RUN_LIST } from "../../lists/flow-runs.filter.ts";
import { addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

// More than a page is far behind are expected in one hour.
const RUNS = 2000;
const WORKSPACE = openScope("fixtures").workspaceId;
const NOW = "2026-01-02T00:00:00.000000Z";
const FIRST = parseMicros("2026-02-01T00:00:00.000000Z");
const HOUR = 3_600_000_000;
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

type Asked = typeof asked extends fc.Arbitrary<infer Page> ? Page : never;

/** Far behind the first: still in the hour in the middle of which the list begins, and in the one of which nothing is added up yet. */
const EXAMPLES: Asked[] = [
  {
    sort: "EXPECTED_START_TIME_DESC",
    after_: null,
    before_: "2026-01-01T00:30:00.000001Z",
    offset: 1010,
    limit: 50,
  },
  {
    sort: "EXPECTED_START_TIME_ASC",
    after_: "2026-01-01T00:10:59.999999Z",
    before_: null,
    offset: 1010,
    limit: 50,
  },
  { sort: "EXPECTED_START_TIME_ASC", after_: null, before_: null, offset: 1840, limit: 50 },
];

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
      : `${HOURS[n % 24 > 3 ? 1 : n % 24]}:${MOMENTS[(n * 31) % MOMENTS.length]}Z`;
  const add = (n: number) =>
    addFlowRun(api, { flow_id, name: `run ${n}`, expected_start_time: timeOf(n) });
  for (let n = 0; n < RUNS + 30; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, more) => add(n + more)));
  // What became of some is added up, the rest only noted.
  if (api.ctx.db.dialect.isRemote) await addUpRunChanges(api.ctx.db);
  await change(api, "delete from flow_runs where name like 'run 13%' and name <> 'run 13'");
  for (const [name, moved] of [
    ["run 2%5", timeOf(1)],
    ["run 3%5", "2026-01-01T05:10:59.999999Z"],
    ["run 4%", isTimeless ? null : "2026-01-01T03:00:00.000000Z"],
  ] as const)
    await change(
      api,
      `update flow_runs set expected_start_time = ${quoted(moved)} where name like '${name}'`,
    );
}

/** A page, and what was asked for it. */
async function readAsked(api: TestApi) {
  const page = { sort: "EXPECTED_START_TIME_DESC", offset: 1010, limit: 50, now: NOW };
  const queries = api.ctx.db.in(WORKSPACE);
  const asked: string[] = [];
  const select = <R>(query: Query) => {
    asked.push(query.sql);
    return queries.select<R>(query);
  };
  const noted: Queries = {
    ...queries,
    workspaceId: WORKSPACE,
    dialect: api.ctx.db.dialect,
    select,
  };
  const found: { id: string }[] = JSON.parse(await listJson(noted, FLOW_RUN_LIST, page));
  return { found, asked };
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
      await fc.assert(property, {
        numRuns: api.ctx.db.dialect.isRemote ? 25 : 150,
        examples: EXAMPLES.map((page) => [page]),
      });
    });
  }

  test("is found by its hour in one statement", async () => {
    await using api = await open();
    await addRuns(api, false);
    const { found, asked } = await readAsked(api);
    expect(found).toHaveLength(50);
    expect(asked).toEqual([expect.stringContaining("milestone as")]);
  });

  test("is counted off where runs are so sparse that adding up their hours would cost more", async () => {
    await using api = await open();
    await addRuns(api, false);
    await change(
      api,
      "update flow_runs set expected_start_time = '2020-01-01T00:00:00.000000Z' where name like 'run 1%'",
    );
    const runs = await api.ctx.db.exclusively((session) =>
      session.rows<{ id: string }>("select id from flow_runs where name not like 'run 1%'"),
    );
    await change(
      api,
      runs
        .map(
          ({ id }, n) =>
            `update flow_runs set expected_start_time = '${formatMicros(FIRST + (n % 400) * HOUR)}' where id = '${id}'`,
        )
        .join(";"),
    );
    const { found, asked } = await readAsked(api);
    expect(found).toHaveLength(50);
    expect(asked.map((query) => query.includes("milestone as"))).toEqual([true, false]);
  });
});
