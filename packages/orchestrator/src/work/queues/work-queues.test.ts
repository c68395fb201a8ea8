import { WorkQueueFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { WORK_QUEUE_LIST } from "./work-queues.filter.ts";

interface Queue {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly status: string;
  readonly work_pool_name: string;
}

async function openPool(open: OpenTestApi): Promise<TestApi> {
  const api = await open();
  await api.post("/work_pools/", { name: "main", type: "process" });
  return api;
}

async function create(api: TestApi, name: string, more: object = {}): Promise<Queue> {
  const answer = await api.post("/work_pools/main/queues", { name, ...more });
  expect(answer.status).toBe(201);
  return answer.body as Queue;
}

const list = async (api: TestApi, body: object = {}) =>
  (await api.post("/work_pools/main/queues/filter", body)).body as Queue[];
const order = async (api: TestApi) =>
  (await list(api)).map(({ name, priority }) => `${priority} ${name}`);
const told = async (api: TestApi) =>
  (await api.events()).map(({ event }) => event.split(".").slice(1).join(".")).slice(3);

test("the list's filter is what the contract says", () => {
  expect(describeListFilter(WORK_QUEUE_LIST)).toEqual(describeFilterSchema(WorkQueueFilter));
});

describeEachApi("work queues", (open) => {
  test("are created in a pool, and read back by name and by id", async () => {
    await using api = await openPool(open);
    const queue = await create(api, "fast", { concurrency_limit: 2, description: "quick ones" });
    expect(queue).toEqual({
      id: expect.any(String),
      created: expect.any(String),
      updated: expect.any(String),
      name: "fast",
      description: "quick ones",
      is_paused: false,
      concurrency_limit: 2,
      priority: 2,
      work_pool_id: expect.any(String),
      filter: null,
      last_polled: null,
      work_pool_name: "main",
      status: "NOT_READY",
      active_slots: 0,
    });
    expect((await api.get("/work_pools/main/queues/fast")).body).toEqual(queue);
    expect((await api.get(`/work_queues/${queue.id}`)).body).toEqual(queue);
    expect(await told(api)).toEqual(["work-queue.created"]);
  });

  test("of one name in one pool are refused; another pool may have it", async () => {
    await using api = await openPool(open);
    await create(api, "fast");
    expect((await api.post("/work_pools/main/queues", { name: "fast" })).status).toBe(409);
    await api.post("/work_pools/", { name: "other", type: "process" });
    expect((await api.post("/work_pools/other/queues", { name: "fast" })).status).toBe(201);
  });

  test.each([
    ["no name", {}],
    ["a name with a slash", { name: "a/b" }],
    ["priority 0", { name: "q", priority: 0 }],
    ["a negative limit", { name: "q", concurrency_limit: -1 }],
    ["a filter", { name: "q", filter: { tags: ["x"] } }],
    ["an unknown key", { name: "q", colour: "red" }],
  ])("with %s are refused", async (_what, body) => {
    await using api = await openPool(open);
    expect((await api.post("/work_pools/main/queues", body)).status).toBe(422);
  });

  test("take the first free priority, and push others back from one they ask for", async () => {
    await using api = await openPool(open);
    await create(api, "b");
    await create(api, "e", { priority: 9 });
    await create(api, "c");
    await create(api, "a", { priority: 1 });
    expect(await order(api)).toEqual(["1 a", "2 default", "3 b", "4 c", "9 e"]);
  });

  test("come to a priority that others give way to, and keep theirs when one goes", async () => {
    await using api = await openPool(open);
    for (const name of ["b", "c", "d"]) await create(api, name);
    await api.patch("/work_pools/main/queues/d", { priority: 2 });
    expect(await order(api)).toEqual(["1 default", "2 d", "3 b", "4 c"]);
    await api.patch("/work_pools/main/queues/default", { priority: 3 });
    expect(await order(api)).toEqual(["2 d", "3 default", "4 b", "5 c"]);
    expect((await api.delete("/work_pools/main/queues/b")).status).toBe(204);
    expect(await order(api)).toEqual(["2 d", "3 default", "5 c"]);
  });

  test("made at once with the same priority all get one of their own", async () => {
    await using api = await openPool(open);
    const names = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(names.map((name) => create(api, name, { priority: 1 })));
    const queues = await list(api);
    expect(queues.map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(queues.at(-1)?.name).toBe("default");
  });

  test("made at once without a priority all get one of their own", async () => {
    await using api = await openPool(open);
    await Promise.all(["a", "b", "c", "d"].map((name) => create(api, name)));
    expect((await list(api)).map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 5]);
  });

  test("are filtered by id, name and the beginning of a name, in any case", async () => {
    await using api = await openPool(open);
    const { id } = await create(api, "Fast-one");
    await create(api, "fast-two");
    const names = async (work_queues: object) =>
      (await list(api, { work_queues })).map(({ name }) => name);
    expect(await names({ id: { any_: [id] } })).toEqual(["Fast-one"]);
    expect(await names({ name: { any_: ["default"] } })).toEqual(["default"]);
    expect(await names({ name: { startswith_: ["FAST"] } })).toEqual(["Fast-one", "fast-two"]);
    const either = { operator: "or_", id: { any_: [id] }, name: { any_: ["default"] } };
    await api.post("/work_pools/", { name: "other", type: "process" });
    expect(await names(either)).toEqual(["default", "Fast-one"]);
    expect((await list(api, { limit: 1, offset: 2 })).map(({ name }) => name)).toEqual([
      "fast-two",
    ]);
  });

  test("change only what is given, by either address, and tell what changed", async () => {
    await using api = await openPool(open);
    const { id } = await create(api, "fast", { concurrency_limit: 2 });
    expect(
      (await api.patch(`/work_queues/${id}`, { name: "quick", description: null })).status,
    ).toBe(204);
    expect(
      (await api.patch("/work_pools/main/queues/quick", { concurrency_limit: null })).status,
    ).toBe(204);
    expect((await api.get(`/work_queues/${id}`)).body).toMatchObject({
      name: "quick",
      description: "",
      concurrency_limit: null,
      priority: 2,
    });
    expect((await api.events()).slice(-2).map(({ payload }) => payload)).toEqual([
      { updated_fields: ["name"], updates: { name: { from: "fast", to: "quick" } } },
      {
        updated_fields: ["concurrency_limit"],
        updates: { concurrency_limit: { from: 2, to: null } },
      },
    ]);
    expect((await api.patch(`/work_queues/${id}`, { name: "default" })).status).toBe(409);
  });

  test("are paused and resumed; what was polled lately is ready at once", async () => {
    await using api = await openPool(open);
    const { id } = await create(api, "fast");
    await api.patch(`/work_queues/${id}`, { is_paused: true });
    expect((await api.get(`/work_queues/${id}`)).body).toMatchObject({
      is_paused: true,
      status: "PAUSED",
    });
    await api.patch(`/work_queues/${id}`, { is_paused: false });
    expect((await api.get(`/work_queues/${id}`)).body).toMatchObject({ status: "NOT_READY" });
    await api.patch(`/work_queues/${id}`, { last_polled: api.ctx.clock.now() });
    expect((await api.get(`/work_queues/${id}`)).body).toMatchObject({ status: "READY" });
    await api.patch(`/work_queues/${id}`, { is_paused: true });
    await api.patch(`/work_queues/${id}`, { is_paused: false });
    expect((await api.get(`/work_queues/${id}`)).body).toMatchObject({ status: "READY" });
    expect(await told(api)).toEqual([
      "work-queue.created",
      "work-queue.paused",
      "work-queue.not-ready",
      "work-queue.ready",
      "work-queue.paused",
      "work-queue.ready",
    ]);
  });

  test("that are the default of their pool stay with it", async () => {
    await using api = await openPool(open);
    expect((await api.delete("/work_pools/main/queues/default")).status).toBe(409);
    expect((await list(api)).map(({ name }) => name)).toEqual(["default"]);
  });

  test("that are not there are not found", async () => {
    await using api = await openPool(open);
    const id = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
    const answers = await Promise.all([
      api.get("/work_pools/main/queues/none"),
      api.patch("/work_pools/main/queues/none", { is_paused: true }),
      api.delete("/work_pools/main/queues/none"),
      api.get(`/work_queues/${id}`),
      api.patch(`/work_queues/${id}`, { is_paused: true }),
      api.delete(`/work_queues/${id}`),
      api.get(`/work_queues/${id}/status`),
      api.post(`/work_queues/${id}/get_runs`),
      api.post(`/work_queues/${id}/concurrency_status`),
      api.get("/work_queues/name/none"),
      api.get("/work_queues/not-an-id"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });
});

describeEachApi("work queues without a pool", (open) => {
  test("belong to the agents' pool, which is made for the first of them", async () => {
    await using api = await open();
    const answer = await api.post("/work_queues/", { name: "mine" });
    expect(answer).toMatchObject({ status: 201, body: { work_pool_name: "default-agent-pool" } });
    expect((await api.get("/work_pools/default-agent-pool")).body).toMatchObject({
      type: "prefect-agent",
      status: null,
    });
    expect((await api.get("/work_queues/name/mine")).body).toEqual(answer.body);
    expect((await api.post("/work_queues/", { name: "mine" })).status).toBe(409);
  });

  test("may be the default one, where the pool has to be made", async () => {
    await using api = await open();
    expect(await api.post("/work_queues/", { name: "default" })).toMatchObject({ status: 201 });
    expect((await api.post("/work_queues/", { name: "default" })).status).toBe(409);
  });

  test("are found by name before those of other pools", async () => {
    await using api = await openPool(open);
    expect((await api.get("/work_queues/name/default")).body).toMatchObject({
      work_pool_name: "main",
    });
    await api.post("/work_queues/", { name: "default" });
    expect((await api.get("/work_queues/name/default")).body).toMatchObject({
      work_pool_name: "default-agent-pool",
    });
  });

  test("are the only ones found by name in dialect prefect once there is the agents' pool", async () => {
    await using api = await open({ dialect: "prefect" });
    await api.post("/work_pools/", { name: "main", type: "process" });
    expect(await api.get("/work_queues/name/default")).toMatchObject({
      status: 200,
      body: { name: "default", work_pool_name: "main" },
    });
    expect((await api.get("/work_queues/name/none")).status).toBe(404);
    await api.post("/work_queues/", { name: "mine" });
    expect((await api.get("/work_queues/name/mine")).body).toMatchObject({
      work_pool_name: "default-agent-pool",
    });
    await api.post("/work_pools/main/queues", { name: "other" });
    expect((await api.get("/work_queues/name/other")).status).toBe(404);
  });

  test("are listed by name over all pools", async () => {
    await using api = await openPool(open);
    await create(api, "b");
    await api.post("/work_queues/", { name: "a" });
    const { body } = await api.post("/work_queues/filter", {});
    expect((body as Queue[]).map(({ name }) => name)).toEqual(["a", "b", "default", "default"]);
  });

  test("made at once make one pool", async () => {
    await using api = await open();
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) => api.post("/work_queues/", { name })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await api.post("/work_pools/count")).body).toBe(1);
  });

  test("are healthy while they are polled and nothing in them is late", async () => {
    await using api = await openPool(open);
    const { id: work_queue_id } = await create(api, "fast");
    const health = async () => (await api.get(`/work_queues/${work_queue_id}/status`)).body;
    expect(await health()).toEqual({
      healthy: false,
      late_runs_count: 0,
      last_polled: null,
      health_check_policy: { maximum_late_runs: 0, maximum_seconds_since_last_polled: 60 },
    });
    await api.patch(`/work_queues/${work_queue_id}`, { last_polled: api.ctx.clock.now() });
    expect(await health()).toMatchObject({ healthy: true });
    const { id: flow_id } = await addFlow(api);
    await addFlowRun(api, { flow_id, work_queue_id, state_type: "SCHEDULED", state_name: "Late" });
    expect(await health()).toMatchObject({ healthy: false, late_runs_count: 1 });
  });
});
