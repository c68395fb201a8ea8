import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Made {
  readonly id: string;
}

async function make(api: TestApi, path: string, body: unknown): Promise<Made> {
  const answer = await api.post(path, body);
  expect([200, 201]).toContain(answer.status);
  return answer.body as Made;
}

async function makeDeployment(api: TestApi, flow: string, name: string): Promise<Made> {
  const { id: flow_id } = await make(api, "/flows/", { name: flow });
  return make(api, "/deployments/", { flow_id, name });
}

async function makeBlock(api: TestApi, type: string, more: object): Promise<Made> {
  await api.post("/block_types/install_system_block_types");
  const [found] = (
    await api.post("/block_types/filter", { block_types: { slug: { any_: [type] } } })
  ).body as Made[];
  const data = { url: "https://example.com/" };
  return make(api, "/block_documents/", { block_type_id: found?.id, data, ...more });
}

const makeAutomation = (api: TestApi, name: string): Promise<Made> =>
  make(api, "/automations/", {
    name,
    trigger: { type: "event", posture: "Reactive", expect: ["x"], threshold: 1, within: 0 },
    actions: [{ type: "do-nothing" }],
  });

describeEachApi("names", (open) => {
  test("of several kinds of things are told in one answer, with those of what they belong to", async () => {
    await using api = await open();
    const deployment = await makeDeployment(api, "etl", "nightly");
    const flow = await make(api, "/flows/", { name: "etl" });
    const pool = await make(api, "/work_pools/", { name: "local", type: "process" });
    const queue = await make(api, "/work_pools/local/queues", { name: "urgent" });
    const automation = await makeAutomation(api, "Tell ops");
    const block = await makeBlock(api, "slack-webhook", { name: "ops-chat" });
    const run = await make(api, "/flow_runs/", { flow_id: flow.id, name: "calm-otter" });
    const task = await make(api, "/task_runs/", {
      flow_run_id: run.id,
      name: "load-0",
      task_key: "load",
      dynamic_key: "0",
    });
    const { status, body } = await api.post("/ui/names", {
      flows: [flow.id],
      deployments: [deployment.id, UNKNOWN_ID],
      work_pools: [pool.id],
      work_queues: [queue.id],
      automations: [automation.id],
      block_documents: [block.id],
      task_runs: [task.id],
    });
    expect(status).toBe(200);
    const alone = { belongs_to: null, belongs_to_id: null };
    const { block_type_id } = (await api.get(`/block_documents/${block.id}`)).body as {
      readonly block_type_id: string;
    };
    expect(body).toEqual([
      { id: flow.id, name: "etl", ...alone },
      { id: deployment.id, name: "nightly", belongs_to: "etl", belongs_to_id: flow.id },
      { id: pool.id, name: "local", ...alone },
      { id: queue.id, name: "urgent", belongs_to: "local", belongs_to_id: pool.id },
      { id: automation.id, name: "Tell ops", ...alone },
      { id: task.id, name: "load-0", belongs_to: "calm-otter", belongs_to_id: run.id },
      {
        id: block.id,
        name: "ops-chat",
        belongs_to: "Slack Webhook",
        belongs_to_id: block_type_id,
      },
    ]);
  });

  test("are told of what was asked for and of nothing else, and not without bounds", async () => {
    await using api = await open();
    const deployment = await makeDeployment(api, "etl", "nightly");
    const ask = (body?: object) => api.post("/ui/names", body);
    expect(await ask()).toMatchObject({ status: 200, body: [] });
    expect(await ask({ deployments: null, automations: [] })).toMatchObject({ body: [] });
    // An id of another kind names nothing.
    expect(await ask({ work_pools: [deployment.id] })).toMatchObject({ body: [] });
    expect(await ask({ deployments: ["nightly"] })).toMatchObject({ status: 422 });
    const many = Array.from({ length: 201 }, () => deployment.id);
    expect(await ask({ deployments: many })).toMatchObject({ status: 422 });
    expect((await ask({ deployments: many.slice(1) })).body).toHaveLength(1);
  });

  test("are found by some of their letters, and by those of what they belong to", async () => {
    await using api = await open();
    await makeDeployment(api, "etl", "nightly");
    await makeDeployment(api, "etl", "hourly");
    await makeDeployment(api, "Report_weekly", "nightly");
    await make(api, "/work_pools/", { name: "local", type: "process" });
    await makeAutomation(api, "Tell ops");
    const find = async (search: object) => {
      const { status, body } = await api.post("/ui/names/filter", search);
      expect(status).toBe(200);
      return (body as { name: string; belongs_to: string | null }[]).map(({ name, belongs_to }) =>
        belongs_to === null ? name : `${belongs_to}/${name}`,
      );
    };
    const kind = "deployments";
    expect((await find({ kind })).toSorted()).toEqual([
      "Report_weekly/nightly",
      "etl/hourly",
      "etl/nightly",
    ]);
    expect(await find({ kind, text: "L/NIGHT" })).toEqual(["etl/nightly"]);
    expect(await find({ kind, text: "report" })).toEqual(["Report_weekly/nightly"]);
    // Signs that mean something to databases are letters as others are.
    expect(await find({ kind, text: "t_w" })).toEqual(["Report_weekly/nightly"]);
    expect(await find({ kind, text: "%" })).toEqual([]);
    expect(await find({ kind, limit: 1 })).toEqual(["etl/hourly"]);
    expect(await find({ kind: "flows", text: "ET" })).toEqual(["etl"]);
    expect(await find({ kind: "work_queues", text: "local/def" })).toEqual(["local/default"]);
    expect(await find({ kind: "work_pools", text: "oca" })).toEqual(["local"]);
    expect(await find({ kind: "automations", text: "OPS" })).toEqual(["Tell ops"]);
    const refused = [{}, { kind: "logs" }, { kind, limit: 201 }, { kind, text: "x".repeat(256) }];
    for (const body of refused)
      expect(await api.post("/ui/names/filter", body)).toMatchObject({ status: 422 });
  });

  test("of blocks are found by what they can do and by their type; those without a name of their own are not", async () => {
    await using api = await open();
    const chat = await makeBlock(api, "slack-webhook", { name: "ops-chat" });
    const hook = await makeBlock(api, "webhook", { name: "stock-keeper" });
    const unnamed = await makeBlock(api, "webhook", { is_anonymous: true });
    const find = async (search: object) =>
      ((await api.post("/ui/names/filter", { kind: "block_documents", ...search })).body as Made[])
        .map(({ id }) => id)
        .toSorted();
    expect(await find({})).toEqual([chat.id, hook.id].toSorted());
    expect(await find({ block_capability: "notify" })).toEqual([chat.id]);
    expect(await find({ block_type: "webhook" })).toEqual([hook.id]);
    expect(await find({ block_type: "webhook", text: "ops" })).toEqual([]);
    expect(await find({ text: "slack" })).toEqual([chat.id]);
    expect(await find({ text: "ops-chat (Slack Webhook)" })).toEqual([chat.id]);
    const asked = { block_documents: [unnamed.id, hook.id] };
    expect((await api.post("/ui/names", asked)).body).toMatchObject([{ id: hook.id }]);
  });
});
