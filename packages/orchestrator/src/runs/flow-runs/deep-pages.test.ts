import { expect, test } from "vitest";
import { fillTable } from "../../testing/many-rows.ts";
import { addFlow } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const RUNS = 1500;
const OFFSETS = [990, 1000, 1490, 5000];
const LIMIT = 25;

interface Run {
  readonly name: string;
  readonly time: string | null;
}

/** Many runs share each time, and some have none. In the order of their ids. */
const RUNS_BY_ID: readonly Run[] = Array.from({ length: RUNS }, (_, index) => {
  const n = index + 1;
  const time = n % 9 === 0 ? null : `2026-01-01T0${n % 4}:30:00.000000Z`;
  return { name: `run ${n}`, time };
});
const TIME = `case when n % 9 <> 0 then '2026-01-01T0' || cast(n % 4 as text) || ':30:00.000000Z' end`;

const RANGES = [
  {},
  { after_: "2026-01-01T01:30:00.000000Z" },
  { before_: "2026-01-01T02:45:00.000000Z" },
] as const;

/** A run without a time follows all others, in descending order it precedes them. */
const byTime = [...RUNS_BY_ID.entries()]
  .sort(([a, one], [b, other]) => {
    const [left, right] = [one.time ?? "~", other.time ?? "~"];
    return left === right ? a - b : left < right ? -1 : 1;
  })
  .map(([, run]) => run);

const ORDERS = {
  ID_DESC: [...RUNS_BY_ID].reverse(),
  EXPECTED_START_TIME_ASC: byTime,
  EXPECTED_START_TIME_DESC: [...byTime].reverse(),
} as const;

const isWithin = (
  { time }: Run,
  { after_ = "", before_ }: { after_?: string; before_?: string },
): boolean =>
  after_ === "" && before_ === undefined
    ? true
    : time !== null && time >= after_ && time <= (before_ ?? "~");

async function addRuns(api: TestApi): Promise<void> {
  const { id: flow } = await addFlow(api);
  await fillTable(
    api,
    RUNS,
    ({ id, numbers, yes }) => `
      insert into flow_runs (id, workspace_id, created, updated, name, flow_id, parameters, context,
        empirical_policy, tags, labels, run_count, expected_start_time, total_run_time, auto_scheduled)
      select ${id(3, "n")}, workspace_id, created, updated, 'run ' || cast(n as text), id, '{}', '{}',
        '{}', '[]', '{}', 0, ${TIME}, 0, ${yes}
      from ${numbers} cross join flows where flows.id = '${flow}'`,
  );
}

describeEachApi("a deep page of runs", (open) => {
  test("holds the runs at its offset, in every order and range of times", async () => {
    await using api = await open({ manyRows: 1 });
    await addRuns(api);
    for (const [sort, runs] of Object.entries(ORDERS))
      for (const range of RANGES) {
        const names = runs.filter((run) => isWithin(run, range)).map(({ name }) => name);
        for (const offset of OFFSETS) {
          const flow_runs = { expected_start_time: range };
          const page = { sort, offset, limit: LIMIT, flow_runs };
          const { body } = await api.post("/flow_runs/filter", page);
          const found = (body as Run[]).map(({ name }) => name);
          expect([page, found]).toEqual([page, names.slice(offset, offset + LIMIT)]);
        }
      }
  });
});
