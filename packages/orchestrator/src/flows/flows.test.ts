import { FlowFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { FLOW_LIST } from "../lists/flows.filter.ts";
import {
  addDeployment,
  addFlow,
  addFlowRun,
  addFlowRunState,
  addLimit,
  addSchedule,
  addTakenSlot,
  addTaskRun,
  addWorkPool,
  addWorkQueue,
} from "../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface FlowBody {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly updated: string;
}

async function create(api: TestApi, name: string, tags: readonly string[] = []): Promise<FlowBody> {
  const { status, body } = await api.post("/flows/", { name, tags });
  expect(status).toBe(201);
  return body as FlowBody;
}

async function names(api: TestApi, body: unknown): Promise<string[]> {
  const answer = await api.post("/flows/filter", body);
  expect(answer.status).toBe(200);
  return (answer.body as FlowBody[]).map(({ name }) => name);
}

const told = async (api: TestApi): Promise<string[]> =>
  (await api.events()).map(({ event }) => event);

describeEachApi("flows", (open) => {
  test("are created with 201, and found by id and by name as they were answered", async () => {
    await using api = await open();
    const answer = await api.post("/flows/", {
      name: "etl",
      tags: ["a"],
      labels: { team: "x", n: 1 },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: "etl", tags: ["a"], labels: { team: "x", n: 1 } });
    const { id } = answer.body as FlowBody;
    expect(await api.get(`/flows/${id}`)).toMatchObject({ status: 200, body: answer.body });
    expect(await api.get("/flows/name/etl")).toMatchObject({ status: 200, body: answer.body });
    expect((await api.events())[0]).toMatchObject({
      event: "orchestrator.flow.created",
      resource: { "orchestrator.resource.id": `orchestrator.flow.${id}` },
      payload: { name: "etl", tags: ["a"], labels: { team: "x", n: 1 } },
    });
  });

  test("of a name that is taken are answered with 200 as they are, and nothing is told", async () => {
    await using api = await open();
    const first = await create(api, "etl", ["a"]);
    const again = await api.post("/flows/", { name: "etl", tags: ["b"] });
    expect(again).toMatchObject({ status: 200, body: first });
    expect(await told(api)).toEqual(["orchestrator.flow.created"]);
  });

  test("created by many at the same time are one", async () => {
    await using api = await open();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post("/flows/", { name: "etl" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => (body as FlowBody).id)).size).toBe(1);
    expect(await told(api)).toEqual(["orchestrator.flow.created"]);
  });

  test.each([
    {},
    { name: "" },
    { name: "a/b" },
    { name: "x", colour: 1 },
    { name: "x", tags: [1] },
  ])("are refused as %j", async (body) => {
    await using api = await open();
    expect(await api.post("/flows/", body)).toMatchObject({ status: 422 });
  });

  test("change their tags and nothing else", async () => {
    await using api = await open();
    const { id } = await create(api, "etl", ["a"]);
    expect(await api.patch(`/flows/${id}`, { tags: ["b"] })).toMatchObject({ status: 204 });
    expect(await api.get(`/flows/${id}`)).toMatchObject({ body: { name: "etl", tags: ["b"] } });
    expect(await api.patch(`/flows/${id}`, { tags: ["b"] })).toMatchObject({ status: 204 });
    expect(await api.patch(`/flows/${id}`, {})).toMatchObject({ status: 204 });
    expect(await told(api)).toEqual(["orchestrator.flow.created", "orchestrator.flow.updated"]);
    expect(await api.patch(`/flows/${id}`, { name: "other" })).toMatchObject({ status: 422 });
  });

  test("are deleted with everything below them", async () => {
    await using api = await open();
    const flow = await addFlow(api, { name: "etl" });
    const other = await addFlow(api, { name: "other" });
    const deployment = await addDeployment(api, { flow_id: flow.id });
    await addSchedule(api, { deployment_id: deployment.id });
    const run = await addFlowRun(api, { flow_id: flow.id });
    const kept = await addFlowRun(api, { flow_id: other.id });
    await addFlowRunState(api, run.id);
    await addTaskRun(api, { flow_run_id: run.id });
    await addTaskRun(api, { flow_run_id: kept.id });
    expect(await api.delete(`/flows/${flow.id}`)).toMatchObject({ status: 204 });
    expect(await api.get(`/flows/${flow.id}`)).toMatchObject({ status: 404 });
    expect(await names(api, { flow_runs: { id: { not_any_: [UNKNOWN_ID] } } })).toEqual(["other"]);
    expect(await api.delete(`/flows/${flow.id}`)).toMatchObject({ status: 404 });
    expect(await told(api)).toEqual(["orchestrator.flow.deleted"]);
  });

  test("give back the slots of their runs when they are deleted, and take the limits of their deployments along", async () => {
    await using api = await open();
    const flow = await addFlow(api);
    const shared = await addLimit(api, { name: "shared" });
    const deployment = await addDeployment(api, { flow_id: flow.id });
    const own = await addLimit(api, { name: `deployment:${deployment.id}` });
    const run = await addFlowRun(api, { flow_id: flow.id, state_type: "RUNNING" });
    await addTakenSlot(api, { limit_id: shared.id, holder_id: run.id });
    await addTakenSlot(api, { limit_id: own.id, holder_id: run.id });
    await api.delete(`/flows/${flow.id}`);
    const limits = await api.post("/v2/concurrency_limits/filter");
    expect(limits).toMatchObject({ status: 200, body: [{ name: "shared", active_slots: 0 }] });
  });

  test("that are not there are 404", async () => {
    await using api = await open();
    const answers = [
      await api.get(`/flows/${UNKNOWN_ID}`),
      await api.get("/flows/name/none"),
      await api.patch(`/flows/${UNKNOWN_ID}`, { tags: [] }),
      await api.delete(`/flows/${UNKNOWN_ID}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("are deleted in bulk as far as they match, at most as many as asked", async () => {
    await using api = await open();
    const [a, b, c] = [
      await create(api, "a", ["x"]),
      await create(api, "b", ["x"]),
      await create(api, "c"),
    ];
    const some = await api.post("/flows/bulk_delete", {
      flows: { tags: { all_: ["x"] } },
      limit: 1,
    });
    expect(some).toMatchObject({ status: 200, body: { deleted: [a.id] } });
    const rest = await api.post("/flows/bulk_delete", {
      flows: { id: { any_: [b.id, UNKNOWN_ID] } },
    });
    expect(rest.body).toEqual({ deleted: [b.id] });
    expect(await names(api, {})).toEqual(["c"]);
    expect(await api.post("/flows/bulk_delete", { limit: 51 })).toMatchObject({ status: 422 });
    expect((await api.post("/flows/bulk_delete")).body).toEqual({ deleted: [c.id] });
    expect((await told(api)).filter((event) => event.endsWith("deleted"))).toHaveLength(3);
  });

  test("come in pages with their count", async () => {
    await using api = await open();
    for (const name of ["a", "b", "c"]) await create(api, name);
    expect(await api.post("/flows/paginate", { limit: 2, page: 2 })).toMatchObject({
      body: { results: [{ name: "c" }], count: 3, limit: 2, pages: 2, page: 2 },
    });
    expect(await api.post("/flows/count", { flows: { name: { like_: "B" } } })).toMatchObject({
      body: 1,
    });
    expect(await names(api, { sort: "NAME_DESC" })).toEqual(["c", "b", "a"]);
  });

  test("are found by what belongs to them", async () => {
    await using api = await open();
    const [busy, idle] = [
      await addFlow(api, { name: "busy" }),
      await addFlow(api, { name: "idle" }),
    ];
    const pool = await addWorkPool(api, { name: "gpu" });
    const queue = await addWorkQueue(api, { work_pool_id: pool.id, name: "fast" });
    await addDeployment(api, { flow_id: busy.id, name: "nightly", work_queue_id: queue.id });
    await addDeployment(api, { flow_id: busy.id, name: "hourly" });
    const run = await addFlowRun(api, { flow_id: busy.id, name: "one", state_type: "FAILED" });
    await addFlowRun(api, { flow_id: busy.id, name: "two" });
    await addFlowRun(api, { flow_id: idle.id, name: "three" });
    await addTaskRun(api, { flow_run_id: run.id, name: "load" });
    const found: readonly (readonly [unknown, readonly string[]])[] = [
      [{ flow_runs: { name: { any_: ["three"] } } }, ["idle"]],
      [{ flow_runs: { state: { type: { any_: ["FAILED"] } } } }, ["busy"]],
      [{ task_runs: { name: { any_: ["load"] } } }, ["busy"]],
      [
        { flow_runs: { name: { any_: ["one"] } }, task_runs: { name: { any_: ["load"] } } },
        ["busy"],
      ],
      // Each is there, and no run has both.
      [{ flow_runs: { name: { any_: ["two"] } }, task_runs: { name: { any_: ["load"] } } }, []],
      [{ deployments: { name: { any_: ["nightly"] } } }, ["busy"]],
      [{ work_pools: { name: { any_: ["gpu"] } } }, ["busy"]],
      [
        { work_pools: { name: { any_: ["gpu"] } }, deployments: { name: { any_: ["hourly"] } } },
        [],
      ],
      [{ flows: { deployment: { is_null_: true } } }, ["idle"]],
      [{ flows: { deployment: { is_null_: false } } }, ["busy"]],
    ];
    for (const [body, expected] of found)
      expect([body, await names(api, body)]).toEqual([body, expected]);
  });
});

test("the contract and the list of flows know the same attributes and operators", () => {
  expect(describeListFilter(FLOW_LIST)).toEqual(describeFilterSchema(FlowFilter));
});
