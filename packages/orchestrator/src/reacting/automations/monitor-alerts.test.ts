import { startReceiver } from "@orchestrator/outbound/testing";
import { expect, test } from "vitest";
import { aBlock, deliver } from "../../testing/deliveries.ts";
import type { OpenTestApi, TestApi, TestApiOptions } from "../../testing/test-api.ts";
import { describeEachApi, PLANTED_SECRET } from "../../testing.ts";
import { executeActions } from "./actions.service.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

const FOREVER = new AbortController().signal;
const SHOP = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const OTHER = "9b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface MonitorEventFields {
  readonly id?: string;
  readonly verb?: string;
  readonly tags?: readonly string[];
}

/** What the uptime service writes into the log, and all that follows from it. */
async function monitorEvent(
  api: TestApi,
  { id = SHOP, verb = "Down", tags = [] }: MonitorEventFields = {},
): Promise<void> {
  const event = {
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event: `orchestrator.monitor.${verb}`,
    resource: {
      "orchestrator.resource.id": `orchestrator.monitor.${id}`,
      "orchestrator.resource.name": "shop",
      "orchestrator.monitor.url": "https://shop.example/",
    },
    related: tags.map((tag) => ({
      "orchestrator.resource.id": `orchestrator.tag.${tag}`,
      "orchestrator.resource.role": "tag",
    })),
    payload: { status: verb.toLowerCase(), previous_status: null, message: "http: refused" },
  };
  expect((await api.post("/events", JSON.stringify([event]))).status).toBe(204);
  await createTriggerPass(api.ctx)(FOREVER);
  await executeActions(api.ctx, FOREVER);
  await deliver(api);
}

const alert = (api: TestApi, body: object) => api.post("/automations/monitor_alerts", body);
const slackTo = (url: string) => ({ block_type: "slack-webhook", data: { url } });

async function open(openApi: OpenTestApi, options?: TestApiOptions): Promise<TestApi> {
  const api = await openApi(options);
  await api.post("/block_types/install_system_block_types");
  return api;
}

describeEachApi("an alert about monitors", (openApi) => {
  test("tells that a monitor is down and up again, in words, through a block made for it", async () => {
    await using receiver = await startReceiver();
    await using api = await open(openApi);
    const answer = await alert(api, { notify: slackTo(`${receiver.url}/${PLANTED_SECRET}`) });
    expect(answer).toMatchObject({
      status: 201,
      body: { enabled: true, actions: [{ type: "send-notification" }] },
    });
    await monitorEvent(api);
    await monitorEvent(api, { verb: "Degraded" });
    await monitorEvent(api, { verb: "Up" });
    const texts = receiver.requests.map(({ body }) => body);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain("shop is down");
    expect(texts[0]).toContain("shop (https://shop.example/) is down.");
    expect(texts[0]).toContain("http: refused");
    expect(texts[1]).toContain("shop is up");
    expect(texts[0]).not.toContain("/monitors/");
  });

  test("has a link to the monitor where it is known how people reach the web UI", async () => {
    await using receiver = await startReceiver();
    await using api = await open(openApi, { settings: { uiUrl: "https://runs.example.com/" } });
    await alert(api, { notify: slackTo(receiver.url) });
    await alert(api, { notify: { block_type: "webhook", data: { url: receiver.url } } });
    await monitorEvent(api);
    expect(receiver.requests).toHaveLength(2);
    for (const { body } of receiver.requests)
      expect(body).toContain(`https://runs.example.com/monitors/${SHOP}`);
  });

  test("is about one monitor, or a tag, where that is asked for", async () => {
    await using receiver = await startReceiver();
    await using api = await open(openApi);
    const to = (path: string) => ({ block_type: "webhook", data: { url: receiver.url + path } });
    await alert(api, { monitor_id: SHOP, notify: to("/one") });
    await alert(api, { tag: "prod", notify: to("/prod") });
    await monitorEvent(api, { id: OTHER, tags: ["prod", "eu"] });
    await monitorEvent(api, { id: OTHER, tags: ["test"] });
    await monitorEvent(api, { id: SHOP });
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/prod", "/one"]);
    const [{ body, headers }] = receiver.requests as [(typeof receiver.requests)[number]];
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body)).toMatchObject({
      monitor: "shop",
      resource: `orchestrator.monitor.${OTHER}`,
      url: "https://shop.example/",
      status: "down",
      message: "http: refused",
    });
  });

  test("that is asked for again is the same automation and block, written anew", async () => {
    await using receiver = await startReceiver();
    await using api = await open(openApi);
    const first = await alert(api, { notify: slackTo("http://127.0.0.1:9/") });
    const { id, actions } = first.body as { id: string; actions: unknown };
    await api.patch(`/automations/${id}`, { enabled: false });
    const again = await alert(api, { statuses: ["down"], notify: slackTo(receiver.url) });
    expect(again).toMatchObject({ status: 200, body: { id, enabled: true, actions } });
    expect((await api.post("/automations/count", {})).body).toBe(1);
    expect((await api.post("/block_documents/count", {})).body).toBe(1);
    await monitorEvent(api);
    expect(receiver.requests).toHaveLength(1);
    // Other monitors, another way or another key make another.
    for (const more of [{ tag: "prod" }, { monitor_id: SHOP }, { key: "second" }])
      expect(await alert(api, { notify: slackTo(receiver.url), ...more })).toMatchObject({
        status: 201,
      });
    expect((await api.post("/automations/count", {})).body).toBe(4);
  });

  test("that is asked for twice at once is made once", async () => {
    await using api = await open(openApi);
    const notify = slackTo("http://127.0.0.1:9/");
    const answers = await Promise.all([1, 2, 3].map(() => alert(api, { notify })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await api.post("/automations/count", {})).body).toBe(1);
  });

  test("goes through a block that is there", async () => {
    await using receiver = await startReceiver();
    await using api = await open(openApi);
    const block_document_id = await aBlock(api, "webhook", { url: receiver.url });
    const first = await alert(api, { notify: { block_document_id } });
    expect(first).toMatchObject({
      status: 201,
      body: { actions: [{ type: "call-webhook", block_document_id }] },
    });
    expect(await alert(api, { notify: { block_document_id } })).toMatchObject({
      status: 200,
      body: { id: (first.body as { id: string }).id },
    });
    await monitorEvent(api);
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([
    { why: "nothing to go through", notify: {} },
    { why: "two ways at once", notify: { ...slackTo("http://a"), block_document_id: SHOP } },
    { why: "a block without its address", notify: { block_type: "slack-webhook" } },
    { why: "a block that cannot notify", notify: { block_type: "json", data: {} } },
  ])("with $why is refused, and nothing is left behind", async ({ notify }) => {
    await using api = await open(openApi);
    expect((await alert(api, { notify })).status).toBe(422);
    expect((await api.post("/block_documents/count", {})).body).toBe(0);
  });

  test("through a block that is not there is refused", async () => {
    await using api = await open(openApi);
    expect((await alert(api, { notify: { block_document_id: SHOP } })).status).toBe(404);
    expect((await api.post("/automations/count", {})).body).toBe(0);
  });
});
