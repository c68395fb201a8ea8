import { createHmac } from "node:crypto";
import { WebhookFilter } from "@orchestrator/contract";
import { followLog } from "@orchestrator/kernel/events";
import {
  awayOnce,
  describeFilterSchema,
  describeListFilter,
  manualClock,
} from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  answersMeanwhile,
  COSTLY_TEMPLATE,
  TOO_MUCH,
  watchThreads,
} from "../../testing/hostile.ts";
import type { TestEvent } from "../../testing/test-api.ts";
import { describeEachApi, PLANTED_SECRET, type TestApi } from "../../testing.ts";
import { flushReceptions, receiveWebhook } from "./receive-webhook.service.ts";
import { WEBHOOK_LIST } from "./webhooks.filter.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const TEMPLATE = `{
  "event": "order.{{ body.kind }}",
  "resource": { "prefect.resource.id": {{ ("order." ~ body.order) | tojson }} },
  "payload": { "method": "{{ method }}", "by": {{ headers["user-agent"] | tojson }}, "page": {{ query.page | tojson }}, "note": {{ body.note | tojson }} }
}`;
const STATIC = { event: "door.opened", resource: { "orchestrator.resource.id": "door.1" } };

type Body = Readonly<Record<string, unknown>>;
interface Created {
  readonly id: string;
  readonly token: string;
  readonly path: string;
}

async function create(api: TestApi, given: Body = {}): Promise<Created> {
  const mode = "event" in given ? {} : { template: TEMPLATE };
  const answer = await api.post("/webhooks/", { name: "orders", ...mode, ...given });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Created;
}

function send(
  api: TestApi,
  { token }: Pick<Created, "token">,
  {
    method = "POST",
    search = "",
    ...request
  }: { method?: string; search?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  return api.request(method, `/webhooks/${token}${search}`, request);
}

/**
 * The events that are not about webhooks; what was sent twice leaves gaps in the log, which are
 * read past.
 */
async function received(api: TestApi): Promise<TestEvent[]> {
  const follower = followLog(api.ctx.db);
  const found: TestEvent[] = [];
  for (let after = 0; ; ) {
    const events = await follower.next(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return found;
    after = last.position;
    for (const { event, body } of events)
      if (!event.startsWith("orchestrator.webhook.")) found.push(JSON.parse(body) as TestEvent);
  }
}

async function read(api: TestApi, id: string): Promise<Body> {
  return (await api.get(`/webhooks/${id}`)).body as Body;
}

describeEachApi("webhooks", (open) => {
  test("are created with a token that no other answer holds", async () => {
    await using api = await open();
    const answer = await api.post("/webhooks/", {
      name: "orders",
      template: TEMPLATE,
      secret: PLANTED_SECRET,
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { name: "orders", enabled: true, signed: true, rate_limit: 600, last_received: null },
    });
    const { id, token, path } = answer.body as Created;
    expect(token).toMatch(/^whk_[A-Za-z0-9_-]{43}$/);
    expect(path).toBe(`/api/webhooks/${token}`);
    const others = [await api.get(`/webhooks/${id}`), await api.post("/webhooks/filter")];
    for (const other of others) {
      expect(other.status).toBe(200);
      expect(JSON.stringify(other.body)).not.toMatch(/whk_|token/);
    }
    expect(JSON.stringify(await api.events())).not.toMatch(/whk_/);
  });

  test("turn a request into an event that is there when it is answered", async () => {
    await using api = await open();
    const webhook = await create(api);
    const answer = await send(api, webhook, {
      body: { kind: "paid", order: 'a "b"', note: null },
      search: "?page=1&page=2?or=3",
      headers: { "user-agent": "shop/1" },
    });
    expect(answer).toMatchObject({ status: 200, body: { event: "order.paid" } });
    const { id } = answer.body as { id: string };
    expect(await received(api)).toMatchObject([
      {
        id,
        event: "order.paid",
        resource: { "prefect.resource.id": 'order.a "b"' },
        payload: { method: "POST", by: "shop/1", page: ["1", "2?or=3"], note: null },
      },
    ]);
  });

  test("make a static event with the body as its payload", async () => {
    await using api = await open();
    const webhook = await create(api, STATIC);
    await send(api, webhook, { body: { at: 5 } });
    await send(api, webhook, { body: "[1]" });
    await send(api, webhook, {
      body: "a=1&b=2&b=3",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    await send(api, webhook, {
      method: "PUT",
      body: "hello",
      headers: { "content-type": "text/plain" },
    });
    await send(api, webhook, { search: "?floor=2" });
    const events = await received(api);
    expect(events.map(({ payload }) => payload)).toEqual([
      { at: 5 },
      { body: [1] },
      { a: "1", b: ["2", "3"] },
      { body: "hello" },
      { floor: "2" },
    ]);
    expect(events[0]).toMatchObject(STATIC);
  });

  test("take the NUL characters out of a form, so that its event can be searched", async () => {
    await using api = await open();
    const webhook = await create(api, STATIC);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await send(api, webhook, { body: "note=no%00body&a%%0000=%%0000", headers });
    expect((await received(api)).map(({ payload }) => payload)).toEqual([
      { note: "nobody", "a%00": "%00" },
    ]);
    const filter = { text: { query: "nobody" } };
    expect(await api.post("/events/filter", { filter })).toMatchObject({
      status: 200,
      body: { total: 1 },
    });
  });

  test("show no credentials to a template", async () => {
    await using api = await open();
    const template = `{"event": "seen", "resource": {"prefect.resource.id": "x"}, "payload": {"headers": {{ headers | tojson }}}}`;
    const webhook = await create(api, { template });
    await send(api, webhook, {
      body: {},
      headers: {
        authorization: `Bearer ${PLANTED_SECRET}`,
        cookie: PLANTED_SECRET,
        "x-api-key": PLANTED_SECRET,
        "x-gitlab-token": PLANTED_SECRET,
        "x-event": "push",
      },
    });
    const [event] = await received(api);
    expect(event).toMatchObject({ payload: { headers: { "x-event": "push" } } });
    expect(JSON.stringify(event)).not.toContain(PLANTED_SECRET);
  });

  test("keep a repeated delivery once, by the id that the template gives", async () => {
    await using api = await open();
    const template = `{"event": "e", "id": "{{ body.id }}", "resource": {"prefect.resource.id": "x"}}`;
    const webhook = await create(api, { template });
    const uuid = "1B0E7EE28A3C4FD39F0E3F0A7D3A1C55";
    const answers = await Promise.all(
      ["evt_1", "evt_1", uuid, uuid].map((id) => send(api, webhook, { body: { id } })),
    );
    const ids = answers.map(({ body }) => (body as { id: string }).id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe("1b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55");
    expect(ids[3]).toBe(ids[2]);
    expect(await received(api)).toHaveLength(2);
  });

  test("keep a repeated delivery once, by its header, each webhook for itself", async () => {
    await using api = await open();
    const given = { ...STATIC, delivery_header: "X-GitHub-Delivery" };
    const one = await create(api, given);
    const other = await create(api, { ...given, name: "other" });
    const headers = { "x-github-delivery": UNKNOWN_ID };
    for (const webhook of [one, one, other]) {
      expect(await send(api, webhook, { headers })).toMatchObject({ status: 200 });
    }
    expect(await received(api)).toHaveLength(2);
  });

  test("check the signature of the body where there is a secret", async () => {
    await using api = await open();
    const webhook = await create(api, { ...STATIC, secret: PLANTED_SECRET });
    const body = '{"a": 1}';
    const digest = createHmac("sha256", PLANTED_SECRET).update(body);
    const signature = digest.digest("hex");
    const signed = (value: string, header = "x-hub-signature-256") =>
      send(api, webhook, { body, headers: { [header]: value } });
    expect(await signed(`sha256=${signature}`)).toMatchObject({ status: 200 });
    expect(await signed(signature.toUpperCase())).toMatchObject({ status: 200 });
    expect(await signed(`sha256=${"0".repeat(64)}`)).toMatchObject({ status: 401 });
    expect(await send(api, webhook, { body })).toMatchObject({ status: 401 });
    expect(await received(api)).toHaveLength(2);
    await api.patch(`/webhooks/${webhook.id}`, { signature_header: "X-Signature" });
    expect(await signed(`sha256=${signature}`)).toMatchObject({ status: 401 });
    expect(
      await signed(Buffer.from(signature, "hex").toString("base64"), "x-signature"),
    ).toMatchObject({ status: 200 });
    await api.patch(`/webhooks/${webhook.id}`, { secret: null });
    expect(await send(api, webhook, { body })).toMatchObject({ status: 200 });
  });

  test("answer 404 to a token that is unknown, that was replaced, or whose webhook is gone", async () => {
    await using api = await open();
    const webhook = await create(api);
    const rotated = await api.post(`/webhooks/${webhook.id}/rotate`);
    expect(rotated).toMatchObject({ status: 200, body: { id: webhook.id } });
    const { token } = rotated.body as Created;
    const body = { kind: "paid", order: 1 };
    for (const method of ["POST", "PUT", "GET", "HEAD"])
      for (const unknown of [`whk_${"A".repeat(43)}`, "whk_x", webhook.token])
        expect((await send(api, { token: unknown }, { method })).status).toBe(404);
    expect(await send(api, { token: "nothing" })).toMatchObject({ status: 404 });
    expect(await send(api, { token }, { body })).toMatchObject({ status: 200 });
    expect(await api.delete(`/webhooks/${webhook.id}`)).toMatchObject({ status: 204 });
    expect(await send(api, { token }, { body })).toMatchObject({
      status: 404,
      body: { detail: "Not Found" },
    });
  });

  test("say so when they are disabled", async () => {
    await using api = await open();
    const webhook = await create(api, STATIC);
    await api.patch(`/webhooks/${webhook.id}`, { enabled: false });
    expect(await send(api, webhook)).toMatchObject({
      status: 403,
      body: { detail: "The webhook is disabled" },
    });
    await api.patch(`/webhooks/${webhook.id}`, { enabled: true });
    expect(await send(api, webhook)).toMatchObject({ status: 200 });
    expect(await received(api)).toHaveLength(1);
  });

  test("answer probes without an event, and GET with one only where that is wanted", async () => {
    await using api = await open();
    const webhook = await create(api, STATIC);
    for (const method of ["GET", "HEAD"])
      expect((await send(api, webhook, { method })).status).toBe(204);
    expect(await received(api)).toEqual([]);
    await api.patch(`/webhooks/${webhook.id}`, { accepts_get: true });
    expect((await send(api, webhook, { method: "HEAD" })).status).toBe(204);
    expect(await send(api, webhook, { method: "GET" })).toMatchObject({ status: 200 });
    expect(await received(api)).toHaveLength(1);
  });

  test("take so many requests a minute and say when to come again", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const webhook = await create(api, { ...STATIC, rate_limit: 2 });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await send(api, webhook)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await send(api, webhook)).headers).toMatchObject({ "retry-after": "30" });
    clock.advanceMs(30_000);
    expect((await send(api, webhook)).status).toBe(200);
    expect((await send(api, webhook)).status).toBe(429);
  });

  test.each([
    [{ kind: "" }, "resource.id", `{"event": "e", "resource": {"colour": "red"}}`],
    [{}, "not an event", `{"event": "e"}`],
    [{}, "not an event", "event"],
    [
      {},
      "not an event",
      `{"event": "e", "resource": {"prefect.resource.id": "x"}, "colour": "red"}`,
    ],
    [{}, "line 1", `{{ body | round }}`],
    [
      {},
      "server's own",
      `{"event": "prefect.flow-run.Completed", "resource": {"prefect.resource.id": "x"}}`,
    ],
  ])("answer 422 to %j with what is wrong: %s", async (body, problem, template) => {
    await using api = await open();
    const webhook = await create(api, { template });
    const answer = await send(api, webhook, { body });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(problem) },
    });
    expect(await received(api)).toEqual([]);
  });

  test("answer others while a costly template is rendered", async () => {
    await using api = await open();
    const webhook = await create(api, { template: COSTLY_TEMPLATE });
    const answer = await answersMeanwhile(api, () => send(api, webhook));
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(TOO_MUCH) },
    });
    await flushReceptions(api.ctx);
    const { body } = await api.get(`/webhooks/${webhook.id}`);
    expect(body).toMatchObject({
      last_status: "INVALID",
      last_error: expect.stringMatching(TOO_MUCH),
    });
  });

  test("render a simple template in the event loop", async () => {
    await using api = await open();
    const webhook = await create(api);
    const threads = watchThreads(api);
    expect((await send(api, webhook)).status).toBe(200);
    expect(threads).toEqual([]);
  });

  test("take as many values as a body has, and answer 422 to a template that does too much with them", async () => {
    await using api = await open();
    const resource = `"resource": {"prefect.resource.id": "x"}`;
    const body = Array.from({ length: 50_000 }, (_, number) => ({ number }));
    const few = await create(api, { template: `{"event": "e{{ body|length }}", ${resource}}` });
    expect((await send(api, few, { body })).status).toBe(200);
    const all = `{% for each in body %}{{ body|tojson|length }}{% endfor %}{"event": "e", ${resource}}`;
    const much = await create(api, { template: all, name: "much" });
    expect(await send(api, much, { body })).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(TOO_MUCH) },
    });
  });

  test("keep and tell no more of what is wrong than a sentence, whatever a sender writes", async () => {
    await using api = await open();
    const template = `{"event": "e", "resource": {"prefect.resource.id": "x"}, {{ body.key | tojson }}: 1}`;
    const webhook = await create(api, { template });
    const key = `\u0001${"k".repeat(300_000)}`;
    const answer = await send(api, webhook, { body: { key } });
    expect(answer.status).toBe(422);
    expect((answer.body as { detail: string }).detail.length).toBeLessThanOrEqual(500);
    await flushReceptions(api.ctx);
    const { last_error } = await read(api, webhook.id);
    expect(last_error).toMatch(/^What the template makes is not an event: \P{Cc}{10,460}$/u);
  });

  test("cannot be made to pass for the server's own events", async () => {
    await using api = await open();
    const event = "Orchestrator.flow-run.Completed";
    const answer = await api.post("/webhooks/", { name: "own", ...STATIC, event });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("server's own") },
    });
  });

  test("answer 422 to a body that is not the JSON it is said to be, and 413 to one that is too long", async () => {
    await using api = await open();
    const webhook = await create(api, STATIC);
    expect(await send(api, webhook, { body: "{" })).toMatchObject({ status: 422 });
    const headers = { "content-type": "text/plain" };
    expect(await send(api, webhook, { body: "x".repeat(1024 * 1024 + 1), headers })).toMatchObject({
      status: 413,
    });
    expect(
      await send(api, webhook, { body: "{}", headers: { "content-encoding": "gzip" } }),
    ).toMatchObject({ status: 415 });
  });

  test("remember what became of the last request, and tell of a new failure once", async () => {
    await using api = await open();
    const webhook = await create(api);
    const good = { kind: "paid", order: 1 };
    await send(api, webhook, { body: good });
    await flushReceptions(api.ctx);
    expect(await read(api, webhook.id)).toMatchObject({
      last_received: expect.stringMatching(/Z$/),
      last_status: "ACCEPTED",
      last_error: null,
    });
    for (let n = 0; n < 3; n += 1) {
      await send(api, webhook, { body: "{" });
      await flushReceptions(api.ctx);
    }
    const failed = await read(api, webhook.id);
    expect(failed).toMatchObject({
      last_status: "INVALID",
      last_error: expect.stringContaining("body"),
    });
    const failures = (await api.events()).filter(({ event }) => event.endsWith("webhook.failed"));
    expect(failures).toMatchObject([
      {
        resource: { "orchestrator.resource.name": "orders" },
        payload: { status: "INVALID", error: failed["last_error"] },
      },
    ]);
    await send(api, webhook, { body: good });
    await flushReceptions(api.ctx);
    expect(await read(api, webhook.id)).toMatchObject({
      last_status: "ACCEPTED",
      last_error: null,
    });
  });

  test("tell of a failure that could not be written down when it was found out", async () => {
    await using api = await open();
    const webhook = await create(api);
    const ctx = { ...api.ctx, db: awayOnce(api.ctx.db) };
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, query: {}, bytes: Buffer.from("{") };
    await expect(receiveWebhook(ctx, webhook.token, request)).rejects.toThrow("body");
    await expect(flushReceptions(ctx)).rejects.toThrow("away");
    await flushReceptions(ctx);
    expect(await read(api, webhook.id)).toMatchObject({ last_status: "INVALID" });
    const failures = (await api.events()).filter(({ event }) => event.endsWith("webhook.failed"));
    expect(failures).toHaveLength(1);
  });

  test("show the event that a request would become, and store nothing", async () => {
    await using api = await open();
    const webhook = await create(api);
    const sample = {
      body: { kind: "paid", order: 1 },
      headers: { "User-Agent": "shop/1" },
      query: { page: 3 },
    };
    expect(await api.post(`/webhooks/${webhook.id}/preview`, sample)).toMatchObject({
      status: 200,
      body: { event: "order.paid", payload: { method: "POST", by: "shop/1", page: 3 } },
    });
    const template = `{"event": "{{ method }}", "resource": {"prefect.resource.id": "x"}}`;
    expect(
      await api.post(`/webhooks/${webhook.id}/preview`, { template, method: "PUT" }),
    ).toMatchObject({
      status: 200,
      body: { event: "PUT" },
    });
    expect(await api.post(`/webhooks/${webhook.id}/preview`, { template: "{" })).toMatchObject({
      status: 422,
    });
    expect(await received(api)).toEqual([]);
  });

  test("need no token against cross-site requests to receive, but to be changed", async () => {
    await using api = await open({ settings: { csrfProtectionEnabled: true } });
    const issued = await api.get("/csrf-token?client=me");
    const { token } = issued.body as { token: string };
    const headers = { "orchestrator-csrf-token": token, "orchestrator-csrf-client": "me" };
    const body = { name: "door", ...STATIC };
    expect(await api.request("POST", "/webhooks/", { body })).toMatchObject({ status: 403 });
    const made = await api.request("POST", "/webhooks/", { body, headers });
    expect(await send(api, made.body as Created)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ template: TEMPLATE }, ["body", "name"]],
    [{ name: "x" }, ["body", "template"]],
    [{ name: "x", event: "e" }, ["body", "template"]],
    [{ name: "x", event: "e", resource: { a: "b" } }, ["body", "resource"]],
    [{ name: "x", ...STATIC, template: TEMPLATE }, ["body", "template"]],
    [{ name: "x", template: "{% for %}" }, ["body", "template"]],
    [{ name: "x", template: "{{ a | nonsense }}" }, ["body", "template"]],
    [{ name: "x", template: TEMPLATE, secret: "short" }, ["body", "secret"]],
    [{ name: "x", template: TEMPLATE, rate_limit: 0 }, ["body", "rate_limit"]],
    [{ name: "x", template: TEMPLATE, delivery_header: "a b" }, ["body", "delivery_header"]],
    [{ name: "x", template: TEMPLATE, colour: "red" }, ["body", "colour"]],
  ])("are not created from %j", async (body, loc) => {
    await using api = await open();
    const answer = await api.post("/webhooks/", body);
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc }] } });
    expect(JSON.stringify(answer.body)).not.toContain('"short"');
    expect(await api.post("/webhooks/count")).toMatchObject({ body: 0 });
  });

  test("have names of their own", async () => {
    await using api = await open();
    await create(api);
    const other = await create(api, { name: "other" });
    expect(await api.post("/webhooks/", { name: "orders", ...STATIC })).toMatchObject({
      status: 409,
    });
    expect(await api.patch(`/webhooks/${other.id}`, { name: "orders" })).toMatchObject({
      status: 409,
    });
  });

  test("change from a template to a static event and back", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.patch(`/webhooks/${id}`, STATIC)).toMatchObject({ status: 204 });
    expect(await read(api, id)).toMatchObject({ template: null, ...STATIC });
    expect(
      await api.request("PUT", `/webhooks/${id}`, { body: { template: TEMPLATE } }),
    ).toMatchObject({ status: 204 });
    expect(await read(api, id)).toMatchObject({ template: TEMPLATE, event: null, resource: null });
    expect(await api.patch(`/webhooks/${id}`, { template: null })).toMatchObject({ status: 422 });
  });

  test("tell of their changes, and of no change in no event", async () => {
    await using api = await open();
    const { id } = await create(api, STATIC);
    await api.patch(`/webhooks/${id}`, { description: "front door" });
    await api.patch(`/webhooks/${id}`, { description: "front door", ...STATIC });
    await api.post(`/webhooks/${id}/rotate`);
    await api.delete(`/webhooks/${id}`);
    expect((await api.events()).map(({ event }) => event)).toEqual([
      "orchestrator.webhook.created",
      "orchestrator.webhook.updated",
      "orchestrator.webhook.rotated",
      "orchestrator.webhook.deleted",
    ]);
  });

  test("are listed and counted by name and by whether they are enabled", async () => {
    await using api = await open();
    await create(api);
    await create(api, { name: "doors", enabled: false });
    const names = async (webhooks: Body) =>
      ((await api.post("/webhooks/filter", { webhooks })).body as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names({})).toEqual(["doors", "orders"]);
    expect(await names({ enabled: { eq_: true } })).toEqual(["orders"]);
    expect(await names({ name: { like_: "DOOR" } })).toEqual(["doors"]);
    expect(
      await api.post("/webhooks/count", { webhooks: { enabled: { eq_: false } } }),
    ).toMatchObject({ body: 1 });
  });

  test.each(["GET", "PATCH", "DELETE"])(
    "answer 404 to %s of what does not exist",
    async (method) => {
      await using api = await open();
      const options = method === "PATCH" ? { body: { enabled: true } } : {};
      for (const id of [UNKNOWN_ID, "not-an-id"])
        expect(await api.request(method, `/webhooks/${id}`, options)).toMatchObject({
          status: 404,
        });
    },
  );
});

test("the contract and the list know the same attributes and operators", () => {
  expect(describeListFilter(WEBHOOK_LIST)).toEqual(describeFilterSchema(WebhookFilter));
});
