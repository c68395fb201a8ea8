import { expect, test } from "vitest";
import { addDeployment, addFlow, addFlowRun, addTaskRun } from "../testing/run-fixtures.ts";
import { describeEachApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const at = (time: string): string => `2026-01-01T${time}.000000Z`;

describeEachApi("figures for the user interface", (open) => {
  test("show flow runs as points, the last expected first", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const early = await addFlowRun(api, {
      flow_id,
      expected_start_time: at("12:00:00"),
      start_time: at("12:00:05"),
      total_run_time: 7,
    });
    const late = await addFlowRun(api, {
      flow_id,
      state_type: "CANCELLED",
      expected_start_time: at("13:00:00"),
      start_time: null,
    });
    const points = [
      { id: late.id, state_type: "CANCELLED", timestamp: at("13:00:00"), duration: 0, lateness: 0 },
      {
        id: early.id,
        state_type: "COMPLETED",
        timestamp: at("12:00:05"),
        duration: 7,
        lateness: 5,
      },
    ];
    expect((await api.post("/ui/flow_runs/history")).body).toEqual(points);
    expect((await api.post("/ui/flow_runs/history", { limit: 1, offset: 1 })).body).toEqual([
      points[1],
    ]);
    const sorted = await api.post("/ui/flow_runs/history", { sort: "START_TIME_ASC" });
    expect(sorted.body).toEqual(points.toReversed());
    const cancelled = { flow_runs: { state: { type: { any_: ["CANCELLED"] } } } };
    expect((await api.post("/ui/flow_runs/history", cancelled)).body).toEqual([points[0]]);
    expect(await api.post("/ui/flow_runs/history", { limit: 1001 })).toMatchObject({ status: 422 });
  });

  test("count the task runs of flow runs, without those that stand for a subflow", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const [one, none] = [await addFlowRun(api, { flow_id }), await addFlowRun(api, { flow_id })];
    await addTaskRun(api, { flow_run_id: one.id });
    await addTaskRun(api, { flow_run_id: one.id });
    const dummy = await addTaskRun(api, { flow_run_id: one.id });
    await addFlowRun(api, { flow_id, parent_task_run_id: dummy.id });
    const flow_run_ids = [one.id, none.id, UNKNOWN_ID];
    expect(await api.post("/ui/flow_runs/count-task-runs", { flow_run_ids })).toMatchObject({
      status: 200,
      body: { [one.id]: 2, [none.id]: 0, [UNKNOWN_ID]: 0 },
    });
    expect((await api.post("/ui/flow_runs/count-task-runs", { flow_run_ids: [] })).body).toEqual(
      {},
    );
    const tooMany = { flow_run_ids: Array(201).fill(UNKNOWN_ID) };
    expect(await api.post("/ui/flow_runs/count-task-runs", tooMany)).toMatchObject({ status: 422 });
    expect(await api.post("/ui/flow_runs/count-task-runs")).toMatchObject({ status: 422 });
  });

  test("count the deployments of flows", async () => {
    await using api = await open();
    const [a, b] = [await addFlow(api, { name: "a" }), await addFlow(api, { name: "b" })];
    await addDeployment(api, { flow_id: a.id, name: "one" });
    await addDeployment(api, { flow_id: a.id, name: "two" });
    const answer = await api.post("/ui/flows/count-deployments", { flow_ids: [a.id, b.id] });
    expect(answer).toMatchObject({ status: 200, body: { [a.id]: 2, [b.id]: 0 } });
  });

  test("name the scheduled run of each flow that is due first", async () => {
    await using api = await open();
    const [a, b] = [await addFlow(api, { name: "a" }), await addFlow(api, { name: "b" })];
    const waiting = async (time: string, more: object = {}) =>
      addFlowRun(api, {
        flow_id: a.id,
        state_type: "SCHEDULED",
        next_scheduled_start_time: at(time),
        ...more,
      });
    await waiting("12:00:00");
    const first = await waiting("11:00:00", { name: "first" });
    await waiting("10:00:00", { state_type: "PENDING" });
    const answer = await api.post("/ui/flows/next-runs", { flow_ids: [a.id, b.id] });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      [a.id]: {
        id: first.id,
        flow_id: a.id,
        name: "first",
        state_name: "Scheduled",
        state_type: "SCHEDULED",
        next_scheduled_start_time: at("11:00:00"),
      },
      [b.id]: null,
    });
  });

  test("count task runs by the type of their state, with all types there", async () => {
    await using api = await open();
    await addTaskRun(api, { tags: ["x"] });
    await addTaskRun(api, { state_type: "RUNNING" });
    await addTaskRun(api, { state_type: "RUNNING" });
    const none = {
      SCHEDULED: 0,
      PENDING: 0,
      RUNNING: 0,
      COMPLETED: 0,
      FAILED: 0,
      CANCELLED: 0,
      CRASHED: 0,
      PAUSED: 0,
      CANCELLING: 0,
    };
    expect((await api.post("/ui/task_runs/count")).body).toEqual({
      ...none,
      RUNNING: 2,
      COMPLETED: 1,
    });
    const tagged = { task_runs: { tags: { all_: ["x"] } } };
    expect((await api.post("/ui/task_runs/count", tagged)).body).toEqual({ ...none, COMPLETED: 1 });
  });

  test("show in twenty intervals how task runs ended", async () => {
    await using api = await open();
    const ended = (state_type: string, time: string) =>
      addTaskRun(api, { state_type, start_time: at(time) } as object);
    await ended("COMPLETED", "12:00:31");
    await ended("COMPLETED", "12:00:59");
    await ended("COMPLETED", "12:00:01");
    await ended("FAILED", "12:05:00");
    await ended("CRASHED", "12:05:30");
    await ended("CANCELLED", "12:05:30");
    await ended("RUNNING", "12:05:30");
    await ended("COMPLETED", "12:19:59");
    const start_time = { after_: at("12:00:30"), before_: at("12:19:59") };
    const answer = await api.post("/ui/task_runs/dashboard/counts", { task_runs: { start_time } });
    expect(answer.status).toBe(200);
    const buckets = answer.body as { completed: number; failed: number }[];
    expect(buckets).toHaveLength(20);
    expect(buckets[0]).toEqual({ completed: 2, failed: 0 });
    expect(buckets[5]).toEqual({ completed: 0, failed: 2 });
    expect(buckets[19]).toEqual({ completed: 1, failed: 0 });
    expect(buckets.filter(({ completed, failed }) => completed + failed > 0)).toHaveLength(3);
    const state = { type: { any_: ["RUNNING"] } };
    const same = await api.post("/ui/task_runs/dashboard/counts", {
      task_runs: { start_time, state },
    });
    expect(same.body).toEqual(buckets);
  });

  test.each([{}, { task_runs: {} }, { task_runs: { start_time: { before_: at("12:00:00") } } }])(
    "need to know from when on: %j",
    async (body) => {
      await using api = await open();
      expect(await api.post("/ui/task_runs/dashboard/counts", body)).toMatchObject({ status: 422 });
    },
  );

  test("read a task run with the name of its flow run", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const run = await addFlowRun(api, { flow_id, name: "calm-otter" });
    const [within, alone] = [await addTaskRun(api, { flow_run_id: run.id }), await addTaskRun(api)];
    expect(await api.get(`/ui/task_runs/${within.id}`)).toMatchObject({
      status: 200,
      body: { id: within.id, flow_run_name: "calm-otter" },
    });
    expect((await api.get(`/ui/task_runs/${alone.id}`)).body).toMatchObject({
      flow_run_name: null,
    });
    expect(await api.get(`/ui/task_runs/${UNKNOWN_ID}`)).toMatchObject({ status: 404 });
  });
});
