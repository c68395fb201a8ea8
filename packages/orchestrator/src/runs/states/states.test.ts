import { expect, test } from "vitest";
import {
  addFlow,
  addFlowRun,
  addFlowRunState,
  addTaskRun,
  addTaskRunState,
} from "../../testing/run-fixtures.ts";
import { describeEachApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const at = (second: number): string => `2026-01-01T12:00:0${second}.000000Z`;

describeEachApi("states", (open) => {
  test("of a flow run are read one by one, and all of them from the oldest on", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const [run, other] = [await addFlowRun(api, { flow_id }), await addFlowRun(api, { flow_id })];
    const ended = await addFlowRunState(api, run.id, { type: "COMPLETED", timestamp: at(3) });
    const began = await addFlowRunState(api, run.id, { type: "RUNNING", timestamp: at(2) });
    await addFlowRunState(api, other.id, { timestamp: at(1) });
    expect(await api.get(`/flow_run_states/${began.id}`)).toMatchObject({
      status: 200,
      body: { id: began.id, type: "RUNNING", name: "Running", timestamp: at(2), message: null },
    });
    expect(await api.get(`/flow_run_states/?flow_run_id=${run.id}`)).toMatchObject({
      status: 200,
      body: [{ id: began.id }, { id: ended.id }],
    });
  });

  test("of a task run are read in the same way", async () => {
    await using api = await open();
    const run = await addTaskRun(api);
    const ended = await addTaskRunState(api, run.id, { type: "FAILED", timestamp: at(3) });
    const began = await addTaskRunState(api, run.id, { type: "RUNNING", timestamp: at(2) });
    expect((await api.get(`/task_run_states/${ended.id}`)).body).toMatchObject({ type: "FAILED" });
    expect((await api.get(`/task_run_states/?task_run_id=${run.id}`)).body).toMatchObject([
      { id: began.id },
      { id: ended.id },
    ]);
  });

  test.each(["flow", "task"])("of a %s run that are not there are 404, or none", async (kind) => {
    await using api = await open();
    expect(await api.get(`/${kind}_run_states/${UNKNOWN_ID}`)).toMatchObject({ status: 404 });
    const none = await api.get(`/${kind}_run_states/?${kind}_run_id=${UNKNOWN_ID}`);
    expect(none).toMatchObject({ status: 200, body: [] });
    expect(await api.get(`/${kind}_run_states/`)).toMatchObject({ status: 422 });
  });

  test("that runs have been in are found by what their type or name begins with", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const [run, task] = [await addFlowRun(api, { flow_id }), await addTaskRun(api)];
    const on = (second: number) => ({ timestamp: at(second) });
    await addFlowRunState(api, run.id, { type: "RUNNING", name: "Running", ...on(2) });
    await addFlowRunState(api, run.id, { type: "RUNNING", name: "Retrying", ...on(4) });
    await addTaskRunState(api, task.id, { type: "RUNNING", name: "Running", ...on(5) });
    await addTaskRunState(api, task.id, { type: "COMPLETED", name: "Cached", ...on(1) });
    const observed = async (query: string) => {
      const { body } = await api.get(`/observed-states${query}`);
      return (body as { state_name: string }[]).map(({ state_name }) => state_name);
    };
    expect(await api.get("/observed-states")).toMatchObject({
      status: 200,
      body: [
        { state_type: "RUNNING", state_name: "Running", first_seen: at(2), last_seen: at(5) },
        { state_type: "RUNNING", state_name: "Retrying", first_seen: at(4), last_seen: at(4) },
        { state_type: "COMPLETED", state_name: "Cached", first_seen: at(1), last_seen: at(1) },
      ],
    });
    expect(await observed("?order_by=NAME_ASC")).toEqual(["Cached", "Retrying", "Running"]);
    expect(await observed("?query=r&limit=1")).toEqual(["Running"]);
    expect(await observed("?query=%20cach")).toEqual(["Cached"]);
    expect(await observed("?query=%25")).toEqual([]);
    expect(await api.get("/observed-states?limit=0")).toMatchObject({ status: 422 });
  });
});
