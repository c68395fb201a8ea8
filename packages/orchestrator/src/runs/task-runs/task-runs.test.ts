import { TaskRunFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { TASK_RUN_LIST } from "../../lists/task-runs.filter.ts";
import { addTaskRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
type Body = Record<string, unknown>;
type Record_ = Body & { readonly id: string };

async function createFlowRun(api: TestApi, given: Body = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as Record_).id;
  const run = await api.post("/flow_runs/", { flow_id, state: { type: "RUNNING" }, ...given });
  return (run.body as Record_).id;
}

async function createTask(api: TestApi, given: Body = {}): Promise<Record_> {
  const answer = await api.post("/task_runs/", { task_key: "t", dynamic_key: "0", ...given });
  expect(answer.status).toBe(201);
  return answer.body as Record_;
}

const propose = async (api: TestApi, id: string, state: Body, force = false) =>
  (await api.post(`/task_runs/${id}/set_state`, { state, force })).body as Body;

const read = async (api: TestApi, id: string) => (await api.get(`/task_runs/${id}`)).body as Body;

describeEachApi("task runs", (open) => {
  test("are created with the labels of their flow run and read back", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api, { labels: { team: "core" } });
    const run = await createTask(api, {
      flow_run_id,
      name: "load-0",
      tags: ["x"],
      task_inputs: { a: [{ input_type: "parameter", name: "n" }] },
      empirical_policy: { retries: 2, retry_delay: [1, 2], retry_jitter_factor: 0.5 },
    });
    expect(run).toMatchObject({
      flow_run_id,
      name: "load-0",
      state_type: "PENDING",
      labels: { team: "core", "orchestrator.flow-run.id": flow_run_id },
      empirical_policy: { retries: 2, retry_delay: [1, 2], retry_jitter_factor: 0.5 },
      state: { state_details: { task_run_id: run.id, flow_run_id } },
    });
    expect(await read(api, run.id)).toMatchObject({ id: run.id, task_inputs: run["task_inputs"] });
  });

  test("are retried after at most fifty different delays", async () => {
    await using api = await open();
    const create = (retry_delay: unknown) =>
      api.post("/task_runs/", {
        task_key: "t",
        dynamic_key: "0",
        empirical_policy: { retry_delay },
      });
    const delays = Array.from({ length: 51 }, (_, second) => second);
    expect(await create(delays)).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          {
            loc: ["body", "empirical_policy", "retry_delay"],
            msg: "Value error, Can not configure more than 50 retry delays per task.",
          },
        ],
      },
    });
    expect(await create("soon")).toMatchObject({
      status: 422,
      body: { exception_detail: [{ type: "float_parsing" }] },
    });
    expect(await create([1, "soon"])).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "empirical_policy", "retry_delay", 1] }] },
    });
    for (const delay of [delays.slice(1), 3, null])
      expect(await create(delay)).toMatchObject({
        status: 201,
        body: { empirical_policy: { retry_delay: delay } },
      });
  });

  test("may take the results of very many others", async () => {
    await using api = await open();
    const results = Array.from({ length: 20_000 }, () => ({
      input_type: "task_run",
      id: UNKNOWN_ID,
    }));
    const { id } = await createTask(api, { task_inputs: { results } });
    expect((await read(api, id))["task_inputs"]).toEqual({ results });
  });

  test("tell what their arguments came from by its kind and nothing beside", async () => {
    await using api = await open();
    const given = {
      x: [{ id: UNKNOWN_ID }, { name: "p" }, { type: "int", more: 1 }],
      y: [
        { id: "nope", name: "p" },
        { id: {}, name: 1, type: "int" },
      ],
    };
    const { id } = await createTask(api, { task_inputs: given });
    expect((await read(api, id))["task_inputs"]).toEqual({
      x: [
        { input_type: "task_run", id: UNKNOWN_ID },
        { input_type: "parameter", name: "p" },
        { input_type: "constant", type: "int" },
      ],
      y: [
        { input_type: "parameter", name: "p" },
        { input_type: "constant", type: "int" },
      ],
    });
  });

  test.each([
    { input_type: "task_run" },
    { input_type: "flow_run", name: "x" },
    { input_type: "parameter", id: UNKNOWN_ID },
    { input_type: "constant" },
    { input_type: "other", id: UNKNOWN_ID },
    {},
  ])("whose argument came from %j are refused", async (input) => {
    await using api = await open();
    const task_inputs = { x: [input] };
    const refused = await api.post("/task_runs/", { task_key: "t", dynamic_key: "0", task_inputs });
    expect(refused.status).toBe(422);
  });

  test("made again with the same keys or id are the same", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const first = await createTask(api, { flow_run_id });
    const again = await api.post("/task_runs/", { flow_run_id, task_key: "t", dynamic_key: "0" });
    expect(again).toMatchObject({ status: 200, body: { id: first.id } });
    const own = await createTask(api, { id: UNKNOWN_ID });
    expect(own.id).toBe(UNKNOWN_ID);
    const same = await api.post("/task_runs/", { id: UNKNOWN_ID, task_key: "t", dynamic_key: "0" });
    expect(same).toMatchObject({ status: 200, body: { id: UNKNOWN_ID } });
  });

  test("cannot have the id of another one", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const long = "k".repeat(2000);
    const taken = { flow_run_id, id: UNKNOWN_ID, task_key: long, dynamic_key: "0" };
    await createTask(api, taken);
    expect(await api.post("/task_runs/", taken)).toMatchObject({ status: 200 });
    for (const other of [{ dynamic_key: "1" }, { task_key: "u" }, { flow_run_id: null }]) {
      const answer = await api.post("/task_runs/", { ...taken, ...other });
      expect(answer).toMatchObject({ status: 409 });
    }
  });

  test("of a flow run that does not exist are refused", async () => {
    await using api = await open();
    const answer = await api.post("/task_runs/", {
      flow_run_id: UNKNOWN_ID,
      task_key: "t",
      dynamic_key: "0",
    });
    expect(answer).toMatchObject({ status: 404 });
  });

  test("run only while their flow run runs", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api, { state: { type: "PENDING" } });
    const { id } = await createTask(api, { flow_run_id });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ABORT" });
    await api.post(`/flow_runs/${flow_run_id}/set_state`, { state: { type: "RUNNING" } });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    expect(await read(api, id)).toMatchObject({ run_count: 1, flow_run_run_count: 1 });
  });

  test("are not ready while their flow run is paused", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const { id } = await createTask(api, { flow_run_id });
    await api.post(`/flow_runs/${flow_run_id}/set_state`, { state: { type: "PAUSED" } });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({
      status: "REJECT",
      state: { type: "PAUSED", name: "NotReady" },
    });
  });

  test("are tried again and say so in their name, unless trying is of no use", async () => {
    await using api = await open();
    const { id } = await createTask(api, { empirical_policy: { retries: 1 } });
    await propose(api, id, { type: "RUNNING" });
    expect(await propose(api, id, { type: "FAILED" })).toMatchObject({
      status: "REJECT",
      state: { name: "AwaitingRetry" },
    });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({
      state: { name: "Retrying" },
    });
    expect(await propose(api, id, { type: "FAILED" })).toMatchObject({ status: "ACCEPT" });
    const other = await createTask(api, { dynamic_key: "1", empirical_policy: { retries: 1 } });
    await propose(api, other.id, { type: "RUNNING" });
    const hopeless = { type: "FAILED", state_details: { retriable: false } };
    expect(await propose(api, other.id, hopeless)).toMatchObject({ status: "ACCEPT" });
  });

  test("take over a result that is remembered under their cache key", async () => {
    await using api = await open();
    const details = { state_details: { cache_key: "k" } };
    const first = await createTask(api);
    await propose(api, first.id, { type: "RUNNING", ...details });
    await propose(api, first.id, { type: "COMPLETED", data: { n: 1 }, ...details });
    const second = await createTask(api, { dynamic_key: "1" });
    expect(await propose(api, second.id, { type: "RUNNING", ...details })).toMatchObject({
      status: "REJECT",
      state: { type: "COMPLETED", name: "Cached", data: { n: 1 } },
    });
    const third = await createTask(api, { dynamic_key: "2" });
    const refresh = { state_details: { cache_key: "k", refresh_cache: true } };
    expect(await propose(api, third.id, { type: "RUNNING", ...refresh })).toMatchObject({
      status: "ACCEPT",
    });
  });

  test("are done again when the run that computed the remembered result is deleted", async () => {
    await using api = await open();
    const details = { state_details: { cache_key: "k" } };
    const first = await createTask(api);
    await propose(api, first.id, { type: "COMPLETED", data: { n: 1 }, ...details });
    expect((await api.request("DELETE", `/task_runs/${first.id}`)).status).toBe(204);
    const second = await createTask(api, { dynamic_key: "1" });
    expect(await propose(api, second.id, { type: "RUNNING", ...details })).toMatchObject({
      status: "ACCEPT",
    });
  });

  test("wait for a slot of the limits of their tags, and give it back when they end", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    const first = await createTask(api, { tags: ["db"] });
    const second = await createTask(api, { tags: ["db"], dynamic_key: "1" });
    expect(await propose(api, first.id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    expect(await propose(api, second.id, { type: "RUNNING" })).toMatchObject({ status: "WAIT" });
    await propose(api, first.id, { type: "COMPLETED" });
    expect(await propose(api, second.id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    await api.delete(`/task_runs/${second.id}`);
    expect(await api.get("/concurrency_limits/tag/db")).toMatchObject({
      body: { active_slots: [] },
    });
  });

  test("that stand for a run inside another follow its states", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const { id } = await createTask(api, { flow_run_id });
    const child = await createFlowRun(api, { parent_task_run_id: id });
    await api.post(`/flow_runs/${child}/set_state`, { state: { type: "COMPLETED" } });
    expect(await read(api, id)).toMatchObject({
      state_type: "COMPLETED",
      state: { state_details: { child_flow_run_id: child } },
    });
  });

  test("are renamed, deleted and not found afterwards", async () => {
    await using api = await open();
    const { id } = await createTask(api);
    expect(await api.patch(`/task_runs/${id}`, { name: "new" })).toMatchObject({ status: 204 });
    const renamed = await read(api, id);
    expect(renamed).toMatchObject({ name: "new" });
    await api.patch(`/task_runs/${id}`, { name: "new" });
    expect(await read(api, id)).toMatchObject({ updated: renamed["updated"] });
    expect(await api.delete(`/task_runs/${id}`)).toMatchObject({ status: 204 });
    for (const answer of [
      await api.get(`/task_runs/${id}`),
      await api.delete(`/task_runs/${id}`),
      await api.patch(`/task_runs/${id}`, { name: "x" }),
      await api.post(`/task_runs/${id}/set_state`, { state: { type: "RUNNING" } }),
    ]) {
      expect(answer).toMatchObject({ status: 404 });
    }
  });

  test("take their log along when they are deleted, and no other", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const [gone, stays] = [
      await createTask(api, { flow_run_id }),
      await createTask(api, { flow_run_id, dynamic_key: "1" }),
    ];
    const about = { flow_run_id, name: "n", level: 20, timestamp: api.ctx.clock.now() };
    const lines = Array.from({ length: 1200 }, () => ({
      ...about,
      message: "of the one",
      task_run_id: gone.id,
    }));
    await api.post("/logs/", lines);
    const others = [stays.id, UNKNOWN_ID, null];
    await api.post(
      "/logs/",
      others.map((task_run_id) => ({ ...about, message: String(task_run_id), task_run_id })),
    );
    await api.delete(`/task_runs/${gone.id}`);
    await api.delete(`/task_runs/${UNKNOWN_ID}`);
    const left = await api.post("/logs/filter", { logs: { flow_run_id: { any_: [flow_run_id] } } });
    const messages = (left.body as Body[]).map(({ message }) => message);
    expect(new Set(messages)).toEqual(new Set(others.map(String)));
  });

  test("are listed by how long they took, of the same time the latest first", async () => {
    await using api = await open();
    const at = (hour: number) => `2026-01-01T0${hour}:00:00.000000Z`;
    for (const [name, total_run_time, hour] of [
      ["short", 1, 3],
      ["long", 9, 1],
      ["waits", 0, 1],
      ["waits as well", 0, 2],
    ] as const)
      await addTaskRun(api, { name, total_run_time, expected_start_time: at(hour) });
    const listed = async (sort: string) => {
      const { body } = await api.post("/task_runs/filter", { sort });
      return (body as Body[]).map(({ name }) => name);
    };
    expect(await listed("DURATION_DESC")).toEqual(["long", "short", "waits as well", "waits"]);
    expect(await listed("DURATION_ASC")).toEqual(["waits as well", "waits", "short", "long"]);
  });

  test("are listed, counted and paged", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    for (const dynamic_key of ["0", "1", "2"]) {
      await createTask(api, { flow_run_id, dynamic_key, name: `t-${dynamic_key}` });
    }
    const filter = { task_runs: { flow_run_id: { any_: [flow_run_id] } }, sort: "NAME_ASC" };
    const { body } = await api.post("/task_runs/filter", { ...filter, limit: 2 });
    expect((body as Body[]).map(({ name }) => name)).toEqual(["t-0", "t-1"]);
    expect(await api.post("/task_runs/count", filter)).toMatchObject({ body: 3 });
    expect(await api.post("/task_runs/paginate", { ...filter, limit: 2, page: 2 })).toMatchObject({
      body: { count: 3, pages: 2, results: [{ name: "t-2" }] },
    });
  });
});

test("the contract and the list of task runs know the same attributes and operators", () => {
  expect(describeListFilter(TASK_RUN_LIST)).toEqual(describeFilterSchema(TaskRunFilter));
});
