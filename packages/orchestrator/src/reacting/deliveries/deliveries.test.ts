import { DeliveryFilter } from "@orchestrator/contract";
import { createLogger } from "@orchestrator/kernel/log";
import { parseMicros } from "@orchestrator/kernel/pure";
import {
  describeFilterSchema,
  describeListFilter,
  manualClock,
} from "@orchestrator/kernel/testing";
import { startReceiver, startSmtpServer } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import {
  aBlock,
  anAutomation,
  deliver,
  happen,
  listTestDeliveries,
} from "../../testing/deliveries.ts";
import type { TestApi, TestEvent } from "../../testing/test-api.ts";
import { describeEachApi, type OpenTestApi, PLANTED_SECRET } from "../../testing.ts";
import { DELIVERY_LIST } from "./deliveries.filter.ts";
import { deleteSettled, deliverDue } from "./deliveries.loop.ts";

const FOREVER = new AbortController().signal;
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const SECRET = PLANTED_SECRET;
const DAY_MS = 86_400_000;

/** Everything of the database's time, in the hands of the test. */
async function serve(open: OpenTestApi, options: Parameters<OpenTestApi>[0] = {}) {
  const clock = manualClock("2026-11-14T09:00:00Z");
  const api = await open({ clock, ...options });
  return { api, clock, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

const notify = (block_document_id: string, more: object = {}) => ({
  type: "send-notification",
  block_document_id,
  subject: "About {{ event.resource.name }}",
  body: "Code {{ event.payload.code }}",
  ...more,
});
const call = (block_document_id: string, payload: unknown = "") => ({
  type: "call-webhook",
  block_document_id,
  payload,
});

async function told(api: TestApi, verb: string): Promise<(TestEvent & { follows: string })[]> {
  const events = (await api.events()) as (TestEvent & { follows: string })[];
  return events.filter(({ event }) => event.endsWith(`.automation.action.${verb}`));
}

describeEachApi("a notification", (open) => {
  test("is sent once, with what its templates say, and told of when it was taken", async () => {
    await using receiver = await startReceiver();
    await using server = await serve(open);
    const { api } = server;
    const block = await aBlock(api, "slack-webhook", { url: `${receiver.url}/hook/${SECRET}` });
    const automation = await anAutomation(api, notify(block));
    await happen(api, { code: 7 });
    const [waiting] = await listTestDeliveries(api);
    expect(waiting).toMatchObject({
      automation_id: automation,
      automation_name: "tell",
      action_type: "send-notification",
      action_index: 0,
      block_document_id: block,
      block_type_slug: "slack-webhook",
      subject: "About ötter",
      status: "PENDING",
      parts: [],
      attempts: 0,
      last_attempt: null,
      next_attempt: server.clock.now(),
    });
    const [begun] = await told(api, "triggered");
    expect(await told(api, "executed")).toEqual([]);

    expect(await deliver(api)).toBe(1);
    expect(await deliver(api)).toBe(0);
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: `/hook/${SECRET}`,
      headers: { "idempotency-key": waiting?.id, "content-type": "application/json" },
    });
    expect(JSON.parse(request?.body ?? "")).toMatchObject({
      text: "*About ötter*",
      attachments: [{ text: "Code 7" }],
    });
    expect(await listTestDeliveries(api)).toMatchObject([
      {
        id: waiting?.id,
        status: "DELIVERED",
        parts: ["delivered"],
        attempts: 1,
        destination: receiver.url,
        status_code: 200,
        last_error: null,
        next_attempt: null,
        settled: server.clock.now(),
      },
    ]);
    const [executed] = await told(api, "executed");
    expect(executed).toMatchObject({
      follows: (begun as unknown as { id: string }).id,
      resource: { "orchestrator.resource.id": `orchestrator.automation.${automation}` },
      payload: { action_type: "send-notification", invocation: waiting?.id, status_code: 200 },
      related: [
        {
          "orchestrator.resource.id": `orchestrator.block-document.${block}`,
          "orchestrator.resource.role": "block",
        },
        {
          "orchestrator.resource.id": "orchestrator.block-type.slack-webhook",
          "orchestrator.resource.role": "block-type",
        },
        ...["automation-triggered-event", "triggering-event", "actor"].map((role) => ({
          "orchestrator.resource.role": role,
        })),
      ],
    });
    const resource = { "orchestrator.resource.id": `orchestrator.block-document.${block}` };
    expect(await api.events()).toContainEqual(
      expect.objectContaining({
        event: "orchestrator.block.slack-webhook.loaded",
        resource: expect.objectContaining(resource),
      }),
    );
    expect(await told(api, "failed")).toEqual([]);
  });

  test("that is answered with 500 or 429 is sent again later, with the same key, until it is taken", async () => {
    await using receiver = await startReceiver((_, response, count) => {
      if (count === 1) response.writeHead(500).end("down");
      else if (count === 2) response.writeHead(429, { "retry-after": "3600" }).end();
      else response.end("ok");
    });
    await using server = await serve(open);
    const { api, clock } = server;
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
    await happen(api);
    expect(await deliver(api)).toBe(0);
    const [first] = await listTestDeliveries(api);
    expect(first).toMatchObject({
      status: "PENDING",
      parts: ["pending"],
      attempts: 1,
      status_code: 500,
      last_error: "The other side answered 500: down",
    });
    const waitMicros = parseMicros(first?.next_attempt ?? "") - clock.nowMicros();
    expect(waitMicros).toBeGreaterThanOrEqual(5_000_000);
    expect(waitMicros).toBeLessThanOrEqual(10_000_000);
    expect(await deliver(api)).toBe(0);
    expect(receiver.requests).toHaveLength(1);

    clock.advanceMs(10_000);
    await deliver(api);
    const [second] = await listTestDeliveries(api);
    expect(parseMicros(second?.next_attempt ?? "") - clock.nowMicros()).toBeGreaterThanOrEqual(
      3_600_000_000,
    );
    clock.advanceMs(3_611_000);
    expect(await deliver(api)).toBe(1);
    expect(await listTestDeliveries(api)).toMatchObject([{ status: "DELIVERED", attempts: 3 }]);
    const keys = receiver.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys)).toEqual(new Set([first?.id]));
    expect(await told(api, "executed")).toMatchObject([{ payload: { attempts: 3 } }]);
  });

  test("that nobody takes is given up when its time is over", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(503).end();
    });
    await using server = await serve(open, { settings: { deliveriesGiveUpAfter: DAY_MS } });
    const { api, clock } = server;
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
    await happen(api);
    for (let passes = 0; passes < 200; passes += 1) {
      await deliver(api);
      const [{ next_attempt } = { next_attempt: null }] = await listTestDeliveries(api);
      if (next_attempt === null) break;
      clock.advanceMs((parseMicros(next_attempt) - clock.nowMicros()) / 1000);
    }
    const [given] = await listTestDeliveries(api);
    expect(given).toMatchObject({
      status: "FAILED",
      parts: ["failed"],
      attempts: receiver.requests.length,
      last_error: expect.stringMatching(/^Given up after \d+ attempts: .*503/),
    });
    expect(receiver.requests.length).toBeGreaterThan(40);
    expect(receiver.requests.length).toBeLessThanOrEqual(60);
    expect(await told(api, "failed")).toMatchObject([
      { payload: { reason: given?.["last_error"] } },
    ]);
    expect(await told(api, "executed")).toEqual([]);
  });

  test("that is refused for good, or has no way to be sent, fails at once", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(404).end("no_service");
    });
    await using server = await serve(open);
    const { api } = server;
    const gone = await aBlock(api, "slack-webhook", { url: receiver.url });
    await anAutomation(
      api,
      notify(await aBlock(api, "slack-webhook", { url: receiver.url })),
      notify(await aBlock(api, "slack-webhook", { url: "ftp://x.example/" })),
      notify(await aBlock(api, "slack-webhook", {})),
      notify(await aBlock(api, "slack-webhook", { url: "http://169.254.169.254/latest" })),
      notify(await aBlock(api, "slack-webhook", { url: receiver.url, allow_private_urls: false })),
      notify(gone),
    );
    await happen(api);
    await api.delete(`/block_documents/${gone}`);
    expect(await deliver(api)).toBe(6);
    const listed = await listTestDeliveries(api);
    expect(listed.map(({ status }) => status)).toEqual(new Array(6).fill("FAILED"));
    expect(listed.map(({ last_error }) => last_error)).toEqual([
      "The other side answered 404: no_service",
      "Only http and https addresses are called",
      "The block has no url",
      expect.stringContaining("metadata"),
      expect.stringContaining("loopback"),
      `Block document ${gone} not found`,
    ]);
    expect(receiver.requests).toHaveLength(1);
    expect(await told(api, "failed")).toHaveLength(6);
  });

  test("goes nowhere private where the server does not allow it, but for the hosts that it names", async () => {
    await using receiver = await startReceiver();
    for (const [deliveriesAllowedHosts, status] of [
      [null, "FAILED"],
      [["127.0.0.0/8"], "DELIVERED"],
    ] as const) {
      await using server = await serve(open, {
        settings: { deliveriesAllowPrivate: false, deliveriesAllowedHosts },
      });
      const { api } = server;
      await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
      await happen(api);
      await deliver(api);
      expect(await listTestDeliveries(api)).toMatchObject([{ status }]);
    }
    expect(receiver.requests).toHaveLength(1);
  });

  test("is sent once, however many look at it at once", async () => {
    await using receiver = await startReceiver();
    await using server = await serve(open);
    const { api } = server;
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
    for (let count = 0; count < 10; count += 1) await happen(api);
    const replica = api.openReplica === null ? null : await api.openReplica();
    const other = replica === null ? api.ctx : { ...api.ctx, db: replica };
    try {
      const settled = await Promise.all([deliver(api), deliver(api), deliverDue(other, FOREVER)]);
      expect(settled.reduce((sum, count) => sum + count, 0)).toBe(10);
    } finally {
      await replica?.close();
    }
    const keys = receiver.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(10);
    expect(keys).toHaveLength(10);
    expect(await told(api, "executed")).toHaveLength(10);
  });

  test("to a destination that is down keeps the others for it waiting, and no other", async () => {
    await using receiver = await startReceiver();
    await using server = await serve(open);
    const { api } = server;
    const down = await aBlock(api, "slack-webhook", { url: "http://127.0.0.1:1/" });
    const up = await aBlock(api, "slack-webhook", { url: receiver.url });
    await anAutomation(api, notify(down), notify(up));
    for (let count = 0; count < 25; count += 1) await happen(api);
    await deliver(api);
    const waiting = await listTestDeliveries(api, { block_document_id: { any_: [down] } });
    expect(waiting.every(({ status }) => status === "PENDING")).toBe(true);
    expect(waiting.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(0);
    expect(waiting.every(({ next_attempt }) => (next_attempt ?? "") > server.clock.now())).toBe(
      true,
    );
    const sent = await listTestDeliveries(api, { block_document_id: { any_: [up] } });
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(["DELIVERED"]));
    expect(receiver.requests).toHaveLength(25);
  });

  test("of several recipients is sent again only to those who have not taken it", async () => {
    const paths: string[] = [];
    await using receiver = await startReceiver(({ body }, response) => {
      const { channel } = JSON.parse(body) as { channel: string };
      paths.push(channel);
      const tries = paths.filter((path) => path === channel).length;
      if (channel === "gone") response.writeHead(404).end("no channel");
      else if (channel === "slow" && tries === 1) response.writeHead(500).end();
      else response.end("ok");
    });
    await using server = await serve(open);
    const { api, clock } = server;
    const block = await aBlock(api, "mattermost-webhook", {
      hostname: "127.0.0.1",
      port: receiver.port,
      token: SECRET,
      channels: ["first", "gone", "slow", "last"],
    });
    await anAutomation(api, notify(block));
    await happen(api);
    await deliver(api);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "PENDING", parts: ["delivered", "failed", "pending", "delivered"] },
    ]);
    clock.advanceMs(11_000);
    expect(await deliver(api)).toBe(1);
    expect(paths).toEqual(["first", "gone", "slow", "last", "slow"]);
    expect(await listTestDeliveries(api)).toMatchObject([
      {
        status: "FAILED",
        parts: ["delivered", "failed", "delivered", "delivered"],
        last_error: "The other side answered 404: no channel (3 of 4 recipients have it)",
      },
    ]);
  });

  test("goes out as mail, one for each recipient", async () => {
    await using mailServer = await startSmtpServer({
      offers: ["AUTH LOGIN PLAIN"],
      answer: (line) => (line.includes("<nobody@") ? `550 no such user ${SECRET}` : undefined),
    });
    await using server = await serve(open);
    const { api } = server;
    const data = {
      smtp_host: "127.0.0.1",
      port: mailServer.port,
      security: "none",
      username: "ops",
      password: SECRET,
      sender_email: "Ops <ops@x.example>",
    };
    const good = await aBlock(api, "smtp-email", {
      ...data,
      to_emails: ["a@x.example", "b@x.example"],
    });
    const bad = await aBlock(api, "smtp-email", { ...data, to_emails: ["nobody@x.example"] });
    await anAutomation(
      api,
      notify(good, {
        subject: "Fehler\r\nBcc: eve@x.example",
        body: ".\n{{ event.payload.code }}",
      }),
      notify(bad),
    );
    await happen(api, { code: "ü" });
    expect(await deliver(api)).toBe(2);
    const [first, second] = await listTestDeliveries(api);
    expect(first).toMatchObject({
      status: "DELIVERED",
      parts: ["delivered", "delivered"],
      destination: `smtp://127.0.0.1:${mailServer.port}`,
    });
    expect(second).toMatchObject({
      status: "FAILED",
      last_error: "The mail server answered the recipient with 550: no such user ********",
    });
    expect(mailServer.mails.map(({ to }) => to)).toEqual([["a@x.example"], ["b@x.example"]]);
    const [mail] = mailServer.mails;
    expect(mail?.signIn).toBe(`ops ${SECRET}`);
    expect(mail?.text).toContain(`Message-ID: <${first?.id}@x.example>`);
    expect(mail?.text).toContain("Subject: Fehler Bcc: eve@x.example\r\n");
    expect(mail?.text.endsWith("\r\n\r\n.\r\n=C3=BC")).toBe(true);
  });

  test("lets those under way finish when the server stops, and starts no other", async () => {
    const stop = new AbortController();
    await using receiver = await startReceiver((_, response) => {
      stop.abort();
      response.end("ok");
    });
    await using server = await serve(open);
    const { api } = server;
    const block = await aBlock(api, "mattermost-webhook", {
      hostname: "127.0.0.1",
      port: receiver.port,
      token: SECRET,
      channels: ["one", "two"],
    });
    await anAutomation(api, notify(block));
    await happen(api);
    expect(await deliverDue(api.ctx, stop.signal)).toBe(0);
    expect(receiver.requests).toHaveLength(1);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "PENDING", parts: ["delivered", "pending"], next_attempt: server.clock.now() },
    ]);
    expect(await deliver(api)).toBe(1);
    expect(receiver.requests).toHaveLength(2);
  });
});

describeEachApi("a webhook", (open) => {
  test("is called as its block says, and whatever it answers counts as done", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(404, { "x-envoy-id": "inner", "x-answer": "yes", via: "proxy" });
      response.end("n".repeat(2000));
    });
    await using server = await serve(open);
    const { api } = server;
    const block = await aBlock(api, "webhook", {
      method: "PUT",
      url: `${receiver.url}/in?key=${SECRET}`,
      headers: { "x-mine": SECRET, "content-type": "application/json" },
    });
    const text = 'x "{{ event.payload.code }}"';
    await anAutomation(
      api,
      call(block, { code: "{{ event.payload.code }}", n: [1] }),
      call(block, text),
    );
    await happen(api, { code: 'a"b' });
    expect(await deliver(api)).toBe(2);
    const bodies = receiver.requests.map(({ body }) => body).sort();
    expect(bodies).toEqual(['x "a"b"', JSON.stringify({ code: 'a"b', n: [1] })]);
    expect(receiver.requests[0]).toMatchObject({
      method: "PUT",
      path: `/in?key=${SECRET}`,
      headers: { "x-mine": SECRET, "content-type": "application/json" },
    });
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "DELIVERED", status_code: 404, subject: null },
      { status: "DELIVERED" },
    ]);
    const [executed] = await told(api, "executed");
    const payload = executed?.payload ?? {};
    expect(payload).toMatchObject({ status_code: 404, response_headers: { "x-answer": "yes" } });
    expect(payload["response_headers"]).not.toHaveProperty("x-envoy-id");
    expect(payload["response_headers"]).not.toHaveProperty("via");
    expect(String(payload["response_body"])).toHaveLength(1000);
  });

  test("that is down is called again, and the action has failed when it is given up", async () => {
    await using server = await serve(open, { settings: { deliveriesGiveUpAfter: 60_000 } });
    const { api, clock } = server;
    await anAutomation(api, call(await aBlock(api, "webhook", { url: "http://127.0.0.1:1/" })));
    await happen(api);
    await deliver(api);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "PENDING", last_error: "The host cannot be reached (ECONNREFUSED)" },
    ]);
    clock.advanceMs(58_000);
    expect(await deliver(api)).toBe(1);
    expect(await told(api, "failed")).toMatchObject([
      {
        payload: { reason: "Given up after 2 attempts: The host cannot be reached (ECONNREFUSED)" },
      },
    ]);
  });
});

describeEachApi("secrets of blocks", (open) => {
  test("are in no answer, no event and no line of the log, even if the other side repeats them", async () => {
    const lines: string[] = [];
    const log = createLogger({
      level: "trace",
      format: "json",
      destination: { write: (line) => lines.push(line) },
    });
    await using echo = await startReceiver(({ path, headers, body }, response, count) => {
      const status = [200, 400, 500][count % 3] ?? 200;
      response.writeHead(status, { "x-echo": `${path}`, location: path });
      response.end(`${path} ${JSON.stringify(headers)} ${body}`);
    });
    await using server = await serve(open, { log });
    const { api, clock } = server;
    const url = `${echo.url}/services/${SECRET}?token=${SECRET}`;
    const custom = {
      name: "c",
      url: `${echo.url}/{{ key }}`,
      headers: { authorization: "Bearer {{key}}" },
      json_data: { key: "{{key}}" },
      secrets: { key: SECRET },
    };
    await anAutomation(
      api,
      call(await aBlock(api, "webhook", { url, headers: { authorization: SECRET } })),
      notify(await aBlock(api, "slack-webhook", { url })),
      notify(await aBlock(api, "ms-teams-webhook", { url: `http://127.0.0.1:1/${SECRET}` })),
      notify(await aBlock(api, "custom-webhook", custom)),
      notify(await aBlock(api, "slack-webhook", { url: `${SECRET} is no address` })),
    );
    for (let count = 0; count < 3; count += 1) {
      await happen(api);
      await deliver(api);
      clock.advanceMs(20_000);
    }
    await deliver(api);
    expect(echo.requests.filter(({ path }) => path.includes(SECRET)).length).toBeGreaterThan(5);
    const listed = await listTestDeliveries(api);
    expect(new Set(listed.map(({ status }) => status)).size).toBeGreaterThan(1);
    const [one] = listed;
    const shown = [
      JSON.stringify(listed),
      JSON.stringify((await api.get(`/automations/deliveries/${one?.id}`)).body),
      JSON.stringify(await api.events()),
      ...lines,
    ].join("\n");
    expect(shown).toContain(echo.url);
    expect(lines.length).toBeGreaterThan(0);
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain(Buffer.from(SECRET).toString("base64").slice(0, 20));
  });
});

describeEachApi("an action that sends", (open) => {
  test("fails with the reason when its block is missing or of the wrong kind", async () => {
    await using server = await serve(open);
    const { api } = server;
    const type = await api.post("/block_types/", { name: "Mine", slug: "mine" });
    const { id } = type.body as { id: string };
    const schema = await api.post("/block_schemas/", {
      block_type_id: id,
      fields: { type: "object", properties: {}, block_type_slug: "mine" },
      capabilities: ["notify"],
    });
    const document = await api.post("/block_documents/", {
      name: "mine",
      data: {},
      block_type_id: id,
      block_schema_id: (schema.body as { id: string }).id,
    });
    const unknown = (document.body as { id: string }).id;
    await anAutomation(api, notify(UNKNOWN_ID), call(UNKNOWN_ID), notify(unknown));
    await happen(api);
    expect(await told(api, "failed")).toMatchObject([
      { payload: { reason: `Block document ${UNKNOWN_ID} not found` } },
      { payload: { reason: `Block document ${UNKNOWN_ID} not found` } },
      { payload: { reason: "Notifications cannot be sent through blocks of the type Mine" } },
    ]);
    expect(await listTestDeliveries(api)).toEqual([]);
  });

  test("is refused with an automation whose block can never do it", async () => {
    await using server = await serve(open);
    const { api } = server;
    const secret = await aBlock(api, "secret", { value: "x" });
    const webhook = await aBlock(api, "webhook", { url: "https://x.example/" });
    const trigger = { expect: ["x"], posture: "Reactive" };
    for (const action of [notify(secret), notify(webhook), call(secret)])
      expect(
        await api.post("/automations/", { name: "a", trigger, actions: [action] }),
      ).toMatchObject({
        status: 422,
        body: { exception_detail: [{ loc: ["body", "actions", 0] }] },
      });
    const actions = [call(webhook), notify(UNKNOWN_ID)];
    expect(await api.post("/automations/", { name: "a", trigger, actions })).toMatchObject({
      status: 201,
    });
  });

  test("leaves a message that can be read, counted and filtered, and goes with old events", async () => {
    await using receiver = await startReceiver();
    await using server = await serve(open);
    const { api, clock } = server;
    const slack = await aBlock(api, "slack-webhook", { url: receiver.url });
    const hook = await aBlock(api, "webhook", { url: receiver.url });
    const automation = await anAutomation(api, notify(slack), call(hook));
    await happen(api);
    await deliver(api);
    clock.advanceMs(1000);
    await happen(api);
    const count = async (filter: object) =>
      (await api.post("/automations/deliveries/count", { deliveries: filter })).body;
    expect(await count({})).toBe(4);
    expect(await count({ status: { any_: ["PENDING"] } })).toBe(2);
    expect(await count({ action_type: { any_: ["call-webhook"] } })).toBe(2);
    expect(await count({ automation_id: { any_: [automation] } })).toBe(4);
    expect(await count({ automation_id: { any_: [UNKNOWN_ID] } })).toBe(0);
    expect(await count({ block_document_id: { any_: [hook] } })).toBe(2);
    expect(await count({ created: { after_: clock.now() } })).toBe(2);
    const [first] = await listTestDeliveries(api);
    expect(await api.get(`/automations/deliveries/${first?.id}`)).toMatchObject({ body: first });
    expect(await api.get(`/automations/deliveries/${UNKNOWN_ID}`)).toMatchObject({ status: 404 });

    expect(await deleteSettled(api.ctx, FOREVER)).toBe(0);
    clock.advanceMs(7 * DAY_MS);
    expect(await deleteSettled(api.ctx, FOREVER)).toBe(2);
    expect(await count({})).toBe(2);
  });
});

describe("the filter of deliveries", () => {
  test("is documented as it is", () => {
    expect(describeListFilter(DELIVERY_LIST)).toEqual(describeFilterSchema(DeliveryFilter));
  });
});
