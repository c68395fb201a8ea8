import { expect, test } from "vitest";
import {
  createTestFlowRun,
  createTestTaskRun,
  proposeFlow,
  proposeTask,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const RESULT = { storage_key: "results/1", expiration: null, serializer: { type: "pickle" } };

interface Kept {
  readonly key: string | null;
  readonly type: string | null;
  readonly data: unknown;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

async function artifactsOf(api: TestApi, flowRunId: string): Promise<Kept[]> {
  const filter = { artifacts: { flow_run_id: { any_: [flowRunId] } }, sort: "ID_DESC" };
  const { body } = await api.post("/artifacts/filter", filter);
  return (body as Kept[]).map(({ key, type, data, flow_run_id, task_run_id }) => ({
    key,
    type,
    data,
    flow_run_id,
    task_run_id,
  }));
}

describeEachApi("the result of a run", (open) => {
  test("is an artifact of the flow run, and stays with its state", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const answer = await proposeFlow(api, id, { type: "COMPLETED", data: RESULT });
    expect(answer.state).toMatchObject({ data: RESULT });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state: { data: RESULT } });
    const plain = { key: null, type: null, data: RESULT };
    expect(await artifactsOf(api, id)).toEqual([{ ...plain, flow_run_id: id, task_run_id: null }]);
  });

  test("is one of the task run, forced or not and from its first state on", async () => {
    await using api = await open();
    const flow_run_id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const first = { type: "RUNNING", data: { first: true } };
    const id = await createTestTaskRun(api, { flow_run_id, state: first });
    await proposeTask(api, id, { type: "COMPLETED", data: RESULT }, { force: true });
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({ state: { data: RESULT } });
    const owned = { key: null, type: null, flow_run_id, task_run_id: id };
    expect(await artifactsOf(api, flow_run_id)).toEqual([
      { ...owned, data: RESULT },
      { ...owned, data: { first: true } },
    ]);
  });

  test("of a run inside another is one of both", async () => {
    await using api = await open();
    const parent = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const task = await createTestTaskRun(api, { flow_run_id: parent });
    const id = await createTestFlowRun(api, {
      parent_task_run_id: task,
      state: { type: "RUNNING" },
    });
    await proposeFlow(api, id, { type: "COMPLETED", data: RESULT });
    expect(await artifactsOf(api, id)).toMatchObject([{ data: RESULT, task_run_id: null }]);
    expect(await artifactsOf(api, parent)).toMatchObject([{ data: RESULT, task_run_id: task }]);
  });

  test("may say of what kind the artifact is and under which key it is found", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const about = { artifact_key: "report", artifact_type: "result", artifact_description: "d" };
    const answer = await proposeFlow(api, id, { type: "COMPLETED", data: { ...RESULT, ...about } });
    expect(answer.state).toMatchObject({ data: RESULT });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state: { data: RESULT } });
    expect(await readRecord(api, "/artifacts/report/latest")).toMatchObject({
      key: "report",
      type: "result",
      description: "d",
      data: RESULT,
      flow_run_id: id,
    });
    expect((await api.events()).map(({ event }) => event)).toContain(
      "orchestrator.artifact-collection.created",
    );
  });

  test("that nobody has kept, or that a refused state brings, is no artifact", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    await proposeFlow(api, id, { type: "COMPLETED", data: { type: "unpersisted" } });
    expect(await proposeFlow(api, id, { type: "PAUSED", data: RESULT })).toMatchObject({
      status: "ABORT",
    });
    expect(await artifactsOf(api, id)).toEqual([]);
  });

  test("that nobody has kept is not told of either, be it of a first state", async () => {
    await using api = await open();
    const state = { type: "COMPLETED", data: { type: "unpersisted" } };
    const id = await createTestFlowRun(api, { state });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state: { data: null } });
    const task = { flow_run_id: id, task_key: "t", dynamic_key: "0", state };
    expect((await api.post("/task_runs/", task)).body).toMatchObject({ state: { data: null } });
  });
});
