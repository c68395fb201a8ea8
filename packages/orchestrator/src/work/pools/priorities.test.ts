import { expect, test } from "vitest";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const POLL = "/work_pools/main/get_scheduled_flow_runs";

async function deploy(api: TestApi): Promise<string> {
  await api.post("/work_pools/", { name: "main", type: "process" });
  return createTestDeployment(api, { work_pool_name: "main" });
}

async function polled(api: TestApi, body: object = {}): Promise<string[]> {
  const answer = await api.post(POLL, body);
  expect(answer.status).toBe(200);
  return (answer.body as { flow_run: { name: string } }[]).map(({ flow_run }) => flow_run.name);
}

describeEachApi("the priority of a run", (open) => {
  test("is 0 unless it is given, and has bounds", async () => {
    await using api = await open();
    const deployment = await deploy(api);
    const [plain] = await createRunsOf(api, deployment);
    const [urgent] = await createRunsOf(api, deployment, { priority: 7 });
    expect(await readRecord(api, `/flow_runs/${plain}`)).toMatchObject({ priority: 0 });
    expect(await readRecord(api, `/flow_runs/${urgent}`)).toMatchObject({ priority: 7 });
    const { flow_id } = await readRecord(api, `/flow_runs/${plain}`);
    const own = await api.post("/flow_runs/", { flow_id, priority: -1000 });
    expect(own).toMatchObject({ status: 201, body: { priority: -1000 } });
    for (const priority of [1001, -1001, 0.5])
      expect(await api.post("/flow_runs/", { flow_id, priority })).toMatchObject({ status: 422 });
  });

  test("goes before time and behind the priority of the queue", async () => {
    await using api = await open();
    const deployment = await deploy(api);
    await api.post("/work_pools/main/queues", { name: "low" });
    const add = (name: string, given: object) => createRunsOf(api, deployment, { name, ...given });
    await add("first", {});
    await add("last", { priority: -5 });
    await add("second", {});
    await add("urgent", { priority: 3 });
    await add("most urgent", { priority: 9 });
    await add("as urgent", { priority: 3 });
    await add("low but urgent", { priority: 1000, work_queue_name: "low" });
    const inOrder = [
      "most urgent",
      "urgent",
      "as urgent",
      "first",
      "second",
      "last",
      "low but urgent",
    ];
    expect(await polled(api)).toEqual(inOrder);
    for (const limit of [1, 2, 3, 4, 6])
      expect(await polled(api, { limit })).toEqual(inOrder.slice(0, limit));
    const { id } = await readRecord(api, "/work_pools/main/queues/default");
    const older = await api.post(`/work_queues/${String(id)}/get_runs`, {});
    expect((older.body as { name: string }[]).map(({ name }) => name)).toEqual(inOrder.slice(0, 6));
  });

  test("can be changed while the run waits, and not afterwards", async () => {
    await using api = await open();
    const deployment = await deploy(api);
    await createRunsOf(api, deployment, { name: "one" });
    const [two] = await createRunsOf(api, deployment, { name: "two" });
    expect(await polled(api)).toEqual(["one", "two"]);
    expect(await api.patch(`/flow_runs/${two}`, { priority: 1 })).toMatchObject({ status: 204 });
    expect(await polled(api)).toEqual(["two", "one"]);
    await api.patch(`/flow_runs/${two}`, { priority: -1 });
    expect(await polled(api)).toEqual(["one", "two"]);
    await proposeFlow(api, two, "PENDING");
    expect(await api.patch(`/flow_runs/${two}`, { priority: 4 })).toMatchObject({ status: 400 });
    expect(await api.patch(`/flow_runs/${two}`, { priority: -1, name: "x" })).toMatchObject({
      status: 204,
    });
  });

  test("makes no run due before its time", async () => {
    await using api = await open();
    const deployment = await deploy(api);
    const later = { type: "SCHEDULED", state_details: { scheduled_time: "2999-01-01T00:00:00Z" } };
    await createRunsOf(api, deployment, { name: "later", priority: 5, state: later });
    await createRunsOf(api, deployment, { name: "now" });
    expect(await polled(api, { scheduled_before: new Date().toISOString() })).toEqual(["now"]);
    expect(await polled(api)).toEqual(["later", "now"]);
  });
});
