import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createFlowRun } from "./create-flow-run.service.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

type Body = Record<string, unknown>;

async function createFlow(api: TestApi, name = "etl"): Promise<string> {
  const { body } = await api.post("/flows/", { name });
  return (body as { id: string }).id;
}

async function createRun(api: TestApi, given: Body = {}): Promise<Body & { id: string }> {
  const flow_id = given["flow_id"] ?? (await createFlow(api));
  const answer = await api.post("/flow_runs/", { flow_id, ...given });
  expect(answer.status).toBe(201);
  return answer.body as Body & { id: string };
}

const propose = async (api: TestApi, id: string, state: Body, force = false) =>
  (await api.post(`/flow_runs/${id}/set_state`, { state, force })).body as {
    readonly status: string;
    readonly state: { readonly id: string; readonly type: string; readonly name: string } | null;
    readonly details: Body;
  };

const read = async (api: TestApi, id: string) =>
  (await api.get(`/flow_runs/${id}`)).body as Body & { id: string };

describeEachApi("flow runs", (open) => {
  test("are created with a name, a state and the origin in their labels", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    const run = await createRun(api, {
      flow_id,
      state: { type: "SCHEDULED" },
      parameters: { a: [1, null] },
      tags: ["x", "x", "y"],
      labels: { team: "core" },
      empirical_policy: { retries: 2, retry_delay: 5 },
    });
    expect(run).toMatchObject({
      flow_id,
      name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      state_type: "SCHEDULED",
      state_name: "Scheduled",
      state: { type: "SCHEDULED", name: "Scheduled", state_details: { flow_run_id: run.id } },
      parameters: { a: [1, null] },
      tags: ["x", "y"],
      labels: { team: "core", "orchestrator.flow.id": flow_id },
      empirical_policy: { retries: 2, retry_delay: 5, pause_keys: [], resuming: false },
      run_count: 0,
      total_run_time: 0,
      deployment_id: null,
    });
    expect(run["expected_start_time"]).toBe(run["next_scheduled_start_time"]);
    expect(await read(api, run.id)).toEqual({
      ...run,
      estimated_start_time_delta: expect.any(Number),
    });
  });

  test("begin PENDING when no state is given", async () => {
    await using api = await open();
    expect(await createRun(api)).toMatchObject({ state_type: "PENDING", start_time: null });
  });

  test("answer an idempotency key that is known with the run it made", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    const first = await createRun(api, { flow_id, idempotency_key: "k", name: "first" });
    const again = await api.post("/flow_runs/", { flow_id, idempotency_key: "k", name: "second" });
    expect(again).toMatchObject({ status: 200, body: { id: first.id, name: "first" } });
    const other = await createFlow(api, "other");
    expect(await createRun(api, { flow_id: other, idempotency_key: "k" })).not.toMatchObject({
      id: first.id,
    });
  });

  test("made at the same moment with one key are one run", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post("/flow_runs/", { flow_id, idempotency_key: "k" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ body }) => (body as Body)["id"])).size).toBe(1);
  });

  test("of a flow that is deleted in this moment are refused, and leave nothing", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    const { db } = api.ctx;
    const write: typeof db.write = async (workspaceId, work) => {
      await api.delete(`/flows/${flow_id}`);
      return db.write(workspaceId, work);
    };
    const ctx = { ...api.ctx, db: { ...db, in: db.in.bind(db), system: db.system, write } };
    await expect(createFlowRun(ctx, openScope(""), { body: { flow_id } })).rejects.toMatchObject({
      code: "not_found",
      message: `Flow ${flow_id} does not exist`,
    });
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 0 });
  });

  test("of a flow that was changed or deleted since its last run go by what it is now", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    await createRun(api, { flow_id });
    await api.patch(`/flows/${flow_id}`, { tags: ["night"] });
    const run = await createRun(api, { flow_id, name: "later" });
    const filter = { event: { prefix: ["orchestrator.flow-run"] } };
    const { body } = await api.post("/events/filter", { filter });
    const [event] = (body as { events: Body[] }).events.filter(
      ({ resource }) =>
        (resource as Body)["orchestrator.resource.id"] === `orchestrator.flow-run.${run.id}`,
    );
    expect(event?.["related"]).toContainEqual(
      expect.objectContaining({ "orchestrator.resource.id": "orchestrator.tag.night" }),
    );
    await api.delete(`/flows/${flow_id}`);
    expect(await api.post("/flow_runs/", { flow_id })).toMatchObject({
      status: 404,
      body: { detail: `Flow ${flow_id} does not exist` },
    });
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 0 });
  });

  test.each([
    ["orchestrator", 404],
    ["prefect", 409],
  ] as const)(
    "of what does not exist are refused in the way of the dialect %s",
    async (dialect, status) => {
      await using api = await open({ dialect });
      const flow_id = await createFlow(api);
      for (const named of [
        { flow_id: UNKNOWN_ID },
        { flow_id, deployment_id: UNKNOWN_ID },
        { flow_id, parent_task_run_id: UNKNOWN_ID },
        { flow_id, infrastructure_document_id: UNKNOWN_ID },
      ])
        expect([named, (await api.post("/flow_runs/", named)).status]).toEqual([named, status]);
      expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 0 });
    },
  );

  test("with parameters that are too large are refused with the place of the mistake", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    const answer = await api.post("/flow_runs/", {
      flow_id,
      parameters: { x: "y".repeat(524_288) },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "parameters"] }] },
    });
  });

  test("go from PENDING to COMPLETED and keep their times", async () => {
    await using api = await open();
    const { id } = await createRun(api, { state: { type: "PENDING" } });
    const running = await propose(api, id, { type: "RUNNING" });
    expect(running).toMatchObject({
      status: "ACCEPT",
      state: { type: "RUNNING", name: "Running" },
      details: { type: "accept_details" },
    });
    expect(await read(api, id)).toMatchObject({
      state_type: "RUNNING",
      run_count: 1,
      start_time: expect.any(String),
      end_time: null,
    });
    await propose(api, id, { type: "COMPLETED", data: { type: "reference", storage_key: "x" } });
    const done = await read(api, id);
    expect(done).toMatchObject({
      state_type: "COMPLETED",
      end_time: (done["state"] as Body)["timestamp"],
      state: { data: { type: "reference", storage_key: "x" } },
    });
    expect(done["total_run_time"]).toBeGreaterThanOrEqual(0);
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({
      status: "REJECT",
      state: { type: "COMPLETED" },
    });
    const states = await api.get(`/flow_run_states/?flow_run_id=${id}`);
    expect((states.body as Body[]).map(({ type }) => type)).toEqual([
      "PENDING",
      "RUNNING",
      "COMPLETED",
    ]);
  });

  test("tell of every state in an event that follows the one before", async () => {
    await using api = await open();
    const { id, name } = await createRun(api, { tags: ["b", "a"] });
    const { state } = await propose(api, id, { type: "RUNNING" });
    const events = (await api.events()).filter(({ event }) => event.includes("flow-run"));
    expect(events).toMatchObject([
      { event: "orchestrator.flow-run.Pending", follows: null },
      {
        id: state?.id,
        event: "orchestrator.flow-run.Running",
        follows: expect.any(String),
        resource: {
          "orchestrator.resource.id": `orchestrator.flow-run.${id}`,
          "orchestrator.resource.name": name,
          "orchestrator.run-count": "1",
          "orchestrator.state-type": "RUNNING",
          "orchestrator.state-name": "Running",
        },
        related: [
          { "orchestrator.resource.role": "flow", "orchestrator.resource.name": "etl" },
          { "orchestrator.resource.id": "orchestrator.tag.a", "orchestrator.resource.role": "tag" },
          { "orchestrator.resource.id": "orchestrator.tag.b" },
        ],
        payload: { intended: { from: "PENDING", to: "RUNNING" } },
      },
    ]);
  });

  test("are won by one of many who claim them at the same moment", async () => {
    await using api = await open();
    const { id } = await createRun(api, { state: { type: "SCHEDULED" } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => propose(api, id, { type: "PENDING" })),
    );
    expect(answers.filter(({ status }) => status === "ACCEPT")).toHaveLength(1);
    expect(answers.filter(({ status }) => status === "ABORT")).toHaveLength(7);
    const states = await api.get(`/flow_run_states/?flow_run_id=${id}`);
    expect(states.body).toHaveLength(2);
  });

  test("give a transition that is sent again the same answer and change nothing", async () => {
    await using api = await open();
    const { id } = await createRun(api);
    const transition_id = "11111111-2222-4333-8444-555555555555";
    const state = { type: "RUNNING", state_details: { transition_id } };
    const first = await propose(api, id, state);
    const again = await propose(api, id, state);
    expect(again).toEqual(first);
    expect(await read(api, id)).toMatchObject({ run_count: 1 });
  });

  test("wait for their time", async () => {
    await using api = await open();
    const scheduled_time = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await createRun(api, {
      state: { type: "SCHEDULED", state_details: { scheduled_time } },
    });
    const answer = await propose(api, id, { type: "RUNNING" });
    expect(answer).toMatchObject({ status: "WAIT", details: { type: "wait_details" } });
    expect(answer.details["delay_seconds"]).toBeGreaterThan(3500);
  });

  test("are tried again as often as their policy says", async () => {
    await using api = await open();
    const { id } = await createRun(api, { empirical_policy: { retries: 1, retry_delay: 0 } });
    await propose(api, id, { type: "RUNNING" });
    expect(await propose(api, id, { type: "FAILED", message: "boom" })).toMatchObject({
      status: "REJECT",
      state: { type: "SCHEDULED", name: "AwaitingRetry", message: "boom" },
    });
    expect(await read(api, id)).toMatchObject({ empirical_policy: { retry_type: "in_process" } });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    expect(await propose(api, id, { type: "FAILED" })).toMatchObject({ status: "ACCEPT" });
    expect(await read(api, id)).toMatchObject({ run_count: 2, state_type: "FAILED" });
  });

  test("become CANCELLING literally, or are cancelled at once where nothing runs and the dialect says so", async () => {
    for (const [dialect, expected] of [
      ["orchestrator", { status: "ACCEPT", state: { type: "CANCELLING" } }],
      ["prefect", { status: "REJECT", state: { type: "CANCELLED" } }],
    ] as const) {
      await using api = await open({ dialect });
      const { id } = await createRun(api, { state: { type: "SCHEDULED" } });
      expect(await propose(api, id, { type: "CANCELLING" })).toMatchObject(expected);
    }
  });

  test("can be forced out of an end", async () => {
    await using api = await open();
    const { id } = await createRun(api, { state: { type: "RUNNING" } });
    await propose(api, id, { type: "FAILED" });
    expect(await propose(api, id, { type: "SCHEDULED" })).toMatchObject({ status: "ABORT" });
    expect(await propose(api, id, { type: "SCHEDULED" }, true)).toMatchObject({ status: "ACCEPT" });
    expect(await read(api, id)).toMatchObject({ end_time: null, state_type: "SCHEDULED" });
  });

  test("pause, wait for input that fits, and go on", async () => {
    await using api = await open();
    const { id } = await createRun(api, { state: { type: "RUNNING" } });
    const keyset = {
      description: "p-1-description",
      response: "p-1-response",
      schema: "p-1-schema",
    };
    await api.post(`/flow_runs/${id}/input`, {
      key: keyset.schema,
      value: JSON.stringify({
        type: "object",
        properties: { n: { type: "integer" } },
        required: ["n"],
      }),
    });
    const paused = await propose(api, id, {
      type: "PAUSED",
      state_details: {
        pause_key: "1",
        run_input_keyset: keyset,
        pause_timeout: new Date(Date.now() + 60_000).toISOString(),
      },
    });
    expect(paused).toMatchObject({ status: "ACCEPT", state: { type: "PAUSED" } });
    const wrong = await api.post(`/flow_runs/${id}/resume`, { run_input: { n: "x" } });
    expect(wrong).toMatchObject({
      status: 200,
      body: { status: "REJECT", state: { type: "PAUSED" } },
    });
    const right = await api.post(`/flow_runs/${id}/resume`, { run_input: { n: 3 } });
    expect(right).toMatchObject({
      status: 201,
      body: { status: "ACCEPT", state: { type: "RUNNING" } },
    });
    const input = await api.get(`/flow_runs/${id}/input/${keyset.response}`);
    expect(input).toMatchObject({ status: 200, body: JSON.stringify({ n: 3 }) });
    expect(
      await propose(api, id, { type: "PAUSED", state_details: { pause_key: "1" } }),
    ).toMatchObject({
      status: "REJECT",
      state: { type: "RUNNING" },
    });
  });

  test("are in the default queue of their pool where the name of a queue is empty", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "one", type: "process" });
    expect(await createRun(api, { work_pool_name: "one", work_queue_name: "" })).toMatchObject({
      work_pool_name: "one",
      work_queue_name: "default",
    });
  });

  test("may name other keys of their input, and are resumed when these say where it is", async () => {
    await using api = await open();
    const pauseWith = async (run_input_keyset: object) => {
      const { id } = await createRun(api, { state: { type: "RUNNING" } });
      await api.post(`/flow_runs/${id}/input`, { key: "s", value: '{"type":"object"}' });
      const pause_timeout = new Date(Date.now() + 60_000).toISOString();
      await propose(api, id, {
        type: "PAUSED",
        state_details: { run_input_keyset, pause_timeout },
      });
      return api.post(`/flow_runs/${id}/resume`, { run_input: {} });
    };
    expect((await pauseWith({ schema: "s", response: "r", note: "n" })).body).toMatchObject({
      status: "ACCEPT",
    });
    expect((await pauseWith({})).body).toMatchObject({ status: "ACCEPT" });
    expect((await pauseWith({ schema: "s" })).body).toMatchObject({
      status: "REJECT",
      state: { type: "PAUSED", state_details: { run_input_keyset: { schema: "s" } } },
    });
  });

  test("cannot be resumed when they are not paused or not there", async () => {
    await using api = await open();
    const { id } = await createRun(api);
    expect(await api.request("POST", `/flow_runs/${id}/resume`)).toMatchObject({
      status: 200,
      body: { status: "ABORT", state: null },
    });
    expect(await api.post(`/flow_runs/${UNKNOWN_ID}/resume`)).toMatchObject({ status: 404 });
  });

  test("change only what is given, and take labels one upon another", async () => {
    await using api = await open();
    const before = await createRun(api, { tags: ["x", "y"], parameters: { a: 1 } });
    expect(
      await api.patch(`/flow_runs/${before.id}`, { name: "new", infrastructure_pid: "7" }),
    ).toMatchObject({ status: 204 });
    expect(await api.patch(`/flow_runs/${before.id}/labels`, { n: 1, ok: true })).toMatchObject({
      status: 204,
    });
    expect(await read(api, before.id)).toMatchObject({
      name: "new",
      infrastructure_pid: "7",
      tags: ["x", "y"],
      parameters: { a: 1 },
      labels: { ...(before["labels"] as Body), n: 1, ok: true },
    });
    const after = await read(api, before.id);
    await api.patch(`/flow_runs/${before.id}`, {
      name: "new",
      tags: ["x", "y"],
      parameters: { a: 1 },
    });
    await api.patch(`/flow_runs/${before.id}`, {});
    await api.patch(`/flow_runs/${before.id}/labels`, { n: 1 });
    expect((await read(api, before.id))["updated"]).toBe(after["updated"]);
    expect(await api.patch(`/flow_runs/${before.id}`, { job_variables: { a: 1 } })).toMatchObject({
      status: 400,
    });
  });

  test("are deleted with their states and inputs", async () => {
    await using api = await open();
    const { id } = await createRun(api);
    await api.post(`/flow_runs/${id}/input`, { key: "k", value: "v" });
    expect(await api.delete(`/flow_runs/${id}`)).toMatchObject({ status: 204 });
    expect(await api.get(`/flow_runs/${id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/flow_run_states/?flow_run_id=${id}`)).toMatchObject({ body: [] });
    expect(await api.delete(`/flow_runs/${id}`)).toMatchObject({ status: 404 });
  });

  test("are changed and deleted many at a time", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    for (const name of ["a", "b", "c"]) await createRun(api, { flow_id, name });
    const changed = await api.post("/flow_runs/bulk_set_state", {
      flow_runs: { name: { any_: ["a", "b"] } },
      state: { type: "RUNNING" },
    });
    expect(changed.body).toMatchObject({ results: [{ status: "ACCEPT" }, { status: "ACCEPT" }] });
    const deleted = await api.post("/flow_runs/bulk_delete", {
      flow_runs: { state: { type: { any_: ["RUNNING"] } } },
    });
    expect((deleted.body as { deleted: string[] }).deleted).toHaveLength(2);
    expect(await api.post("/flow_runs/count", {})).toMatchObject({ body: 1 });
    expect(await api.post("/flow_runs/bulk_delete", { limit: 51 })).toMatchObject({ status: 422 });
  });

  test("are forced many at a time, with the flag as any client may write it", async () => {
    await using api = await open();
    const flow_id = await createFlow(api);
    await createRun(api, { flow_id, state: { type: "RUNNING" } });
    const back = { state: { type: "PENDING" } };
    for (const force of [false, 0, "no"]) {
      expect(await api.post("/flow_runs/bulk_set_state", { ...back, force })).toMatchObject({
        body: { results: [{ status: "ABORT" }] },
      });
    }
    for (const force of [true, 1, "yes"]) {
      expect(await api.post("/flow_runs/bulk_set_state", { ...back, force })).toMatchObject({
        body: { results: [{ status: "ACCEPT" }] },
      });
    }
    expect(await api.post("/flow_runs/bulk_set_state", { ...back, force: 2 })).toMatchObject({
      status: 422,
    });
  });

  test("keep inputs by key and list them oldest first", async () => {
    await using api = await open();
    const { id } = await createRun(api);
    for (const key of ["in-1", "in-2", "other"]) {
      expect(await api.post(`/flow_runs/${id}/input`, { key, value: `"${key}"` })).toMatchObject({
        status: 201,
      });
    }
    expect(await api.post(`/flow_runs/${id}/input`, { key: "in-1", value: "x" })).toMatchObject({
      status: 409,
    });
    const listed = await api.post(`/flow_runs/${id}/input/filter`, {
      prefix: "in",
      limit: 5,
      exclude_keys: ["in-1"],
    });
    expect(listed.body).toMatchObject([{ key: "in-2", value: '"in-2"', sender: null }]);
    expect(await api.delete(`/flow_runs/${id}/input/in-2`)).toMatchObject({ status: 204 });
    expect(await api.get(`/flow_runs/${id}/input/in-2`)).toMatchObject({ status: 404 });
    expect(
      await api.post(`/flow_runs/${UNKNOWN_ID}/input`, { key: "k", value: "v" }),
    ).toMatchObject({ status: 404 });
  });
});
