import { AutomationFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { AUTOMATION_LIST } from "./automations.filter.ts";

type Body = Readonly<Record<string, unknown>>;

const ID = "01980000-0000-7000-8000-000000000001";
const EVENT = { type: "event", expect: ["orchestrator.flow-run.Failed"], posture: "Reactive" };
const ACTIONS = [{ type: "cancel-flow-run" }];

async function create(api: TestApi, given: Body = {}): Promise<Body & { readonly id: string }> {
  const body = { name: "watch", trigger: EVENT, actions: ACTIONS, ...given };
  const answer = await api.post("/automations/", body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Body & { id: string };
}

async function names(api: TestApi, body: Body = {}): Promise<string[]> {
  const answer = await api.post("/automations/filter", body);
  return (answer.body as { name: string }[]).map(({ name }) => name);
}

const REFUSED: readonly (readonly [string, Body])[] = [
  ["no name", { name: undefined }],
  ["a key that is not known", { colour: "red" }],
  ["an unknown posture", { trigger: { ...EVENT, posture: "Metric" } }],
  ["no posture", { trigger: { type: "event", expect: [] } }],
  ["an unknown type of trigger", { trigger: { ...EVENT, type: "metric" } }],
  ["a window of null", { trigger: { ...EVENT, within: null } }],
  ["a window below 0", { trigger: { ...EVENT, within: -1 } }],
  ["a threshold of 0", { trigger: { ...EVENT, threshold: 0 } }],
  ["an absence of 5 seconds", { trigger: { ...EVENT, posture: "Proactive", within: 5 } }],
  [
    "more required than there are",
    { trigger: { type: "compound", within: 1, require: 2, triggers: [EVENT] } },
  ],
  ["none required", { trigger: { type: "compound", within: 1, require: 0, triggers: [EVENT] } }],
  [
    "a compound trigger without a window",
    { trigger: { type: "compound", require: "any", triggers: [EVENT] } },
  ],
  ["an action that is not known", { actions: [{ type: "declare-incident" }] }],
  ["a selected deployment without an id", { actions: [{ type: "run-deployment" }] }],
  [
    "an inferred deployment with an id",
    { actions: [{ type: "run-deployment", source: "inferred", deployment_id: ID }] },
  ],
  [
    "a template that cannot be read",
    { actions: [{ type: "send-notification", block_document_id: ID, body: "{{ x" }] },
  ],
  [
    "a comment in a template that does not end",
    { actions: [{ type: "send-notification", block_document_id: ID, body: "hello {# x" }] },
  ],
  ...[{ value: "{nope" }, { value: "" }].map((given): readonly [string, Body] => [
    "a parameter that is no JSON",
    {
      actions: [
        {
          type: "run-deployment",
          source: "inferred",
          parameters: { a: { b: { __prefect_kind: "json", ...given } } },
        },
      ],
    },
  ]),
  [
    "runs that start runs",
    {
      trigger: { ...EVENT, expect: ["orchestrator.flow-run.*"] },
      actions: [{ type: "run-deployment", source: "inferred" }],
    },
  ],
];

describeEachApi("automations", (open) => {
  test("takes no job variables for a deployment that is not there", async () => {
    await using api = await open();
    const body = { name: "watch", trigger: EVENT };
    const run = { type: "run-deployment", deployment_id: ID };
    const actions = [{ ...run, job_variables: { image: "a" } }];
    expect((await api.post("/automations/", { ...body, actions })).status).toBe(404);
    expect((await api.post("/automations/", { ...body, actions: [run] })).status).toBe(201);
  });

  test("are created from the shortest of bodies, and read as they were created", async () => {
    await using api = await open();
    const trigger = { ...EVENT, threshold: 1, within: 0 };
    const automation = await create(api, { trigger });
    expect(automation).toEqual({
      id: expect.any(String),
      created: expect.any(String),
      updated: expect.any(String),
      name: "watch",
      description: "",
      enabled: true,
      tags: [],
      trigger: {
        type: "event",
        id: expect.any(String),
        match: {},
        match_related: {},
        after: [],
        expect: ["orchestrator.flow-run.Failed"],
        for_each: [],
        posture: "Reactive",
        threshold: 1,
        within: 0,
      },
      actions: [{ type: "cancel-flow-run" }],
      actions_on_trigger: [],
      actions_on_resolve: [],
    });
    expect(await api.get(`/automations/${automation.id}`)).toMatchObject({
      status: 200,
      body: automation,
    });
  });

  test("take a trigger without a type for an event trigger, also within others", async () => {
    await using api = await open();
    const { trigger } = await create(api, {
      trigger: {
        type: "compound",
        require: "all",
        within: null,
        triggers: [
          { expect: ["a"], posture: "Reactive", colour: "red" },
          { type: "sequence", within: "PT1M", triggers: [{ expect: ["b"], posture: "Proactive" }] },
        ],
      },
    });
    expect(trigger).toMatchObject({
      type: "compound",
      require: "all",
      within: null,
      triggers: [
        { type: "event", expect: ["a"] },
        { type: "sequence", within: 60, triggers: [{ type: "event", within: 10 }] },
      ],
    });
    expect(JSON.stringify(trigger)).not.toContain("colour");
  });

  test("keep every kind of action, complete", async () => {
    await using api = await open();
    const { actions } = await create(api, {
      actions: [
        { type: "do-nothing" },
        { type: "run-deployment", deployment_id: ID, parameters: { a: "{{ event.id }}" } },
        { type: "pause-work-queue", source: "inferred", work_queue_id: null },
        { type: "change-flow-run-state", state: "FAILED" },
        { type: "send-notification", block_document_id: ID, body: "{{ flow_run.name }}" },
        { type: "call-webhook", block_document_id: ID, payload: { text: "x" } },
      ],
    });
    expect(actions).toEqual([
      { type: "do-nothing" },
      {
        type: "run-deployment",
        source: "selected",
        deployment_id: ID,
        parameters: { a: "{{ event.id }}" },
        job_variables: null,
        schedule_after: 0,
      },
      { type: "pause-work-queue", source: "inferred", work_queue_id: null },
      { type: "change-flow-run-state", state: "FAILED", name: null, message: null, force: false },
      {
        type: "send-notification",
        block_document_id: ID,
        subject: expect.any(String),
        body: "{{ flow_run.name }}",
      },
      { type: "call-webhook", block_document_id: ID, payload: { text: "x" } },
    ]);
  });

  test("keep parameters whose values are known when they fire", async () => {
    await using api = await open();
    const variable = { __prefect_kind: "workspace_variable", variable_name: "later" };
    const template = { __prefect_kind: "jinja", template: "{{ event.payload|tojson }}" };
    const parameters = { a: variable, b: { __prefect_kind: "json", value: template } };
    const given = { type: "run-deployment", source: "inferred", parameters };
    const { actions } = await create(api, { actions: [given] });
    expect(actions).toMatchObject([{ parameters }]);
  });

  test.each([
    { dialect: "orchestrator", told: { text: "{{ x }}", list: [] } },
    { dialect: "prefect", told: '{\n  "text": "{{ x }}",\n  "list": []\n}' },
  ] as const)(
    "tell a payload of JSON in dialect $dialect as its clients read it",
    async ({ dialect, told }) => {
      await using api = await open({ dialect });
      const call = { type: "call-webhook", block_document_id: ID };
      const payloads = [{ text: "{{ x }}", list: [] }, "{{ x }}", null];
      const { actions } = await create(api, {
        actions: payloads.map((payload) => ({ ...call, payload })),
      });
      expect(actions).toEqual([told, "{{ x }}", ""].map((payload) => ({ ...call, payload })));
    },
  );

  test("are refused with what does not fit, and nothing is kept", async () => {
    await using api = await open();
    for (const [what, given] of REFUSED) {
      const body = { name: "watch", trigger: EVENT, actions: ACTIONS, ...given };
      const answer = await api.post("/automations/", body);
      expect({ what, status: answer.status }).toEqual({ what, status: 422 });
    }
    expect(await api.post("/automations/count")).toMatchObject({ body: 0 });
  });

  test("are replaced, with new triggers, and keep what is not sent", async () => {
    await using api = await open();
    const before = await create(api, { description: "first", tags: ["a"] });
    const { trigger } = before;
    const body = { name: "other", trigger, actions: [{ type: "do-nothing" }] };
    const answer = await api.request("PUT", `/automations/${before.id}`, { body });
    expect(answer).toMatchObject({ status: 204 });
    const after = (await api.get(`/automations/${before.id}`)).body as typeof before;
    expect(after).toMatchObject({
      name: "other",
      description: "first",
      tags: ["a"],
      actions: [{ type: "do-nothing" }],
    });
    expect(after["trigger"]).not.toEqual(trigger);
    const owned = { ...body, owner_resource: "x" };
    expect(await api.request("PUT", `/automations/${before.id}`, { body: owned })).toMatchObject({
      status: 422,
    });
  });

  test("are replaced as the established client sends them: without what is a default of its classes", async () => {
    await using api = await open({ dialect: "prefect" });
    const { id } = await create(api);
    const put = async (path: string, body: Body) => {
      const trigger = { within: 5, triggers: [{ posture: "Reactive" }] };
      return api.request("PUT", path, { body: { name: "x", trigger, ...body } });
    };
    const actions = [
      {},
      { source: "inferred" },
      { deployment_id: ID },
      { work_pool_id: ID },
      { work_queue_id: ID },
      { automation_id: ID },
      { state: "FAILED" },
      { block_document_id: ID },
      { block_document_id: ID, body: "x" },
    ];
    expect(await put(`/automations/${id}`, { actions })).toMatchObject({ status: 204 });
    expect(await api.get(`/automations/${id}`)).toMatchObject({
      body: {
        trigger: { type: "sequence", triggers: [{ type: "event" }] },
        actions: [
          { type: "do-nothing" },
          { type: "run-deployment" },
          { type: "run-deployment" },
          { type: "pause-work-pool" },
          { type: "pause-work-queue" },
          { type: "pause-automation" },
          { type: "change-flow-run-state" },
          { type: "call-webhook" },
          { type: "send-notification" },
        ],
      },
    });
    const trigger = { within: 5, require: "any", triggers: [{ posture: "Reactive" }] };
    await put(`/automations/${id}`, { actions: [], actions_on_trigger: [{}], trigger });
    expect(await api.get(`/automations/${id}`)).toMatchObject({
      body: { trigger: { type: "compound" }, actions_on_trigger: [{ type: "do-nothing" }] },
    });
    await using own = await open();
    expect(await own.post("/automations/", { name: "x", trigger, actions: [{}] })).toMatchObject({
      status: 422,
    });
  });

  test("are replaced by the whole record as it was read, unless it is that of another", async () => {
    await using api = await open();
    const before = await create(api, { description: "first", tags: ["a"] });
    const put = (body: object) => api.request("PUT", `/automations/${before.id}`, { body });
    expect(await put({ ...before, name: "renamed" })).toMatchObject({ status: 204 });
    const after = (await api.get(`/automations/${before.id}`)).body as typeof before;
    expect(after).toMatchObject({ id: before.id, name: "renamed", description: "first" });
    expect(after["created"]).toBe(before["created"]);
    const { id } = await create(api);
    expect(await put({ ...before, id })).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "id"] }] },
    });
  });

  test("are switched off and on", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.patch(`/automations/${id}`, { enabled: false })).toMatchObject({
      status: 204,
    });
    expect(await api.patch(`/automations/${id}`, {})).toMatchObject({ status: 204 });
    expect(await api.get(`/automations/${id}`)).toMatchObject({ body: { enabled: false } });
    expect(await api.patch(`/automations/${id}`, { enabled: true })).toMatchObject({ status: 204 });
    expect(await api.patch(`/automations/${id}`, {})).toMatchObject({ status: 204 });
    expect(await api.get(`/automations/${id}`)).toMatchObject({ body: { enabled: true } });
    expect(await api.patch(`/automations/${id}`, { name: "x" })).toMatchObject({ status: 422 });
    expect(await api.patch(`/automations/${ID}`, {})).toMatchObject({ status: 404 });
  });

  test("that would never end may be kept switched off, but not switched on", async () => {
    await using api = await open();
    const { id } = await create(api, {
      enabled: false,
      trigger: { ...EVENT, expect: ["prefect.flow-run.Running"] },
      actions: [{ type: "run-deployment", deployment_id: ID }],
    });
    expect(await api.patch(`/automations/${id}`, { enabled: true })).toMatchObject({ status: 422 });
    expect(await api.get(`/automations/${id}`)).toMatchObject({ body: { enabled: false } });
  });

  test("are deleted", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.delete(`/automations/${id}`)).toMatchObject({ status: 204 });
    expect(await api.delete(`/automations/${id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/automations/${id}`)).toMatchObject({ status: 404 });
    expect(await api.patch(`/automations/${id}`, { enabled: true })).toMatchObject({ status: 404 });
  });

  test("are found and deleted by the resource they belong to, under either prefix", async () => {
    await using api = await open();
    await create(api, { name: "own", owner_resource: `prefect.deployment.${ID}` });
    await create(api, {
      name: "runs it",
      actions: [{ type: "run-deployment", deployment_id: ID }],
    });
    await create(api, { name: "neither" });
    const path = `orchestrator.deployment.${ID}`;
    const related = await api.get(`/automations/related-to/${path}`);
    expect(related.body).toMatchObject([{ name: "own" }, { name: "runs it" }]);
    expect(await api.delete(`/automations/owned-by/${path}`)).toMatchObject({
      status: 202,
      body: null,
    });
    expect(await names(api)).toEqual(["neither", "runs it"]);
    expect(await api.delete(`/automations/owned-by/${path}`)).toMatchObject({ status: 202 });
  });

  test("tell of each change in one event", async () => {
    await using api = await open();
    const { id } = await create(api);
    await api.patch(`/automations/${id}`, { enabled: false });
    await api.patch(`/automations/${id}`, { enabled: false });
    await api.delete(`/automations/${id}`);
    expect(await api.events()).toMatchObject([
      { event: "orchestrator.automation.created", payload: { name: "watch", enabled: true } },
      { event: "orchestrator.automation.updated", payload: { enabled: false } },
      { event: "orchestrator.automation.deleted" },
    ]);
  });
});

const FILTERED: readonly (readonly [Body, string[]])[] = [
  [{ name: { any_: ["a", "z"] } }, ["a"]],
  [{ tags: { all_: ["x", "y"] } }, ["b"]],
  [{ tags: { any_: ["x"] } }, ["a", "b"]],
  [{ tags: { is_null_: true } }, ["c"]],
  [{ created: { before_: "2020-01-01T00:00:00Z" } }, []],
];

describeEachApi("lists of automations", (open) => {
  async function openWithThree(): Promise<TestApi> {
    const api = await open();
    await create(api, { name: "b", tags: ["x", "y"] });
    await create(api, { name: "a", tags: ["x"] });
    await create(api, { name: "c" });
    return api;
  }

  test("come sorted by name unless told otherwise", async () => {
    await using api = await openWithThree();
    expect(await names(api)).toEqual(["a", "b", "c"]);
    expect(await names(api, { sort: "NAME_DESC", limit: 2 })).toEqual(["c", "b"]);
    expect(await names(api, { sort: "CREATED_DESC", offset: 1 })).toEqual(["a", "b"]);
  });

  test("hold what the filter asks for", async () => {
    await using api = await openWithThree();
    for (const [automations, expected] of FILTERED)
      expect({ automations, found: await names(api, { automations }) }).toEqual({
        automations,
        found: expected,
      });
  });
});

test("the contract and the list know the same attributes and operators", () => {
  expect(describeListFilter(AUTOMATION_LIST)).toEqual(describeFilterSchema(AutomationFilter));
});
