import { DeploymentFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { DEPLOYMENT_LIST } from "../../lists/deployments.filter.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Body {
  readonly id: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

async function aFlow(api: TestApi, name = "etl", more: object = {}): Promise<string> {
  const { body } = await api.post("/flows/", { name, ...more });
  return (body as Body).id;
}

async function create(api: TestApi, given: object = {}): Promise<Body> {
  const flow_id = (given as { flow_id?: string }).flow_id ?? (await aFlow(api));
  const { status, body } = await api.post("/deployments/", { name: "nightly", flow_id, ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Body;
}

const read = async (api: TestApi, id: string) => (await api.get(`/deployments/${id}`)).body as Body;

const eventNames = async (api: TestApi) =>
  (await api.events()).map(({ event }) => event).filter((event) => event.includes(".deployment."));

describeEachApi("deployments", (open) => {
  test("are created with defaults, and answer 201 with the record", async () => {
    await using api = await open();
    const flow_id = await aFlow(api, "etl", { labels: { team: "data" } });
    const deployment = await create(api, { flow_id });
    expect(deployment).toMatchObject({
      name: "nightly",
      flow_id,
      version: null,
      paused: false,
      schedule: null,
      schedules: [],
      concurrency_limit: null,
      global_concurrency_limit: null,
      job_variables: {},
      parameters: {},
      tags: [],
      labels: { team: "data", "orchestrator.flow.id": flow_id },
      work_queue_name: null,
      work_pool_name: null,
      parameter_openapi_schema: {},
      enforce_parameter_schema: true,
      pull_steps: [],
      status: "NOT_READY",
      last_polled: null,
      created_by: null,
    });
    expect(await read(api, deployment.id)).toEqual(deployment);
    expect((await api.get("/deployments/name/etl/nightly")).body).toEqual(deployment);
    expect(await eventNames(api)).toEqual(["orchestrator.deployment.created"]);
  });

  test("keep everything that is given", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const given = {
      version: "1.2",
      description: "each night",
      tags: ["a", "b"],
      labels: { tier: 1 },
      parameters: { x: [1, null] },
      parameter_openapi_schema: { type: "object", properties: { x: { type: "array" } } },
      path: "/app",
      entrypoint: "flow.py:main",
      pull_steps: [{ "steps.set_working_directory": { directory: "/app" } }],
      job_variables: { env: { A: "1" } },
      concurrency_options: { collision_strategy: "CANCEL_NEW" },
      enforce_parameter_schema: false,
    };
    const deployment = await create(api, {
      ...given,
      work_pool_name: "local",
      work_queue_name: "fast",
    });
    expect(deployment).toMatchObject({
      ...given,
      work_pool_name: "local",
      work_queue_name: "fast",
    });
    expect(deployment["labels"]).toMatchObject({ tier: 1 });
  });

  test("take the default queue of their pool, and 404 tells that there is no such pool", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    expect(await create(api, { work_pool_name: "local" })).toMatchObject({
      work_pool_name: "local",
      work_queue_name: "default",
    });
    const flow_id = await aFlow(api);
    const answer = await api.post("/deployments/", {
      name: "other",
      flow_id,
      work_pool_name: "moon",
    });
    expect(answer.status).toBe(404);
    expect(await api.get("/deployments/name/etl/other")).toMatchObject({ status: 404 });
  });

  test("are refused a second time under the same name of the same flow", async () => {
    await using api = await open();
    const { flow_id } = await create(api);
    const answer = await api.post("/deployments/", { name: "nightly", flow_id });
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: "The flow has a deployment named nightly already" },
    });
    await create(api, { flow_id: await aFlow(api, "other") });
  });

  test.each([
    ["orchestrator", 404],
    ["prefect", 409],
  ] as const)(
    "of an unknown flow are refused in the way of the dialect %s",
    async (dialect, status) => {
      await using api = await open({ dialect });
      const answer = await api.post("/deployments/", { name: "x", flow_id: UNKNOWN_ID });
      expect(answer).toMatchObject({
        status,
        body: { detail: `Flow ${UNKNOWN_ID} does not exist` },
      });
    },
  );

  test("are replaced by a second one of the same name where clients expect that", async () => {
    await using api = await open({ dialect: "prefect" });
    const schedules = [{ schedule: { cron: "0 9 * * *" } }];
    const first = await create(api, { description: "one", path: "/a", schedules });
    const { flow_id } = first;
    const answer = await api.post("/deployments/", {
      name: "nightly",
      flow_id,
      description: "two",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: first.id, description: "two", path: "/a", schedules: [] },
    });
    const events = (await api.events()).filter(({ event }) => event.includes("deployment"));
    expect(events.map(({ event }) => event)).toEqual([
      "prefect.deployment.created",
      "prefect.deployment.updated",
    ]);
    expect(events[1]?.payload).toEqual({
      updated_fields: ["description"],
      updates: { description: { from: "one", to: "two" } },
    });
  });

  test("keep no parameters and labels of the one they replace", async () => {
    await using api = await open({ dialect: "prefect" });
    const given = { parameters: { region: "eu" }, labels: { team: "data" }, tags: ["daily"] };
    const { id, flow_id } = await create(api, given);
    const again = (body: object) =>
      api.post("/deployments/", { name: "nightly", flow_id, ...body });
    expect((await again({ labels: { cost: 3 } })).body).toMatchObject({ id, tags: ["daily"] });
    expect(await read(api, id)).toMatchObject({
      parameters: {},
      labels: { cost: 3, "prefect.flow.id": flow_id },
    });
    expect((await read(api, id))["labels"]).not.toHaveProperty("team");
    await again({});
    expect((await read(api, id))["labels"]).toEqual({ "prefect.flow.id": flow_id });
  });

  test("keep the pool of the one they replace, and its job variables unless they are given none", async () => {
    await using api = await open({ dialect: "prefect" });
    await api.post("/work_pools/", { name: "one", type: "process" });
    const job_variables = { env: { A: "1" } };
    const { id, flow_id } = await create(api, { work_pool_name: "one", job_variables });
    const again = (body: object) =>
      api.post("/deployments/", { name: "nightly", flow_id, ...body });
    await again({ work_pool_name: null, work_queue_name: null });
    expect(await read(api, id)).toMatchObject({ work_pool_name: "one", job_variables });
    await again({ job_variables: {} });
    expect(await read(api, id)).toMatchObject({ work_pool_name: "one", job_variables: {} });
  });

  test("tell every concurrency option", async () => {
    await using api = await open();
    const concurrency_options = { collision_strategy: "CANCEL_NEW" };
    const { id } = await create(api, { concurrency_limit: 1, concurrency_options });
    const options = async () => (await read(api, id))["concurrency_options"];
    expect(await options()).toEqual({ ...concurrency_options, grace_period_seconds: null });
    const strict = { collision_strategy: "ENQUEUE", grace_period_seconds: 90 };
    await api.patch(`/deployments/${id}`, { concurrency_options: strict });
    expect(await options()).toEqual(strict);
  });

  test("let one of many concurrent creates of a name win", async () => {
    await using api = await open();
    const flow_id = await aFlow(api);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post("/deployments/", { name: "nightly", flow_id })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test.each([
    [
      { concurrency_limit: 1, global_concurrency_limit_id: UNKNOWN_ID },
      ["body", "global_concurrency_limit_id"],
    ],
    [{ concurrency_limit: 0 }, ["body", "concurrency_limit"]],
    [{ schedule: { cron: "* * * * *" }, schedules: [] }, ["body", "schedules"]],
    [{ schedule: { cron: "61 * * * *" } }, ["body", "schedule", "cron"]],
    [
      { schedules: [{ schedule: { cron: "* * * * *", timezone: "Mars/Base" } }] },
      ["body", "schedules", 0, "schedule", "timezone"],
    ],
    [
      { schedules: [{ schedule: { interval: 60, cron: "* * * * *" } }] },
      ["body", "schedules", 0, "schedule"],
    ],
    [
      { schedules: [{ schedule: { interval: 60, day_or: true } }] },
      ["body", "schedules", 0, "schedule", "day_or"],
    ],
    [
      { schedules: [{ schedule: { rrule: "FREQ=SOMETIMES" } }] },
      ["body", "schedules", 0, "schedule", "rrule"],
    ],
    [{ schedules: [{ schedule: {} }] }, ["body", "schedules", 0, "schedule"]],
    [
      { schedules: [{ schedule: { interval: 0 } }] },
      ["body", "schedules", 0, "schedule", "interval"],
    ],
    [
      { schedules: [{ schedule: { interval: 60, anchor_date: "1500-01-01T00:00:00Z" } }] },
      ["body", "schedules", 0, "schedule", "anchor_date"],
    ],
    [
      { schedules: [{ schedule: { interval: 60, anchor_date: "yesterday" } }] },
      ["body", "schedules", 0, "schedule", "anchor_date"],
    ],
    [
      { enforce_parameter_schema: true, parameter_openapi_schema: { type: "nonsense" } },
      ["body", "parameter_openapi_schema"],
    ],
    [
      {
        enforce_parameter_schema: true,
        parameter_openapi_schema: { properties: { x: { type: "integer" } } },
        parameters: { x: "no" },
      },
      ["body", "parameters"],
    ],
    [
      {
        enforce_parameter_schema: true,
        parameter_openapi_schema: { properties: { x: { $ref: "#/definitions/X" } } },
        parameters: { x: 1 },
      },
      ["body", "parameter_openapi_schema"],
    ],
    [{ parameters: { x: "y".repeat(600_000) } }, ["body", "parameters"]],
    [{ colour: "red" }, ["body", "colour"]],
    [{ name: "a/b" }, ["body", "name"]],
  ])("refuse %j and say where it is wrong", async (given, loc) => {
    await using api = await open();
    const flow_id = await aFlow(api);
    const answer = await api.post("/deployments/", { name: "nightly", flow_id, ...given });
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc }] } });
    expect(await api.post("/deployments/count")).toMatchObject({ body: 0 });
  });

  test("check job variables against the pool's template", async () => {
    await using api = await open();
    const base_job_template = {
      job_configuration: { command: "{{ command }}" },
      variables: {
        type: "object",
        properties: { command: { type: "string" } },
        required: ["command"],
      },
    };
    await api.post("/work_pools/", { name: "local", type: "process", base_job_template });
    const flow_id = await aFlow(api);
    const given = { name: "nightly", flow_id, work_pool_name: "local" };
    const answer = await api.post("/deployments/", { ...given, job_variables: { command: 1 } });
    expect(answer).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "job_variables"] }] },
    });
    const { id } = await create(api, given);
    const changed = await api.patch(`/deployments/${id}`, { job_variables: { command: [] } });
    expect(changed.status).toBe(409);
    const run = await api.post(`/deployments/${id}/create_flow_run`, {});
    expect(run.status).toBe(422);
    const good = await api.post(`/deployments/${id}/create_flow_run`, {
      job_variables: { command: "ls" },
    });
    expect(good).toMatchObject({ status: 201, body: { job_variables: { command: "ls" } } });
  });

  test("change only in what is given, and tell what changed", async () => {
    await using api = await open();
    const { id } = await create(api, { description: "one", tags: ["a"], parameters: { x: 1 } });
    const answer = await api.patch(`/deployments/${id}`, {
      description: null,
      tags: ["b"],
      version: "2",
    });
    expect(answer.status).toBe(204);
    expect(await read(api, id)).toMatchObject({
      description: null,
      tags: ["b"],
      version: "2",
      parameters: { x: 1 },
    });
    const event = (await api.events()).at(-1);
    expect(event).toMatchObject({
      event: "orchestrator.deployment.updated",
      resource: { "orchestrator.resource.id": `orchestrator.deployment.${id}` },
      payload: {
        updated_fields: ["description", "tags", "version"],
        updates: { tags: { from: ["a"], to: ["b"] }, version: { from: null, to: "2" } },
      },
    });
  });

  test("that stay the same are not updated and tell no one", async () => {
    await using api = await open();
    const before = await create(api, { tags: ["a"] });
    await api.patch(`/deployments/${before.id}`, { tags: ["a"], job_variables: {} });
    expect(await read(api, before.id)).toEqual(before);
    expect(await eventNames(api)).toHaveLength(1);
  });

  test("lose their job variables when they are given none", async () => {
    await using api = await open();
    const { id } = await create(api, { job_variables: { env: { A: "1" } } });
    await api.patch(`/deployments/${id}`, { job_variables: null });
    expect(await read(api, id)).toMatchObject({ job_variables: { env: { A: "1" } } });
    await api.patch(`/deployments/${id}`, { job_variables: {} });
    expect(await read(api, id)).toMatchObject({ job_variables: {} });
  });

  test("take an empty name of a pool or a queue for none", async () => {
    await using api = await open();
    expect(await create(api, { name: "nowhere", work_pool_name: "" })).toMatchObject({
      work_pool_name: null,
    });
    await api.post("/work_pools/", { name: "one", type: "process" });
    const place = { work_pool_name: "one", work_queue_name: "default" };
    const { id } = await create(api, { work_pool_name: "one", work_queue_name: "" });
    expect(await read(api, id)).toMatchObject(place);
    const answer = await api.patch(`/deployments/${id}`, {
      work_pool_name: "",
      work_queue_name: "",
    });
    expect(answer.status).toBe(204);
    expect(await read(api, id)).toMatchObject(place);
    const run = await api.post(`/deployments/${id}/create_flow_run`, { work_queue_name: "" });
    expect(run).toMatchObject({ status: 201, body: place });
  });

  test("let go of options for their limit that are not known", async () => {
    await using api = await open();
    const concurrency_options = { collision_strategy: "CANCEL_NEW", another: 1 };
    const { id } = await create(api, { concurrency_limit: 1, concurrency_options });
    expect((await read(api, id))["concurrency_options"]).toEqual({
      collision_strategy: "CANCEL_NEW",
      grace_period_seconds: null,
    });
  });

  test("move between pools and queues", async () => {
    await using api = await open();
    for (const name of ["one", "two"]) await api.post("/work_pools/", { name, type: "process" });
    const { id } = await create(api, { work_pool_name: "one" });
    await api.patch(`/deployments/${id}`, { work_queue_name: "fast" });
    expect(await read(api, id)).toMatchObject({ work_pool_name: "one", work_queue_name: "fast" });
    await api.patch(`/deployments/${id}`, { work_pool_name: "two" });
    expect(await read(api, id)).toMatchObject({
      work_pool_name: "two",
      work_queue_name: "default",
    });
    await api.patch(`/deployments/${id}`, { work_pool_name: null });
    expect(await read(api, id)).toMatchObject({ work_pool_name: null, work_queue_id: null });
  });

  test("have their parameters worked out and checked when these change", async () => {
    await using api = await open();
    await api.post("/variables/", { name: "region", value: "eu" });
    const parameter_openapi_schema = {
      properties: { x: { type: "integer" }, where: { type: "string" } },
      required: ["x", "where"],
    };
    const { id } = await create(api, { parameter_openapi_schema });
    const patch = (parameters: object) => api.patch(`/deployments/${id}`, { parameters });
    const where = { __prefect_kind: "workspace_variable", variable_name: "region" };
    expect(await patch({ where })).toMatchObject({ status: 204 });
    expect(await read(api, id)).toMatchObject({ parameters: { where: "eu" } });
    expect(await patch({ x: "one" })).toMatchObject({ status: 422 });
    expect(await patch({ x: { ...where, variable_name: "none" } })).toMatchObject({ status: 400 });
    expect(await read(api, id)).toMatchObject({ parameters: { where: "eu" } });
  });

  test("have a limit of their own, changed and taken away by a number and null", async () => {
    await using api = await open();
    const { id, global_concurrency_limit } = await create(api, { concurrency_limit: 3 });
    expect(global_concurrency_limit).toMatchObject({
      name: `deployment:${id}`,
      limit: 3,
      active_slots: 0,
    });
    await api.patch(`/deployments/${id}`, { concurrency_limit: 5 });
    expect(await read(api, id)).toMatchObject({
      concurrency_limit: null,
      global_concurrency_limit: { limit: 5 },
    });
    await api.patch(`/deployments/${id}`, { concurrency_limit: null });
    expect(await read(api, id)).toMatchObject({ global_concurrency_limit: null });
    expect(await api.get(`/v2/concurrency_limits/deployment:${id}`)).toMatchObject({ status: 404 });
  });

  test("share a limit by its id, and leave it where it is", async () => {
    await using api = await open();
    const { body } = await api.post("/v2/concurrency_limits/", { name: "shared", limit: 2 });
    const limit = body as Body;
    const { id } = await create(api, { concurrency_limit: 1 });
    await api.patch(`/deployments/${id}`, {
      concurrency_limit: null,
      global_concurrency_limit_id: limit.id,
    });
    expect(await read(api, id)).toMatchObject({ global_concurrency_limit: { id: limit.id } });
    const answer = await api.patch(`/deployments/${id}`, {
      global_concurrency_limit_id: UNKNOWN_ID,
    });
    expect(answer.status).toBe(404);
    await api.delete(`/deployments/${id}`);
    expect(await api.get("/v2/concurrency_limits/shared")).toMatchObject({ status: 200 });
  });

  test("are deleted with their limit and schedules, and leave what ran", async () => {
    await using api = await open();
    const { id } = await create(api, { concurrency_limit: 1, schedule: { cron: "* * * * *" } });
    const waiting = await api.post(`/deployments/${id}/create_flow_run`, {});
    const heldUp = await api.post(`/deployments/${id}/create_flow_run`, {
      state: { type: "SCHEDULED", name: "AwaitingConcurrencySlot" },
    });
    const ran = await api.post(`/deployments/${id}/create_flow_run`, {
      state: { type: "COMPLETED" },
    });
    expect(await api.delete(`/deployments/${id}`)).toMatchObject({ status: 204 });
    expect(await api.get(`/flow_runs/${(heldUp.body as Body).id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/deployments/${id}`)).toMatchObject({ status: 404 });
    expect(await api.delete(`/deployments/${id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/v2/concurrency_limits/deployment:${id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/flow_runs/${(waiting.body as Body).id}`)).toMatchObject({ status: 404 });
    const left = await api.get(`/flow_runs/${(ran.body as Body).id}`);
    expect(left).toMatchObject({ status: 200, body: { deployment_id: id } });
    expect((await eventNames(api)).at(-1)).toBe("orchestrator.deployment.deleted");
  });

  test("are deleted many at a time", async () => {
    await using api = await open();
    const flow_id = await aFlow(api);
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await create(api, { flow_id, name })).id);
    const deployments = { name: { any_: ["a", "c"] } };
    const answer = await api.post("/deployments/bulk_delete", { deployments });
    const { deleted } = answer.body as { deleted: string[] };
    expect(new Set(deleted)).toEqual(new Set([ids[0], ids[2]]));
    expect(deleted).toHaveLength(2);
    expect(await api.post("/deployments/count")).toMatchObject({ body: 1 });
  });

  test("are listed, counted and paged by what is asked of them and of what is around them", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const one = await aFlow(api, "one");
    const two = await aFlow(api, "two");
    await create(api, { flow_id: one, name: "a", tags: ["x"], work_pool_name: "local" });
    await create(api, { flow_id: two, name: "b", paused: true, concurrency_limit: 2 });
    const names = async (body: object) =>
      ((await api.post("/deployments/filter", body)).body as Body[]).map(({ name }) => name);
    expect(await names({})).toEqual(["a", "b"]);
    expect(await names({ sort: "NAME_DESC" })).toEqual(["b", "a"]);
    expect(await names({ flows: { name: { any_: ["two"] } } })).toEqual(["b"]);
    expect(await names({ work_pools: { name: { any_: ["local"] } } })).toEqual(["a"]);
    expect(await names({ deployments: { paused: { eq_: true } } })).toEqual(["b"]);
    expect(await names({ deployments: { flow_id: { any_: [two] } } })).toEqual(["b"]);
    expect(await names({ deployments: { work_pool_name: { any_: ["local"] } } })).toEqual(["a"]);
    expect(await names({ deployments: { flow_or_deployment_name: { like_: "one" } } })).toEqual([
      "a",
    ]);
    expect(await names({ deployments: { tags: { all_: ["x"] } }, limit: 5 })).toEqual(["a"]);
    const count = await api.post("/deployments/count", { deployments: { paused: { eq_: false } } });
    expect(count.body).toBe(1);
    const page = await api.post("/deployments/paginate", { limit: 1, page: 2 });
    expect(page.body).toMatchObject({ results: [{ name: "b" }], count: 2, pages: 2, page: 2 });
  });

  test("that do not exist are not found, whatever is asked of them", async () => {
    await using api = await open();
    const id = UNKNOWN_ID;
    const answers = await Promise.all([
      api.get(`/deployments/${id}`),
      api.get("/deployments/name/no/such"),
      api.patch(`/deployments/${id}`, {}),
      api.delete(`/deployments/${id}`),
      api.post(`/deployments/${id}/create_flow_run`, {}),
      api.post(`/deployments/${id}/create_flow_run/bulk`, []),
      api.post(`/deployments/${id}/pause_deployment`),
      api.post(`/deployments/${id}/set_schedule_active`),
      api.post(`/deployments/${id}/schedule`, {}),
      api.post(`/deployments/${id}/schedule`, { schedule: { cron: "* * * * *" } }),
      api.get(`/deployments/${id}/schedules`),
      api.post(`/deployments/${id}/schedules`, []),
      api.post(`/deployments/${id}/schedules/preview`),
      api.patch(`/deployments/${id}/schedules/${id}`, {}),
      api.delete(`/deployments/${id}/schedules/${id}`),
      api.get(`/deployments/${id}/work_queue_check`),
      api.get("/deployments/not-a-uuid"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  test("answer an old question about queues with none", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.get(`/deployments/${id}/work_queue_check`)).toMatchObject({
      status: 200,
      body: [],
    });
  });
});

test("every attribute that can be filtered is documented, and the other way round", () => {
  const { concurrency_limit: _, ...documented } = describeFilterSchema(DeploymentFilter) as Record<
    string,
    unknown
  >;
  expect(describeListFilter(DEPLOYMENT_LIST)).toEqual(documented);
});
