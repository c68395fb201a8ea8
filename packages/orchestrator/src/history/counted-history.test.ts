import type { HistoryInterval } from "@orchestrator/contract";
import { counterFor } from "@orchestrator/kernel/lists";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import { rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FLOW_RUN_LIST } from "../lists/flow-runs.filter.ts";
import { addFlow, addFlowRun } from "../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../testing.ts";
import { sumCounters } from "./counted-history.store.ts";
import type { StateFigures } from "./history.rules.ts";
import { type HistorySelection, sumByInterval } from "./history.store.ts";
import { readRemoteHistory } from "./remote-history.store.ts";
import { addUpRunChanges } from "./run-tallies.store.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const START = parseMicros("2026-01-01T11:00:00.000000Z");
const LAST = START + 5 * 60 * MINUTE;

/**
 * Intervals that begin with an hour, ten minutes, a minute, or anywhere, and go on like that or
 * not.
 */
const asked = fc
  .record({
    start: fc.constantFrom(0, 10 * MINUTE, 3 * MINUTE, 2 * MINUTE + 7 * SECOND + 1),
    length: fc.constantFrom(120 * MINUTE, 60 * MINUTE, 17 * MINUTE, 20 * MINUTE, 137 * SECOND),
    count: fc.integer({ min: 1, max: 9 }),
    now: fc.constantFrom(-30, 0, 81, 120.5, 400),
  })
  .map(({ now, start, ...intervals }) => ({
    intervals: { start: START + start, ...intervals },
    now: formatMicros(START + now * MINUTE),
  }));
type HistoryQuestion = typeof asked extends fc.Arbitrary<infer A> ? A : never;

// In whole milliseconds: what runs come to is summed up with no more than that.
const time = fc
  .integer({ min: START / 1000 - 600_000, max: LAST / 1000 + 600_000 })
  .map((ms) => formatMicros(ms * 1000));
const run = fc.record({
  state_type: fc.constantFrom("SCHEDULED", "PENDING", "RUNNING", "COMPLETED", "FAILED", null),
  state_name: fc.constantFrom("Scheduled", "Late", "Running", "Completed"),
  state_timestamp: time,
  expected_start_time: fc.option(time, { freq: 10 }),
  start_time: fc.option(time),
  end_time: fc.option(time),
  total_run_time: fc.integer({ min: 0, max: 5_000_000 }).map((n) => n / 1000),
});
type Run = typeof run extends fc.Arbitrary<infer R> ? R : never;

/** What becomes of the runs: the n-th of them changes, or goes. */
const changes = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.option(run, { freq: 4 })), {
  maxLength: 12,
});

const text = (value: string | number | null) =>
  typeof value === "string" ? `'${value}'` : String(value);

function changeOf(ids: string[], [n, change]: [number, Run | null]): string {
  const id = ids[n % ids.length];
  const set = Object.entries(change ?? {}).map(([column, value]) => `${column} = ${text(value)}`);
  return change === null
    ? `delete from flow_runs where id = '${id}'`
    : `update flow_runs set ${set.join(", ")} where id = '${id}'`;
}

const execute = (api: TestApi, sql: string) =>
  api.ctx.db.exclusively((session) => session.execute(sql));

const rounded = (figures: readonly StateFigures[]) =>
  figures.map((figure) => ({
    ...figure,
    sum_estimated_run_time: figure.sum_estimated_run_time.toFixed(3),
    sum_estimated_lateness: figure.sum_estimated_lateness.toFixed(3),
  }));

/** From whichever tallies the engine keeps. */
async function talliedFigures(
  queries: Queries,
  request: HistorySelection,
): Promise<StateFigures[]> {
  const tally = counterFor(FLOW_RUN_LIST, request.selection);
  if (tally === null) throw new Error("States are tallied");
  if (!queries.dialect.isRemote)
    return sumCounters(queries, { list: FLOW_RUN_LIST, tally }, request);
  const history = await readRemoteHistory(queries, FLOW_RUN_LIST, request);
  const intervals = JSON.parse(history) as HistoryInterval[];
  return intervals.flatMap(({ states }, interval) =>
    states.map((state) => ({ interval, ...state })),
  );
}

async function bothHistories(queries: Queries, filter: object, asked: HistoryQuestion) {
  const request = { selection: { filter: { ...filter } }, ...asked };
  const looked = await sumByInterval(queries, FLOW_RUN_LIST, request);
  return { looked, tallied: await talliedFigures(queries, request) };
}

describeEachApi("what is tallied of the runs", (open) => {
  test("is what the runs themselves come to, whatever became of them", {
    timeout: 120_000,
  }, async () => {
    await using api = await open();
    const { isRemote } = api.ctx.db.dialect;
    const queries = api.ctx.db.in(openScope("fixtures").workspaceId);
    const property = fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 12 }),
      changes,
      fc.record({ isOneCommit: fc.boolean(), isAddedUp: fc.boolean() }),
      fc.array(asked, { minLength: 3, maxLength: 3 }),
      async (runs, changed, { isOneCommit, isAddedUp }, histories) => {
        await execute(api, "delete from flow_runs");
        const { id: flow_id } = await addFlow(api, { name: api.ctx.ids.uuid4() });
        const ids: string[] = [];
        for (const given of runs) ids.push((await addFlowRun(api, { flow_id, ...given })).id);
        const statements = changed.map((change) => changeOf(ids, change));
        if (isOneCommit && statements.length > 0) await execute(api, statements.join(";"));
        else for (const sql of statements) await execute(api, sql);
        if (isRemote && isAddedUp) await addUpRunChanges(api.ctx.db);
        for (const filter of [{}, { state: { type: { any_: ["RUNNING", "SCHEDULED"] } } }]) {
          for (const history of histories) {
            const { looked, tallied } = await bothHistories(queries, filter, history);
            expect(rounded(tallied)).toEqual(rounded(looked));
          }
          const counted = async (more: object) =>
            (await api.post("/flow_runs/count", { flow_runs: filter, ...more })).body;
          expect(await counted({})).toBe(await counted({ flows: { name: { like_: "-" } } }));
        }
      },
    );
    await fc.assert(property, { numRuns: isRemote ? rounds(5, 20) : rounds(15, 60) });
  });

  const HOUR = {
    history_start: "1970-01-01T00:00:00Z",
    history_end: "1970-01-01T01:00:00Z",
    history_interval_seconds: 3600,
  };
  const first = async (api: TestApi) => {
    const { body } = await api.post("/flow_runs/history", HOUR);
    return (body as { states: { count_runs: number; sum_estimated_lateness: number }[] }[])[0];
  };
  const expected_start_time = "1970-01-01T00:01:00.000000Z";

  test("has every run once while it begins or ends to run", async () => {
    await using api = await open();
    const { db } = api.ctx;
    const { id: flow_id } = await addFlow(api);
    for (let n = 0; n < 5; n += 1) await addFlowRun(api, { flow_id, expected_start_time });
    let isOver = false;
    const changing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const state = n % 2 === 0 ? "RUNNING" : "COMPLETED";
        await execute(api, `update flow_runs set state_type = '${state}', state_name = '${state}'`);
        if (db.dialect.isRemote && n % 10 === 0) await addUpRunChanges(db);
      }
    })();
    for (let n = 0; n < 100; n += 1) {
      const states = (await first(api))?.states ?? [];
      expect(states.reduce((sum, { count_runs }) => sum + count_runs, 0)).toBe(5);
    }
    isOver = true;
    await changing;
  });

  test("tells how late very many runs are that have waited for decades", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    await addFlowRun(api, { flow_id, expected_start_time, start_time: null });
    // So many microseconds together are more than a whole number of 64 bits.
    const columns = "workspace_id, expected_start_time, state_type, state_name, total_run_time";
    const tenfold = Array.from({ length: 10 }, (_, n) => `select ${n} as n`).join(" union all ");
    const id = api.ctx.db.dialect.isRemote ? "gen_random_uuid()" : "lower(hex(randomblob(16)))";
    await execute(
      api,
      `insert into flow_runs (id, created, updated, name, flow_id, run_count, auto_scheduled, parameters, context, empirical_policy, tags, labels, ${columns})
        select ${id}, created, updated, name, flow_id, run_count, auto_scheduled, parameters, context, empirical_policy, tags, labels, ${columns}
        from flow_runs, (${tenfold}) a, (${tenfold}) b, (${tenfold}) c, (${tenfold}) d where c.n < 7`,
    );
    const [state] = (await first(api))?.states ?? [];
    expect(state?.count_runs).toBe(7001);
    expect((state?.sum_estimated_lateness ?? 0) / 7001).toBeGreaterThan(1_000_000_000);
  });

  test("is left alone where more is asked than it can tell", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    await addFlowRun(api, { flow_id, name: "one", tags: ["a"], state_type: "FAILED" });
    await addFlowRun(api, { flow_id, name: "two", state_type: null, state_name: null });
    const count = async (body: object) => (await api.post("/flow_runs/count", body)).body;
    expect(await count({})).toBe(2);
    expect(await count({ flow_runs: { name: { any_: ["one"] } } })).toBe(1);
    expect(await count({ flow_runs: { tags: { any_: ["b"] } } })).toBe(0);
    expect(await count({ flow_runs: { state: { type: { any_: ["FAILED"] } } } })).toBe(1);
    expect(await count({ flow_runs: { state: { type: { not_any_: ["FAILED"] } } } })).toBe(0);
    expect(await count({ flows: { name: { any_: ["another"] } } })).toBe(0);
  });
});
