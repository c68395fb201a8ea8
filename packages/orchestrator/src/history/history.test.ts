import { expect, test } from "vitest";
import { addFlow, addFlowRun, addTaskRun } from "../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

const at = (time: string): string => `2026-01-01T${time}${time.includes(".") ? "" : ".000000"}Z`;
const HOUR = {
  history_start: at("12:00:00"),
  history_end: at("13:00:00"),
  history_interval_seconds: 1800,
};

interface Interval {
  readonly interval_start: string;
  readonly interval_end: string;
  readonly states: readonly Readonly<Record<string, unknown>>[];
}

async function history(api: TestApi, path: string, body: object = {}): Promise<Interval[]> {
  const answer = await api.post(path, { ...HOUR, ...body });
  expect(answer.status).toBe(200);
  return answer.body as Interval[];
}

/** How many runs each interval holds by the name of their state. */
const counts = (intervals: readonly Interval[]) =>
  intervals.map(({ states }) =>
    Object.fromEntries(states.map(({ state_name, count_runs }) => [state_name, count_runs])),
  );

describeEachApi("the history of flow runs", (open) => {
  test("counts runs by when they were expected and what state they are in", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const expected = async (time: string, more: object = {}) =>
      addFlowRun(api, {
        flow_id,
        expected_start_time: at(time),
        start_time: at(time),
        total_run_time: 2.5,
        ...more,
      });
    await expected("11:59:59.999999");
    await expected("12:00:00");
    await expected("12:29:59.999999");
    await expected("12:29:00", { state_type: "FAILED", start_time: at("12:29:30") });
    await expected("12:30:00");
    await expected("12:40:00", { state_name: "Cached" });
    await expected("13:00:00");
    const intervals = await history(api, "/flow_runs/history");
    expect(counts(intervals)).toEqual([
      { Completed: 2, Failed: 1 },
      { Cached: 1, Completed: 1 },
    ]);
    expect(intervals[0]).toEqual({
      interval_start: at("12:00:00"),
      interval_end: at("12:30:00"),
      states: [
        {
          state_type: "COMPLETED",
          state_name: "Completed",
          count_runs: 2,
          sum_estimated_run_time: 5,
          sum_estimated_lateness: 0,
        },
        {
          state_type: "FAILED",
          state_name: "Failed",
          count_runs: 1,
          sum_estimated_run_time: 2.5,
          sum_estimated_lateness: 30,
        },
      ],
    });
  });

  test("has an interval for every step, whether or not it holds a run", async () => {
    await using api = await open();
    const steps = { history_interval_seconds: 1200 };
    expect(counts(await history(api, "/flow_runs/history", steps))).toEqual([{}, {}, {}]);
    expect(await history(api, "/flow_runs/history", { history_end: at("11:00:00") })).toEqual([]);
    const many = await history(api, "/flow_runs/history", { history_interval_seconds: 1 });
    expect(many).toHaveLength(500);
  });

  test("has exact intervals, before 1970 and in far years too, and none beyond the last moment there is", async () => {
    await using api = await open();
    const bounds = async (history_start: string, history_end: string, seconds: number) => {
      const range = { history_start, history_end, history_interval_seconds: seconds };
      const intervals = await history(api, "/flow_runs/history", range);
      return intervals.map(({ interval_start, interval_end }) => [interval_start, interval_end]);
    };
    expect(await bounds("1969-12-31T23:00:00.1Z", "1970-01-01T01:00:00Z", 4321.123457)).toEqual([
      ["1969-12-31T23:00:00.100000Z", "1970-01-01T00:12:01.223457Z"],
      ["1970-01-01T00:12:01.223457Z", "1970-01-01T01:24:02.346914Z"],
    ]);
    expect(await bounds("5000-01-01T00:00:00.001Z", "5000-01-01T01:00:00Z", 3600)).toEqual([
      ["5000-01-01T00:00:00.001000Z", "5000-01-01T01:00:00.001000Z"],
    ]);
    expect(await bounds("9999-12-31T23:00:00Z", "9999-12-31T23:59:00Z", 3600)).toEqual([
      ["9999-12-31T23:00:00.000000Z", "9999-12-31T23:59:59.000000Z"],
    ]);
  });

  test("keeps to the runs that the filters leave", async () => {
    await using api = await open();
    const [a, b] = [await addFlow(api, { name: "a" }), await addFlow(api, { name: "b" })];
    const expected_start_time = at("12:10:00");
    await addFlowRun(api, { flow_id: a.id, expected_start_time, tags: ["x"] });
    await addFlowRun(api, { flow_id: b.id, expected_start_time });
    const found = async (filter: object) =>
      counts(await history(api, "/flow_runs/history", filter))[0];
    expect(await found({})).toEqual({ Completed: 2 });
    expect(await found({ flows: { name: { any_: ["a"] } } })).toEqual({ Completed: 1 });
    expect(await found({ flow_runs: { tags: { all_: ["x"] } } })).toEqual({ Completed: 1 });
    expect(await found({ work_queues: { name: { any_: ["none"] } } })).toEqual({});
  });

  test("refuses intervals of less than a second and missing times", async () => {
    await using api = await open();
    for (const body of [
      { ...HOUR, history_interval_seconds: 0.5 },
      { ...HOUR, history_start: null },
      {},
    ]) {
      expect(await api.post("/flow_runs/history", body)).toMatchObject({ status: 422 });
    }
  });
});

describeEachApi("the history of task runs", (open) => {
  test("counts task runs in the same way", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api, { name: "etl" });
    const run = await addFlowRun(api, { flow_id });
    await addTaskRun(api, { flow_run_id: run.id, expected_start_time: at("12:10:00") });
    await addTaskRun(api, { expected_start_time: at("12:40:00"), state_type: "CRASHED" });
    expect(counts(await history(api, "/task_runs/history"))).toEqual([
      { Completed: 1 },
      { Crashed: 1 },
    ]);
    const ofFlow = await history(api, "/task_runs/history", { flows: { name: { any_: ["etl"] } } });
    expect(counts(ofFlow)).toEqual([{ Completed: 1 }, {}]);
  });
});

describeEachApi("lateness", (open) => {
  test("is the mean over the runs that match, or null when there are none", async () => {
    await using api = await open();
    expect(await api.post("/flow_runs/lateness")).toMatchObject({ status: 200, body: null });
    const { id: flow_id } = await addFlow(api);
    const expected_start_time = at("12:00:00");
    await addFlowRun(api, { flow_id, expected_start_time, start_time: at("12:00:30") });
    await addFlowRun(api, {
      flow_id,
      expected_start_time,
      start_time: at("11:59:00"),
      name: "early",
    });
    expect((await api.post("/flow_runs/lateness")).body).toBe(15);
    const body = { flow_runs: { name: { any_: ["early"] } } };
    expect((await api.post("/flow_runs/lateness", body)).body).toBe(0);
  });
});
