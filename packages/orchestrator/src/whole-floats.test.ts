// What is compared is the text of the answers: read as JSON is usually read, they would not tell
// 1.0 from 1.

import { floatOf, isFloat, readJson, writeJson } from "@orchestrator/exact-json";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { executeActions } from "./reacting/automations/actions.service.ts";
import { createTriggerPass } from "./reacting/automations/triggers/triggers.loop.ts";
import { createTaskRunRecorder } from "./runs/task-run-recorder/task-run-recorder.loop.ts";
import { advanceBackfills } from "./scheduling/backfills/backfill.loop.ts";
import { fillDueSchedules } from "./scheduling/scheduler/scheduler.service.ts";
import { createTestDeployment, createTestFlowRun, proposeFlow } from "./testing/run-requests.ts";
import { describeEachApi, type TestApi } from "./testing.ts";

type Body = Readonly<Record<string, unknown>>;

const { signal } = new AbortController();

const ONE = floatOf(1);
const TWO = floatOf(2);
const ALL = {
  one: ONE,
  deep: [{ zero: floatOf(0) }, floatOf(-300), floatOf(3e16)],
  whole: 1,
  part: 0.5,
  id: 2n ** 64n,
};

/** As it was written, to compare with what was to be written. */
function asWritten<T>(value: T): T {
  return spelled(value) as T;
}

function spelled(value: unknown): unknown {
  if (isFloat(value)) return `float ${writeJson(value)}`;
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spelled(item)]));
}

async function ask(api: TestApi, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await api.request(method, path, { body });
  expect([answer.status, answer.text]).toEqual([
    expect.toBeOneOf([200, 201, 204]),
    expect.any(String),
  ]);
  return answer.text === "" ? null : asWritten(readJson(answer.text));
}

const get = (api: TestApi, path: string) => ask(api, "GET", path);
const post = (api: TestApi, path: string, body: unknown = {}) => ask(api, "POST", path, body);
const patch = (api: TestApi, path: string, body: unknown) => ask(api, "PATCH", path, body);
const idOf = (made: unknown): string => (made as { readonly id: string }).id;

const runsOf = (api: TestApi, deployment: string) =>
  post(api, "/flow_runs/filter", { deployments: { id: { any_: [deployment] } } });

const payloadsOf = async (api: TestApi, name: string): Promise<unknown> => {
  const found = await post(api, "/events/filter", { filter: { event: { name: [name] } } });
  return (found as { events: Body[] }).events.map(({ payload }) => payload);
};

const event = (api: TestApi, id: number) => ({
  id: `0190a1b2-c3d4-4e5f-8a9b-${String(id).padStart(12, "0")}`,
  occurred: api.ctx.clock.now(),
  event: "order.paid",
  resource: { "prefect.resource.id": "order" },
  payload: ALL,
});

describeEachApi("whole numbers that were written as floats", (open) => {
  test("are kept by runs in parameters, context and labels", async () => {
    await using api = await open();
    const given = { parameters: ALL, context: ALL, labels: { one: ONE, whole: 1 } };
    const id = await createTestFlowRun(api, given);
    expect(await get(api, `/flow_runs/${id}`)).toMatchObject(asWritten(given));
    await patch(api, `/flow_runs/${id}/labels`, { two: TWO });
    await patch(api, `/flow_runs/${id}`, { parameters: { two: TWO } });
    const changed = { parameters: { two: TWO }, labels: { one: ONE, whole: 1, two: TWO } };
    expect(await post(api, "/flow_runs/filter")).toMatchObject([asWritten(changed)]);
  });

  test("are kept by deployments, merged into their runs, and polled with them", async () => {
    await using api = await open();
    await post(api, "/work_pools/", { name: "main", type: "process" });
    const given = {
      parameters: { a: ONE, b: 1 },
      job_variables: { env: { ONE } },
      labels: { one: ONE },
      pull_steps: [{ step: { one: ONE } }],
      work_pool_name: "main",
    };
    const id = await createTestDeployment(api, given);
    expect(await get(api, `/deployments/${id}`)).toMatchObject(asWritten(given));
    await patch(api, `/deployments/${id}`, { parameters: { a: TWO } });
    const body = { parameters: { b: ONE }, job_variables: { cpu: TWO }, context: ALL };
    const run = await post(api, `/deployments/${id}/create_flow_run`, body);
    const expected = { ...body, parameters: { a: TWO, b: ONE } };
    expect(run).toMatchObject(asWritten(expected));
    expect(await post(api, "/work_pools/main/get_scheduled_flow_runs")).toMatchObject([
      { flow_run: asWritten(expected) },
    ]);
    expect(
      await post(api, "/deployments/get_scheduled_flow_runs", { deployment_ids: [id] }),
    ).toMatchObject([asWritten(expected)]);
  });

  test("are whole numbers to the schema of the parameters, which keeps its own", async () => {
    await using api = await open();
    const parameter_openapi_schema = {
      type: "object",
      properties: {
        count: { type: "integer", minimum: ONE, maximum: 10, multipleOf: TWO, default: TWO },
        kind: { enum: [ONE, "x"] },
        only: { const: 3 },
        size: { type: "number", exclusiveMaximum: floatOf(5) },
        name: { type: "string" },
        more: { type: "object" },
      },
    };
    const given = { parameter_openapi_schema, enforce_parameter_schema: true };
    const id = await createTestDeployment(api, given);
    expect(await get(api, `/deployments/${id}`)).toMatchObject(
      asWritten({ parameter_openapi_schema }),
    );
    const statusOf = async (parameters: Body): Promise<number> =>
      (await api.post(`/deployments/${id}/create_flow_run`, { parameters })).status;
    const fitting = { count: floatOf(4), kind: 1, only: floatOf(3), size: floatOf(4) };
    expect(await statusOf(fitting)).toBe(201);
    expect(await statusOf({ count: 4, kind: ONE, only: 3 })).toBe(201);
    for (const wrong of [
      { count: floatOf(3) },
      { count: floatOf(12) },
      { kind: TWO },
      { only: floatOf(4) },
      { size: floatOf(5) },
      { name: ONE },
      { more: ONE },
    ])
      expect([wrong, await statusOf(wrong)]).toMatchObject([wrong, 422]);
  });

  test("reach scheduled runs and those of backfills", async () => {
    const clock = manualClock("2026-11-14T12:00:00Z");
    await using api = await open({ clock });
    const id = await createTestDeployment(api, {
      parameters: { a: ONE, b: 1 },
      schedules: [
        { schedule: { cron: "0 * * * *" }, parameters: { b: TWO }, max_scheduled_runs: ONE },
      ],
    });
    await fillDueSchedules(api.ctx, signal);
    expect(await runsOf(api, id)).toMatchObject([asWritten({ parameters: { a: ONE, b: TWO } })]);
    await post(api, `/deployments/${id}/backfill`, {
      start: "2026-11-01T00:00:00Z",
      end: "2026-11-01T00:59:00Z",
      parameters: { c: ONE },
    });
    clock.advanceMs(2000);
    await advanceBackfills(api.ctx, signal);
    expect(await runsOf(api, id)).toContainEqual(
      expect.objectContaining(asWritten({ parameters: { a: ONE, b: TWO, c: ONE } })),
    );
  });

  test("are kept in the data of states, and in the input of a run that waited for it", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    await proposeFlow(api, id, { type: "RUNNING", data: ALL });
    expect(await get(api, `/flow_runs/${id}`)).toMatchObject({ state: asWritten({ data: ALL }) });
    const keyset = { description: "d", response: "r", schema: "s" };
    const value = '{"type":"object","properties":{"one":{"type":"integer"}}}';
    await post(api, `/flow_runs/${id}/input`, { key: keyset.schema, value });
    const state_details = { run_input_keyset: keyset, pause_timeout: "2999-01-01T00:00:00Z" };
    await proposeFlow(api, id, { type: "PAUSED", state_details, data: ALL });
    const resumed = await post(api, `/flow_runs/${id}/resume`, { run_input: { one: ONE } });
    expect(resumed).toMatchObject({ status: "ACCEPT" });
    expect((await api.get(`/flow_runs/${id}/input/r`)).body).toBe('{"one":1.0}');
  });

  test("come through webhooks, with and without a template", async () => {
    await using api = await open();
    const resource = { "prefect.resource.id": "order" };
    const plain = { name: "plain", event: "order.paid", resource };
    const template = `{"event":"order.paid","resource":{"prefect.resource.id":"order"},"payload":{{ body|tojson }}}`;
    for (const given of [plain, { name: "filled", template }]) {
      const { token } = (await post(api, "/webhooks/", given)) as { token: string };
      await post(api, `/webhooks/${token}`, ALL);
    }
    expect(await payloadsOf(api, "order.paid")).toMatchObject([asWritten(ALL), asWritten(ALL)]);
  });

  test("are kept by variables, artifacts, saved searches and blocks", async () => {
    await using api = await open();
    const variable = await post(api, "/variables/", { name: "one", value: ONE });
    expect(await get(api, "/variables/name/one")).toMatchObject(asWritten({ value: ONE }));
    await patch(api, `/variables/${idOf(variable)}`, { value: ALL });
    expect(await post(api, "/variables/filter")).toMatchObject([asWritten({ value: ALL })]);

    const artifact = { key: "table", type: "table", data: [{ one: ONE }] };
    const made = await post(api, "/artifacts/", artifact);
    expect(made).toMatchObject(asWritten(artifact));
    await patch(api, `/artifacts/${idOf(made)}`, { data: TWO });
    expect(await get(api, "/artifacts/table/latest")).toMatchObject(asWritten({ data: TWO }));

    const filters = [{ object: "flow", property: "x", type: "y", operation: "=", value: ONE }];
    await ask(api, "PUT", "/saved_searches/", { name: "mine", filters });
    expect(await post(api, "/saved_searches/filter")).toMatchObject([asWritten({ filters })]);

    const type = idOf(await post(api, "/block_types/", { name: "Plain", slug: "plain" }));
    const fields = { type: "object", properties: { one: { type: "number", default: ONE } } };
    const schema = await post(api, "/block_schemas/", { block_type_id: type, fields });
    expect(schema).toMatchObject(asWritten({ fields }));
    const data = { one: 1, deep: ALL };
    const block = await post(api, "/block_documents/", { name: "b", block_type_id: type, data });
    await patch(api, `/block_documents/${idOf(block)}`, { data: { one: ONE } });
    expect(await post(api, "/block_documents/filter")).toMatchObject([
      asWritten({ data: { one: ONE, deep: ALL } }),
    ]);
  });

  test("stand in a parameter for the variable that is named there", async () => {
    await using api = await open();
    await post(api, "/variables/", { name: "one", value: ONE });
    const id = await createTestDeployment(api, {});
    const run = await post(api, `/deployments/${id}/create_flow_run`, {
      parameters: {
        variable: { __prefect_kind: "workspace_variable", variable_name: "one" },
        json: { __prefect_kind: "json", value: '{"two":2.0}' },
      },
    });
    expect(run).toMatchObject(asWritten({ parameters: { variable: ONE, json: { two: TWO } } }));
  });

  test("are kept by work pools", async () => {
    await using api = await open();
    const base_job_template = {
      job_configuration: { cpu: "{{ cpu }}" },
      variables: { type: "object", properties: { cpu: { type: "number", default: ONE } } },
    };
    const pool = { name: "main", type: "process", base_job_template };
    expect(await post(api, "/work_pools/", pool)).toMatchObject(asWritten(pool));
    const old = await api.request("GET", "/work_pools/main", {
      headers: { "user-agent": "prefect/3.3.0 (API 0.8.4)" },
    });
    expect(asWritten(readJson(old.text))).toMatchObject(asWritten(pool));
  });

  test("are kept in events, and reach runs that automations start, also by templates", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { parameters: { own: ONE } });
    const parameters = {
      given: TWO,
      from_event: "{{ event.payload.one }}",
      text: "paid {{ event.payload.one }} of {{ event.payload.whole }}",
    };
    const actions = [{ type: "run-deployment", deployment_id: deployment, parameters }];
    const expected = ["order.paid"];
    const trigger = {
      type: "event",
      expect: expected,
      posture: "Reactive",
      threshold: ONE,
      within: 0,
    };
    const automation = await post(api, "/automations/", { name: "again", trigger, actions });
    expect(await get(api, `/automations/${idOf(automation)}`)).toMatchObject({
      trigger: { threshold: 1 },
      actions: [asWritten({ parameters })],
    });
    await post(api, "/events", [event(api, 1)]);
    await using sender = await api.socket("/events/in");
    sender.send(event(api, 2));
    await sender.ping();
    expect(await payloadsOf(api, "order.paid")).toMatchObject([asWritten(ALL), asWritten(ALL)]);
    await createTriggerPass(api.ctx)(signal);
    await executeActions(api.ctx, signal);
    expect(await runsOf(api, deployment)).toContainEqual(
      expect.objectContaining(
        asWritten({ parameters: { own: ONE, given: TWO, from_event: ONE, text: "paid 1.0 of 1" } }),
      ),
    );
  });

  test("come from a client's report about a task run", async () => {
    await using api = await open();
    const id = "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";
    await post(api, "/events", [
      {
        ...event(api, 1),
        event: "prefect.task-run.Completed",
        resource: {
          "prefect.resource.id": `prefect.task-run.${id}`,
          "prefect.orchestration": "client",
        },
        payload: {
          validated_state: { type: "COMPLETED", name: "Completed", data: ALL },
          task_run: {
            task_key: "t",
            dynamic_key: "1",
            labels: { one: ONE },
            run_count: ONE,
            empirical_policy: { retries: TWO, retry_delay: [ONE], retry_jitter_factor: ONE },
          },
        },
      },
    ]);
    await createTaskRunRecorder(api.ctx)(signal);
    expect(await get(api, `/task_runs/${id}`)).toMatchObject({
      labels: asWritten({ one: ONE }),
      state: asWritten({ data: ALL }),
      run_count: 1,
      empirical_policy: { retries: 2, retry_delay: [1], retry_jitter_factor: 1 },
    });
  });

  test("are numbers where a field takes one", async () => {
    await using api = await open();
    await createTestFlowRun(api);
    const unix = floatOf(Date.parse("2500-01-01T00:00:00Z") / 1000);
    const state = { type: "SCHEDULED", state_details: { scheduled_time: unix } };
    await createTestFlowRun(api, { state, empirical_policy: { retries: TWO, retry_delay: ONE } });
    const flow_runs = { state: { type: { any_: ["SCHEDULED"] } } };
    const wanted = { limit: ONE, offset: floatOf(0), flow_runs };
    expect(await post(api, "/flow_runs/filter", wanted)).toMatchObject([
      {
        empirical_policy: { retries: 2, retry_delay: 1 },
        next_scheduled_start_time: "2500-01-01T00:00:00.000000Z",
      },
    ]);
    const pool = { name: "main", type: "process", concurrency_limit: ONE, is_paused: floatOf(0) };
    expect(await post(api, "/work_pools/", pool)).toMatchObject({
      concurrency_limit: 1,
      is_paused: false,
    });
  });

  test("are refused where another kind of value belongs, and shown as they were sent", async () => {
    await using api = await open();
    const body = { name: ONE, value: TWO, tags: [ONE] };
    const answer = await api.post("/variables/", body);
    expect([answer.status, asWritten(readJson(answer.text))]).toMatchObject([
      422,
      {
        exception_detail: [
          asWritten({ loc: ["body", "name"], type: "string_type", input: ONE }),
          asWritten({ loc: ["body", "tags", 0], type: "string_type", input: ONE }),
        ],
        request_body: asWritten(body),
      },
    ]);
    const flow_id = idOf(await post(api, "/flows/", { name: "etl" }));
    for (const wrong of [{ parameters: ONE }, { labels: ONE }, { tags: ONE }, { state: ONE }])
      expect([wrong, await api.post("/flow_runs/", { flow_id, ...wrong })]).toMatchObject([
        wrong,
        { status: 422 },
      ]);
    expect(await api.post("/flow_runs/filter", { limit: floatOf(1000) })).toMatchObject({
      status: 422,
      body: { detail: "Invalid limit: must be less than or equal to 200." },
    });
    expect(await api.post("/flow_runs/filter", { limit: floatOf(1e17) })).toMatchObject({
      status: 422,
    });
  });
});
