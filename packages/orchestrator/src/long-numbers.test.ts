// The answers are read digit by digit, so what is compared here is what their text holds.

import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { executeActions } from "./reacting/automations/actions.service.ts";
import { createTriggerPass } from "./reacting/automations/triggers/triggers.loop.ts";
import { createTaskRunRecorder } from "./runs/task-run-recorder/task-run-recorder.loop.ts";
import { advanceBackfills } from "./scheduling/backfills/backfill.loop.ts";
import { fillDueSchedules } from "./scheduling/scheduler/scheduler.service.ts";
import {
  createTestDeployment,
  createTestFlowRun,
  proposeFlow,
  readRecord,
} from "./testing/run-requests.ts";
import { describeEachApi, type TestApi } from "./testing.ts";

type Body = Readonly<Record<string, unknown>>;

const { signal } = new AbortController();
const NOW = "2026-11-14T12:00:00Z";

const NS = 1763110800123456789n;
const ID = -123456789012345678n;
const HUGE = 2n ** 70n;
const ALL = { ns: NS, deep: [{ id: ID }, HUGE], small: 7 };

async function posted(api: TestApi, path: string, body: unknown): Promise<Body & { id: string }> {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
  return answer.body as Body & { id: string };
}

const runsOf = async (api: TestApi, deployment: string): Promise<Body[]> => {
  const wanted = { deployments: { id: { any_: [deployment] } } };
  return (await api.post("/flow_runs/filter", wanted)).body as Body[];
};

describeEachApi("whole numbers that a number would alter", (open) => {
  test("are kept by runs in parameters, context and labels", async () => {
    await using api = await open();
    const given = { parameters: ALL, context: ALL, labels: { ns: NS, huge: HUGE } };
    const id = await createTestFlowRun(api, given);
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject(given);
    expect((await api.patch(`/flow_runs/${id}/labels`, { id: ID })).status).toBe(204);
    expect((await api.patch(`/flow_runs/${id}`, { parameters: { ns: ID } })).status).toBe(204);
    const changed = { parameters: { ns: ID }, labels: { ns: NS, huge: HUGE, id: ID } };
    expect((await api.post("/flow_runs/filter", {})).body).toMatchObject([changed]);
    expect((await api.post("/flow_runs/paginate", {})).body).toMatchObject({ results: [changed] });
  });

  test("are kept by deployments, merged into their runs, and polled with them", async () => {
    await using api = await open();
    await posted(api, "/work_pools/", { name: "main", type: "process" });
    const given = {
      parameters: { a: NS, b: 1 },
      job_variables: { env: { NS } },
      labels: { ns: NS },
      pull_steps: [{ step: { ns: NS } }],
      work_pool_name: "main",
    };
    const id = await createTestDeployment(api, given);
    expect(await readRecord(api, `/deployments/${id}`)).toMatchObject(given);
    expect((await api.patch(`/deployments/${id}`, { parameters: { a: HUGE } })).status).toBe(204);
    expect((await api.events()).at(-1)?.payload).toMatchObject({
      updates: { parameters: { from: { a: NS, b: 1 }, to: { a: HUGE } } },
    });
    const run = await posted(api, `/deployments/${id}/create_flow_run`, {
      parameters: { b: ID },
      job_variables: { pid: NS },
      context: ALL,
    });
    const expected = {
      parameters: { a: HUGE, b: ID },
      job_variables: { pid: NS },
      labels: { ns: NS },
      context: ALL,
    };
    expect(run).toMatchObject(expected);
    const polled = await api.post("/work_pools/main/get_scheduled_flow_runs", {});
    expect(polled.body).toMatchObject([{ flow_run: expected }]);
    const ofDeployment = { deployment_ids: [id] };
    const ofDeployments = await api.post("/deployments/get_scheduled_flow_runs", ofDeployment);
    expect(ofDeployments.body).toMatchObject([expected]);
    expect((await api.patch(`/flow_runs/${run.id}`, { job_variables: { x: HUGE } })).status).toBe(
      204,
    );
    expect(await readRecord(api, `/flow_runs/${run.id}`)).toMatchObject({
      job_variables: { x: HUGE },
    });
  });

  test("are judged exactly by the schema of the parameters", async () => {
    await using api = await open();
    const parameter_openapi_schema = {
      type: "object",
      properties: {
        id: { type: "integer", minimum: NS, maximum: NS + 10n, multipleOf: 2 },
        kind: { enum: [HUGE] },
        size: { type: "number" },
      },
    };
    const id = await createTestDeployment(api, {
      parameter_openapi_schema,
      enforce_parameter_schema: true,
    });
    expect(await readRecord(api, `/deployments/${id}`)).toMatchObject({ parameter_openapi_schema });
    const run = (parameters: Body) =>
      api.post(`/deployments/${id}/create_flow_run`, { parameters });
    expect(await run({ id: NS + 1n, kind: HUGE, size: HUGE })).toMatchObject({ status: 201 });
    expect(await run({ id: NS })).toMatchObject({ status: 422 });
    expect(await run({ id: NS + 11n })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(`at most ${NS + 10n}`) },
    });
    expect(await run({ kind: HUGE + 1n })).toMatchObject({ status: 422 });
    const validated = await api.post("/ui/schemas/validate", {
      schema: parameter_openapi_schema,
      values: { id: NS - 1n },
    });
    expect(validated.body).toMatchObject({ valid: false });
  });

  test("reach scheduled runs and those of backfills", async () => {
    const clock = manualClock(NOW);
    await using api = await open({ clock });
    const id = await createTestDeployment(api, {
      parameters: { a: NS, b: 1 },
      labels: { ns: NS },
      schedules: [
        { schedule: { cron: "0 * * * *" }, parameters: { b: HUGE }, max_scheduled_runs: 1 },
      ],
    });
    expect(await readRecord(api, `/deployments/${id}`)).toMatchObject({
      schedules: [{ parameters: { b: HUGE } }],
    });
    await fillDueSchedules(api.ctx, signal);
    const scheduled = { parameters: { a: NS, b: HUGE }, labels: { ns: NS } };
    expect(await runsOf(api, id)).toMatchObject([scheduled]);
    const backfill = await posted(api, `/deployments/${id}/backfill`, {
      start: "2026-11-01T00:00:00Z",
      end: "2026-11-01T00:59:00Z",
      parameters: { c: ID },
    });
    expect(backfill).toMatchObject({ parameters: { c: ID } });
    clock.advanceMs(2000);
    await advanceBackfills(api.ctx, signal);
    const filled = { parameters: { a: NS, b: HUGE, c: ID }, tags: ["backfill"] };
    expect(await runsOf(api, id)).toMatchObject(
      expect.arrayContaining([expect.objectContaining(filled)]),
    );
  });

  test("are kept in the data of states, and by a run that goes on with them", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const { state } = await proposeFlow(api, id, { type: "RUNNING", data: ALL });
    expect(state).toMatchObject({ data: ALL });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state: { data: ALL } });
    const paused = { type: "PAUSED", state_details: { pause_timeout: "2999-01-01T00:00:00Z" } };
    expect(await proposeFlow(api, id, { ...paused, data: ALL })).toMatchObject({
      status: "ACCEPT",
    });
    const refused = await api.post(`/flow_runs/${id}/set_state`, { state: { type: "PAUSED" } });
    expect(refused.body).toMatchObject({ state: { data: ALL } });
    const done = { type: "COMPLETED", data: { type: "result", ns: NS } };
    await proposeFlow(api, id, done, { force: true });
    const states = await api.get(`/flow_run_states/?flow_run_id=${id}`);
    expect(states.body).toMatchObject([{}, { data: ALL }, { data: ALL }, { data: done.data }]);
    const results = await api.post("/artifacts/filter", { sort: "CREATED_DESC" });
    expect(results.body).toMatchObject([{ data: done.data }, { data: ALL }, { data: ALL }]);
  });

  test("are kept in the input of a run that waited for it", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const keyset = { description: "d", response: "r", schema: "s" };
    const value = `{"type":"object","properties":{"ns":{"minimum":${NS}}}}`;
    await api.post(`/flow_runs/${id}/input`, { key: keyset.schema, value });
    const pause_timeout = "2999-01-01T00:00:00Z";
    const state_details = { run_input_keyset: keyset, pause_timeout };
    await proposeFlow(api, id, { type: "PAUSED", state_details });
    const resume = (ns: bigint) => api.post(`/flow_runs/${id}/resume`, { run_input: { ns } });
    expect((await resume(NS - 1n)).body).toMatchObject({ status: "REJECT" });
    expect((await resume(NS)).body).toMatchObject({ status: "ACCEPT" });
    const input = await api.get(`/flow_runs/${id}/input/${keyset.response}`);
    expect(input.body).toBe(`{"ns":${NS}}`);
  });

  test("come through webhooks, with and without a template", async () => {
    await using api = await open();
    const resource = { "prefect.resource.id": "order" };
    const plain = { name: "plain", event: "order.paid", resource };
    const template = `{"event":"order.paid","resource":{"prefect.resource.id":"order"},"payload":{{ body|tojson }}}`;
    for (const given of [plain, { name: "filled", template }]) {
      const { token } = await posted(api, "/webhooks/", given);
      expect((await api.post(`/webhooks/${String(token)}`, ALL)).status).toBe(200);
    }
    const paid = (await api.events()).filter(({ event }) => event === "order.paid");
    expect(paid).toMatchObject([{ payload: ALL }, { payload: ALL }]);
  });

  test("are kept by variables, artifacts and saved searches", async () => {
    await using api = await open();
    const variable = await posted(api, "/variables/", { name: "ns", value: NS });
    expect(await readRecord(api, "/variables/name/ns")).toMatchObject({ value: NS });
    expect((await api.patch(`/variables/${variable.id}`, { value: ALL })).status).toBe(204);
    expect((await api.post("/variables/filter", {})).body).toMatchObject([{ value: ALL }]);
    expect((await api.events()).at(-1)?.payload).toMatchObject({ value: ALL });
    const long = { name: "long", value: BigInt("9".repeat(4300)) };
    expect(await posted(api, "/variables/", long)).toMatchObject(long);

    const artifact = { key: "table", type: "table", data: [{ ns: NS }], metadata_: {} };
    const made = await posted(api, "/artifacts/", artifact);
    expect(made).toMatchObject({ data: [{ ns: NS }] });
    expect((await api.patch(`/artifacts/${made.id}`, { data: HUGE })).status).toBe(204);
    expect(await readRecord(api, `/artifacts/${made.id}`)).toMatchObject({ data: HUGE });
    expect(await readRecord(api, "/artifacts/table/latest")).toMatchObject({ data: HUGE });

    const filters = [{ object: "flow", property: "x", type: "y", operation: "=", value: NS }];
    const search = { name: "mine", filters };
    const saved = await api.request("PUT", "/saved_searches/", { body: search });
    expect(saved.body).toMatchObject({ filters });
    expect((await api.post("/saved_searches/filter", {})).body).toMatchObject([{ filters }]);
  });

  test("stand in a parameter for the variable that is named there", async () => {
    await using api = await open();
    await posted(api, "/variables/", { name: "ns", value: NS });
    const id = await createTestDeployment(api, {});
    const run = await posted(api, `/deployments/${id}/create_flow_run`, {
      parameters: {
        variable: { __prefect_kind: "workspace_variable", variable_name: "ns" },
        json: { __prefect_kind: "json", value: `{"id":${ID}}` },
      },
    });
    expect(run).toMatchObject({ parameters: { variable: NS, json: { id: ID } } });
  });

  test("are kept by blocks and in the schemas of blocks", async () => {
    await using api = await open();
    const type = await posted(api, "/block_types/", { name: "Plain", slug: "plain" });
    const fields = { type: "object", properties: { ns: { type: "integer", default: NS } } };
    const schema = await posted(api, "/block_schemas/", { block_type_id: type.id, fields });
    expect(schema).toMatchObject({ fields });
    const again = await posted(api, "/block_schemas/", { block_type_id: type.id, fields });
    expect(again.id).toBe(schema.id);
    const block = await posted(api, "/block_documents/", {
      name: "one",
      block_type_id: type.id,
      data: { ns: NS, deep: ALL },
    });
    const path = `/block_documents/${block.id}`;
    expect(await readRecord(api, path)).toMatchObject({ data: { ns: NS, deep: ALL } });
    expect((await api.patch(path, { data: { ns: HUGE } })).status).toBe(204);
    expect((await api.post("/block_documents/filter", {})).body).toMatchObject([
      { data: { ns: HUGE, deep: ALL } },
    ]);
  });

  test("are kept by work pools, and told to workers and in events", async () => {
    await using api = await open();
    const template = (ns: bigint) => ({
      job_configuration: { ns: "{{ ns }}" },
      variables: { type: "object", properties: { ns: { type: "integer", default: ns } } },
    });
    const pool = { name: "main", type: "process", base_job_template: template(NS) };
    expect(await posted(api, "/work_pools/", pool)).toMatchObject(pool);
    const changes = {
      base_job_template: template(HUGE),
      storage_configuration: { bundle_upload_step: { ns: NS } },
    };
    expect((await api.patch("/work_pools/main", changes)).status).toBe(204);
    expect(await readRecord(api, "/work_pools/main")).toMatchObject(changes);
    expect((await api.events()).at(-1)?.payload).toMatchObject({
      updates: { base_job_template: { from: template(NS), to: template(HUGE) } },
    });
    const old = await api.request("GET", "/work_pools/main", {
      headers: { "user-agent": "prefect/3.3.0 (API 0.8.4)" },
    });
    expect(old.body).toMatchObject(changes);
    const heartbeat = { name: "w", metadata: { integrations: [], ns: NS } };
    expect((await api.post("/work_pools/main/workers/heartbeat", heartbeat)).status).toBe(204);
  });

  test("are kept in events, whichever way they come", async () => {
    await using api = await open();
    const event = (id: number) => ({
      id: `0190a1b2-c3d4-4e5f-8a9b-${String(id).padStart(12, "0")}`,
      occurred: api.ctx.clock.now(),
      event: "order.paid",
      resource: { "prefect.resource.id": "order" },
      payload: ALL,
    });
    await using listener = await api.socket("/events/out");
    listener.send({ type: "filter", filter: { event: { name: ["order.paid"] } } });
    expect((await api.post("/events", [event(1)])).status).toBe(204);
    await using sender = await api.socket("/events/in");
    sender.send(event(2));
    await sender.ping();
    expect(await api.events()).toMatchObject([{ payload: ALL }, { payload: ALL }]);
    const found = await api.post("/events/filter", {
      filter: { text: { query: String(NS) } },
    });
    expect(found.body).toMatchObject({ events: [{ payload: ALL }, { payload: ALL }] });
    expect([await listener.next(), await listener.next()]).toMatchObject([
      { event: { payload: ALL } },
      { event: { payload: ALL } },
    ]);
  });

  test("come from a client's report about a task run", async () => {
    await using api = await open();
    const id = "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";
    await using sender = await api.socket("/events/in");
    sender.send({
      id: "0190a1b2-c3d4-4e5f-8a9b-000000000001",
      occurred: api.ctx.clock.now(),
      event: "prefect.task-run.Completed",
      resource: {
        "prefect.resource.id": `prefect.task-run.${id}`,
        "prefect.orchestration": "client",
      },
      payload: {
        validated_state: { type: "COMPLETED", name: "Completed", data: ALL },
        task_run: { task_key: "t", dynamic_key: "1", labels: { ns: NS } },
      },
    });
    await sender.ping();
    await createTaskRunRecorder(api.ctx)(signal);
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({
      labels: { ns: NS },
      state: { data: ALL },
    });
  });

  test("reach the run that an automation starts, as they are and by templates", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { parameters: { own: NS } });
    const parameters = {
      given: HUGE,
      from_event: "{{ event.payload.ns }}",
      larger: "{{ event.payload.deep[1] }}",
      text: "paid at {{ event.payload.ns }}",
    };
    const action = { type: "run-deployment", deployment_id: deployment, parameters };
    const trigger = {
      type: "event",
      expect: ["order.paid"],
      posture: "Reactive",
      threshold: 1,
      within: 0,
    };
    const automation = { name: "again", trigger, actions: [action] };
    const { id } = await posted(api, "/automations/", automation);
    expect(await readRecord(api, `/automations/${id}`)).toMatchObject({ actions: [action] });
    await api.post("/events", [
      {
        id: "0190a1b2-c3d4-4e5f-8a9b-000000000001",
        occurred: api.ctx.clock.now(),
        event: "order.paid",
        resource: { "prefect.resource.id": "order" },
        payload: ALL,
      },
    ]);
    await createTriggerPass(api.ctx)(signal);
    await executeActions(api.ctx, signal);
    expect(await runsOf(api, deployment)).toMatchObject([
      { parameters: { own: NS, given: HUGE, from_event: NS, larger: HUGE, text: `paid at ${NS}` } },
    ]);
    const told = (await api.events()).find(({ event }) => event.endsWith("automation.triggered"));
    expect(told?.payload).toMatchObject({ triggering_event: { payload: ALL } });
  });

  test.each([
    ["/flow_runs/filter", { limit: 99999999999999999999n }, "limit"],
    ["/flow_runs/filter", { offset: -99999999999999999999n }, "offset"],
    ["/work_pools/", { name: "x", concurrency_limit: NS }, "concurrency_limit"],
  ])("are refused by %s where a field takes fewer: %o", async (path, body, field) => {
    await using api = await open();
    expect(await api.post(path, body)).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          {
            loc: ["body", field],
            type: "int_parsing_size",
            msg: "Input should be a valid integer within ±9007199254740991",
            input: (body as Body)[field],
          },
        ],
        request_body: body,
      },
    });
  });

  test("are refused in the place of a text or a flag, and named in the answer", async () => {
    await using api = await open();
    const answer = await api.post("/variables/", { name: NS, value: HUGE, tags: [ID] });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          { loc: ["body", "name"], type: "string_type", input: NS },
          { loc: ["body", "tags", 0], type: "string_type", input: ID },
        ],
        request_body: { name: NS, value: HUGE, tags: [ID] },
      },
    });
  });
});
