import { expect, test } from "vitest";
import { addDeployment, addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

interface Pool {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly default_queue_id: string;
  readonly active_slots: number | null;
  readonly updated: string;
}

const TEMPLATE = {
  job_configuration: { command: "{{ command }}" },
  variables: { type: "object", properties: { command: { type: "string", default: "run" } } },
};
const NO_STORAGE = {
  bundle_upload_step: null,
  bundle_execution_step: null,
  default_result_storage_block_id: null,
};

async function create(api: TestApi, body: object = {}): Promise<Pool> {
  const answer = await api.post("/work_pools/", { name: "main", type: "process", ...body });
  expect(answer.status).toBe(201);
  return answer.body as Pool;
}

const read = async (api: TestApi, name = "main") =>
  (await api.get(`/work_pools/${name}`)).body as Pool;
const CREATED = ["work-pool.created", "work-queue.created", "work-pool.not-ready"];
const told = async (api: TestApi) =>
  (await api.events()).map(({ event }) => event.split(".").slice(1).join("."));

describeEachApi("work pools", (open) => {
  test("say nothing of results to clients too old to hear of them", async () => {
    await using api = await open({ dialect: "prefect" });
    const keysFor = async (version: string): Promise<string[][]> => {
      const headers = { "user-agent": `prefect/${version} (API 0.8.4)` };
      const name = `for-${version}`;
      const answers = [
        await api.request("POST", "/work_pools/", { body: { name, type: "process" }, headers }),
        await api.request("GET", `/work_pools/${name}`, { headers }),
        await api.request("POST", "/work_pools/filter", { body: {}, headers }),
      ];
      const pools = answers.map(({ body }) => (Array.isArray(body) ? body[0] : body) as object);
      return pools.map((pool) =>
        Object.keys((pool as { storage_configuration: object }).storage_configuration),
      );
    };
    const steps = ["bundle_upload_step", "bundle_execution_step"];
    for (const version of ["3.3.7", "3.0.11", "2.20.0"])
      expect(await keysFor(version)).toEqual([steps, steps, steps]);
    const all = [...steps, "default_result_storage_block_id"];
    expect(await keysFor("3.3.8")).toEqual([all, all, all]);
  });

  test("are created with a default queue, and read back as they were answered", async () => {
    await using api = await open();
    const pool = await create(api, { base_job_template: TEMPLATE, description: "ours" });
    expect(pool).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created: pool.updated,
      updated: expect.stringMatching(/Z$/),
      name: "main",
      description: "ours",
      type: "process",
      base_job_template: TEMPLATE,
      is_paused: false,
      concurrency_limit: null,
      status: "NOT_READY",
      default_queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      storage_configuration: NO_STORAGE,
      active_slots: null,
    });
    expect(await api.get("/work_pools/main")).toMatchObject({ status: 200, body: pool });
    expect(await api.get("/work_pools/main/queues/default")).toMatchObject({
      status: 200,
      body: {
        id: pool.default_queue_id,
        description: "The work pool's default queue.",
        priority: 1,
        work_pool_name: "main",
        status: "NOT_READY",
      },
    });
    expect(await told(api)).toEqual(CREATED);
  });

  test("have no status when agents serve them, and are paused when they begin paused", async () => {
    await using api = await open();
    expect(await create(api, { type: "prefect-agent" })).toMatchObject({ status: null });
    expect(await create(api, { name: "b", is_paused: true })).toMatchObject({ status: "PAUSED" });
  });

  test.each([
    ["orchestrator", "process"],
    ["prefect", "prefect-agent"],
  ] as const)("without a type have that of the dialect %s: %s", async (dialect, type) => {
    await using api = await open({ dialect });
    expect(await create(api, { type: undefined })).toMatchObject({ type });
  });

  test.each(["prefect", "Prefect-pool", "PREFECTURE"])("may not be named %s", async (name) => {
    await using api = await open();
    expect((await api.post("/work_pools/", { name, type: "process" })).status).toBe(403);
    expect((await api.delete(`/work_pools/${name}`)).status).toBe(403);
    expect((await api.patch(`/work_pools/${name}`, { description: "x" })).status).toBe(403);
    // These may be changed of such a pool, if there is one.
    expect((await api.patch(`/work_pools/${name}`, { is_paused: true })).status).toBe(404);
  });

  test("of the same name are refused", async () => {
    await using api = await open();
    await create(api);
    expect(await api.post("/work_pools/", { name: "main", type: "docker" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("main") },
    });
  });

  test.each([
    ["an empty name", { name: "" }],
    ["a blank name", { name: "  " }],
    ["a name of quotes", { name: `'"` }],
    ["a name with a slash", { name: "a/b" }],
    ["a negative limit", { concurrency_limit: -1 }],
    ["an unknown key", { colour: "red" }],
    ["an unknown storage key", { storage_configuration: { other: 1 } }],
    ["half a template", { base_job_template: { variables: {} } }],
    [
      "an undeclared variable",
      { base_job_template: { job_configuration: { a: "{{ b }}" }, variables: { properties: {} } } },
    ],
  ])("with %s are refused", async (_what, body) => {
    await using api = await open();
    const answer = await api.post("/work_pools/", { name: "main", type: "process", ...body });
    const [key] = Object.keys(body);
    const loc = expect.arrayContaining(["body", key]);
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc }] } });
    expect(await api.post("/work_pools/count")).toMatchObject({ body: 0 });
  });

  test("are listed by name, filtered and counted", async () => {
    await using api = await open();
    const b = await create(api, { name: "b", type: "docker" });
    const a = await create(api, { name: "a" });
    await create(api, { name: "c" });
    const names = async (body: object) =>
      ((await api.post("/work_pools/filter", body)).body as Pool[]).map(({ name }) => name);
    expect(await names({})).toEqual(["a", "b", "c"]);
    expect(await names({ limit: 1, offset: 1 })).toEqual(["b"]);
    expect(await names({ work_pools: { type: { any_: ["docker"] } } })).toEqual(["b"]);
    expect(await names({ work_pools: { name: { any_: ["a", "x"] } } })).toEqual(["a"]);
    const ids = { work_pools: { id: { any_: [a.id, b.id] } } };
    expect(await names(ids)).toEqual(["a", "b"]);
    expect(await api.post("/work_pools/count", ids)).toMatchObject({ status: 200, body: 2 });
  });

  test("are listed in the order that is asked for", async () => {
    await using api = await open();
    for (const name of ["b", "a", "c"]) await create(api, { name });
    await api.patch("/work_pools/b", { is_paused: true });
    const names = async (sort: string) =>
      ((await api.post("/work_pools/filter", { sort })).body as Pool[]).map(({ name }) => name);
    expect(await names("NAME_ASC")).toEqual(["a", "b", "c"]);
    expect(await names("NAME_DESC")).toEqual(["c", "b", "a"]);
    expect(await names("CREATED_DESC")).toEqual(["c", "a", "b"]);
    expect(await names("UPDATED_DESC")).toEqual(["b", "c", "a"]);
    expect((await api.post("/work_pools/filter", { sort: "COLOUR_ASC" })).status).toBe(422);
  });

  test("change only what is given, and tell what changed", async () => {
    await using api = await open();
    await create(api, { concurrency_limit: 3, description: "old" });
    const changes = { description: null, base_job_template: TEMPLATE };
    expect(await api.patch("/work_pools/main", changes)).toMatchObject({ status: 204 });
    expect(await read(api)).toMatchObject({
      ...changes,
      concurrency_limit: 3,
      active_slots: 0,
      storage_configuration: NO_STORAGE,
    });
    const updated = (await api.events()).at(-1);
    expect(updated).toMatchObject({
      event: "orchestrator.work-pool.updated",
      payload: {
        updated_fields: ["description", "base_job_template"],
        updates: {
          description: { from: "old", to: null },
          base_job_template: { from: {}, to: TEMPLATE },
        },
      },
    });
  });

  test("tell nothing when nothing changes", async () => {
    await using api = await open();
    const pool = await create(api, { concurrency_limit: 3 });
    await api.patch("/work_pools/main", { concurrency_limit: 3, is_paused: false });
    await api.patch("/work_pools/main", {});
    expect(await read(api)).toEqual(pool);
    expect(await told(api)).toEqual(CREATED);
  });

  test("keep a storage configuration, and give it up when told so", async () => {
    await using api = await open();
    await create(api, { storage_configuration: { bundle_upload_step: { run: { a: 1 } } } });
    const storage = { default_result_storage_block_id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55" };
    await api.patch("/work_pools/main", { storage_configuration: storage });
    expect(await read(api)).toMatchObject({ storage_configuration: { ...NO_STORAGE, ...storage } });
    expect((await api.events()).at(-1)).toMatchObject({
      related: [
        { "orchestrator.resource.role": "default-queue" },
        { "orchestrator.resource.role": "result-storage" },
      ],
    });
    await api.patch("/work_pools/main", { storage_configuration: null });
    expect(await read(api)).toMatchObject({ storage_configuration: NO_STORAGE });
  });

  test("are paused and resumed, with an event for each that follows the one before", async () => {
    await using api = await open();
    await create(api);
    await api.patch("/work_pools/main", { is_paused: true });
    expect(await read(api)).toMatchObject({ is_paused: true, status: "PAUSED" });
    await api.patch("/work_pools/main", { is_paused: false });
    expect(await read(api)).toMatchObject({ is_paused: false, status: "NOT_READY" });
    await api.post("/work_pools/main/workers/heartbeat", { name: "w" });
    await api.patch("/work_pools/main", { is_paused: true });
    await api.patch("/work_pools/main", { is_paused: false });
    expect(await read(api)).toMatchObject({ status: "READY" });
    const events = (await api.events()).slice(CREATED.length - 1) as unknown as {
      id: string;
      follows: string;
    }[];
    expect(await told(api)).toEqual([
      ...CREATED,
      "work-pool.paused",
      "work-pool.not-ready",
      "work-pool.ready",
      "work-pool.paused",
      "work-pool.ready",
    ]);
    expect(events.map(({ follows }) => follows)).toEqual([
      null,
      ...events.slice(0, -1).map(({ id }) => id),
    ]);
  });

  test("are deleted with their queues and workers, and let go of deployments and waiting runs", async () => {
    await using api = await open();
    const { default_queue_id: work_queue_id } = await create(api);
    await api.post("/work_pools/main/queues", { name: "fast" });
    await api.post("/work_pools/main/workers/heartbeat", { name: "w" });
    const { id: flow_id } = await addFlow(api);
    await addDeployment(api, { flow_id, work_queue_id });
    const waiting = await addFlowRun(api, {
      flow_id,
      work_queue_id,
      state_type: "SCHEDULED",
      start_time: null,
      end_time: null,
    });
    expect((await api.delete("/work_pools/main")).status).toBe(204);
    expect((await api.get("/work_pools/main")).status).toBe(404);
    expect((await api.get(`/work_queues/${work_queue_id}`)).status).toBe(404);
    const deployments = await api.post("/deployments/filter", {});
    expect(deployments.body).toMatchObject([{ work_queue_id: null }]);
    expect((await api.get(`/flow_runs/${waiting.id}`)).body).toMatchObject({ work_queue_id: null });
    expect((await told(api)).slice(-3)).toEqual([
      "work-queue.deleted",
      "work-queue.deleted",
      "work-pool.deleted",
    ]);
    expect((await api.delete("/work_pools/main")).status).toBe(404);
  });

  test("count the runs that take up their places, where there is a limit", async () => {
    await using api = await open();
    const { default_queue_id: work_queue_id } = await create(api, { concurrency_limit: 5 });
    const { id: flow_id } = await addFlow(api);
    for (const state_type of [
      "PENDING",
      "RUNNING",
      "CANCELLING",
      "COMPLETED",
      "SCHEDULED",
    ] as const)
      await addFlowRun(api, { flow_id, work_queue_id, state_type });
    expect(await read(api)).toMatchObject({ active_slots: 2 });
    expect(
      (await api.post("/work_pools/main/concurrency_status", { flow_run_limit: 1 })).body,
    ).toEqual({
      active_slots: 2,
      concurrency_limit: 5,
      queues: [
        {
          queue_id: work_queue_id,
          queue_name: "default",
          active_slots: 2,
          concurrency_limit: null,
          flow_runs: [
            expect.objectContaining({
              state_type: "PENDING",
              time_in_current_state: expect.any(Number),
            }),
          ],
          flow_run_count: 2,
        },
      ],
      count: 1,
      limit: 200,
      pages: 1,
      page: 1,
    });
    await api.patch(`/work_queues/${work_queue_id}`, { concurrency_limit: 2 });
    const inPool = await api.get("/work_pools/main/queues/default");
    expect(inPool.body).toMatchObject({ active_slots: 2 });
    expect((await api.get(`/work_queues/${work_queue_id}`)).body).toMatchObject({
      active_slots: 3,
    });
    const status = await api.post(`/work_queues/${work_queue_id}/concurrency_status`, { limit: 2 });
    expect(status.body).toMatchObject({
      active_slots: 3,
      concurrency_limit: 2,
      count: 3,
      pages: 2,
    });
    expect((status.body as { flow_runs: unknown[] }).flow_runs).toHaveLength(2);
  });

  test("that are not there are not found, whatever is asked of them", async () => {
    await using api = await open();
    const answers = await Promise.all([
      api.get("/work_pools/none"),
      api.patch("/work_pools/none", { description: "x" }),
      api.delete("/work_pools/none"),
      api.post("/work_pools/none/get_scheduled_flow_runs"),
      api.post("/work_pools/none/concurrency_status"),
      api.post("/work_pools/none/queues", { name: "q" }),
      api.post("/work_pools/none/queues/filter"),
      api.get("/work_pools/none/queues/default"),
      api.post("/work_pools/none/workers/filter"),
      api.post("/work_pools/none/workers/heartbeat", { name: "w" }),
      api.delete("/work_pools/none/workers/w"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  test("made twice at once are made once", async () => {
    await using api = await open();
    const body = { name: "main", type: "process" };
    const answers = await Promise.all([1, 2, 3].map(() => api.post("/work_pools/", body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
