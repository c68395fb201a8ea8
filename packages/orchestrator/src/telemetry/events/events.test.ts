import { appendEvent } from "@orchestrator/kernel/events";
import { openScope } from "@orchestrator/kernel/scope";
import type { SocketClient } from "@orchestrator/kernel/testing";
import { expect, test, vi } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

type Body = Record<string, unknown>;

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

function anEvent(n: number, given: Body = {}): Body {
  return {
    id: uuid(n),
    occurred: new Date().toISOString(),
    event: `order.step-${n}`,
    resource: { "prefect.resource.id": `order.${n}`, colour: "red" },
    ...given,
  };
}

const nextEvent = async (client: SocketClient): Promise<Body> => {
  const message = (await client.next()) as { readonly type: string; readonly event: Body };
  expect(message.type).toBe("event");
  return message.event;
};

async function listen(api: TestApi, filter: Body = {}, more: Body = {}): Promise<SocketClient> {
  const client = await api.socket("/events/out");
  client.send({ type: "filter", filter, ...more });
  return client;
}

/** As many events as these, straight into the log. */
async function store(api: TestApi, numbers: readonly number[]): Promise<void> {
  const now = api.ctx.clock.now();
  await api.ctx.db.write(openScope("test").workspaceId, async (tx) => {
    for (const n of numbers) {
      const event = { ...anEvent(n), occurred: now, received: now };
      const { id, event: name } = event as unknown as {
        readonly id: string;
        readonly event: string;
      };
      const body = JSON.stringify({ ...event, related: [], payload: {}, follows: null });
      const resource_id = `order.${n}`;
      await appendEvent(tx, { id, occurred: now, received: now, event: name, resource_id, body });
    }
  });
}

const UNACCEPTABLE: readonly Body[] = [
  { resource: { name: "x" } },
  { resource: { "prefect.resource.id": "" } },
  { resource: { "prefect.resource.id": "x", n: 1 } },
  { related: [{ "prefect.resource.id": "x" }] },
  { id: null },
  { event: "x".repeat(1025) },
  { event: "日".repeat(1000) },
  { resource: { "prefect.resource.id": "x".repeat(2501) } },
  { related: [{ "prefect.resource.id": "x".repeat(2500), "prefect.resource.role": "y" }] },
  { payload: [] },
  { related: Array(101).fill({ "prefect.resource.id": "x", "prefect.resource.role": "y" }) },
  { payload: { text: "x".repeat(1_500_000) } },
  { resource: { "prefect.resource.id": "x", ["n".repeat(1001)]: "" } },
  { resource: { "prefect.resource.id": "x", text: "x".repeat(131_073) } },
];

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describeEachApi("events by request", (open) => {
  test("are stored whole, whichever prefix their labels have, and each id once", async () => {
    await using api = await open();
    const related = [
      { "orchestrator.resource.id": "flow.1", "orchestrator.resource.role": "flow", x: "y" },
    ];
    const sent = [
      anEvent(1, { payload: { a: [1, null] }, related, follows: uuid(9) }),
      anEvent(2, { resource: { "orchestrator.resource.id": "b" }, unheardOf: 1 }),
      anEvent(1, { event: "sent.again" }),
    ];
    expect(await api.post("/events", sent)).toMatchObject({ status: 204, body: undefined });
    expect((await api.post("/events", sent)).status).toBe(204);
    const stored = (await api.events()) as unknown as Body[];
    expect(stored).toHaveLength(2);
    expect(stored[0]).toEqual({
      ...anEvent(1),
      occurred: expect.stringMatching(/^\d{4}-.*\d{6}Z$/),
      payload: { a: [1, null] },
      related,
      follows: uuid(9),
      received: expect.stringMatching(/^\d{4}-.*\d{6}Z$/),
    });
    expect(stored[1]).not.toHaveProperty("unheardOf");
    expect(stored[1]).toMatchObject({ related: [], payload: {}, follows: null });
  });

  test("are refused, all of them, when one is not acceptable", async () => {
    await using api = await open();
    for (const wrong of UNACCEPTABLE) {
      const answer = await api.post("/events", [anEvent(1), anEvent(2, wrong)]);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain('"loc":["body",1');
    }
    expect(await api.events()).toEqual([]);
  });
});

describeEachApi("a batch of events", (open) => {
  test("may have 5000 of them with the longest labels, and none is stored of more", async () => {
    await using api = await open();
    const resource = {
      "prefect.resource.id": "x",
      ["n".repeat(1000)]: "",
      text: "x".repeat(131_072),
    };
    const most = range(1, 4999).map((n) => anEvent(n));
    const longest = anEvent(5000, { resource });
    const answer = await api.post("/events", [...most, longest, anEvent(5001)]);
    expect(answer.status).toBe(422);
    expect(await api.events()).toEqual([]);
    expect((await api.post("/events", [...most, longest])).status).toBe(204);
  });
});

describeEachApi("events by websocket", (open) => {
  test("are stored by the time the ping behind them is answered", async () => {
    await using api = await open();
    await using sender = await api.socket("/events/in");
    for (const n of range(1, 500)) sender.send(anEvent(n));
    await sender.ping();
    const stored = await api.events();
    expect(stored.map(({ event }) => event)).toEqual(range(1, 500).map((n) => `order.step-${n}`));
  });

  test("that make no sense are dropped and the others are stored", async () => {
    await using api = await open();
    await using sender = await api.socket("/events/in");
    const nonsense = ["{", "null", "[]", '"\\ud800"', anEvent(3, { resource: {} }), { id: 1 }];
    sender.send(anEvent(1));
    for (const each of nonsense) sender.send(each);
    sender.send(anEvent(2, { payload: { text: "a\u0000b" } }));
    sender.send(anEvent(1));
    await sender.ping();
    expect(await api.events()).toMatchObject([
      { event: "order.step-1" },
      { event: "order.step-2", payload: { text: "ab" } },
    ]);
  });

  test("are stored when the sender leaves without waiting", async () => {
    await using api = await open();
    await using sender = await api.socket("/events/in");
    for (const n of range(1, 300)) sender.send(anEvent(n));
    sender.ws.close(1000);
    await sender.closed;
    await vi.waitFor(async () => expect(await api.events()).toHaveLength(300), 10_000);
  });
});

describeEachApi("listening to events", (open) => {
  test("begins with those of the last minutes and goes on with new ones, without gap or repetition", async () => {
    await using api = await open();
    await store(api, range(1, 300));
    await using listener = await listen(api);
    const sending = (async () => {
      await using sender = await api.socket("/events/in");
      for (const n of range(301, 700)) sender.send(anEvent(n));
      await sender.ping();
    })();
    const heard: unknown[] = [];
    for (const _ of range(1, 700)) heard.push((await nextEvent(listener))["event"]);
    await sending;
    expect(heard).toEqual(range(1, 700).map((n) => `order.step-${n}`));
    await listener.ping();
    expect(listener.waiting()).toBe(0);
  });

  test("gets through a backlog of ten thousand while others get theirs", async () => {
    await using api = await open();
    for (const from of range(0, 19)) await store(api, range(from * 500 + 1, from * 500 + 500));
    await using all = await listen(api);
    await using some = await listen(api, { event: { name: ["order.step-9999"] } });
    expect((await nextEvent(some))["id"]).toBe(uuid(9999));
    const heard: unknown[] = [];
    for (const _ of range(1, 10_000)) heard.push((await nextEvent(all))["id"]);
    expect(heard).toEqual(range(1, 10_000).map(uuid));
  });

  test("without the past begins with what comes", async () => {
    await using api = await open();
    await store(api, [1]);
    await using other = await listen(api);
    await nextEvent(other);
    await using listener = await listen(api, {}, { backfill: false });
    // It listens once something of the present arrives.
    let n = 2;
    while (listener.waiting() === 0) {
      await store(api, [n]);
      await nextEvent(other);
      await listener.ping();
      n += 1;
    }
    expect((await nextEvent(listener))["id"]).not.toBe(uuid(1));
  });

  test("leaves out what the filter does not mean, also among new events", async () => {
    await using api = await open();
    const filter = {
      event: { prefix: ["order."], exclude_prefix: null, name: null, exclude_name: [] },
      resource: { id: ["order.2", "order.3"], id_prefix: null, labels: { colour: ["re*"] } },
      related: null,
      any_resource: null,
      id: { id: null },
      occurred: { since: "2020-01-01T00:00:00Z", until: "2100-01-01T00:00:00+00:00" },
      order: "DESC",
      text: null,
    };
    await using listener = await listen(api, filter);
    await api.post("/events", [
      anEvent(1),
      anEvent(2),
      anEvent(3, { resource: { "prefect.resource.id": "order.3", colour: "blue" } }),
    ]);
    await api.post("/events", [
      anEvent(4),
      anEvent(5, { resource: { "prefect.resource.id": "order.3", colour: "red" } }),
    ]);
    expect((await nextEvent(listener))["id"]).toBe(uuid(2));
    expect((await nextEvent(listener))["id"]).toBe(uuid(5));
  });

  test("tells of the server's own events", async () => {
    await using api = await open({ dialect: "prefect" });
    await using listener = await listen(api, { event: { prefix: ["prefect.variable"] } });
    await api.post("/variables/", { name: "region", value: "eu" });
    expect(await nextEvent(listener)).toMatchObject({
      event: "prefect.variable.created",
      resource: { "prefect.resource.name": "region" },
    });
  });

  test("is refused when the message is not a filter that can be understood", async () => {
    await using api = await open();
    for (const message of [
      { type: "subscribe" },
      { type: "filter", filter: { colour: "red" } },
      { type: "filter", filter: { occurred: { since: "x" } } },
      { type: "filter", filter: { text: { query: "a\0b" } } },
      "nonsense",
    ]) {
      await using client = await api.socket("/events/out");
      client.send(message);
      const { code, reason } = await client.closed;
      expect(code).toBe(1002);
      expect(reason).not.toBe("");
    }
  });

  test("ends for one who does not read, and for no other", async () => {
    await using api = await open({ socketLimits: { unsentBytes: 100_000, closeMs: 100 } });
    await using slow = await listen(api);
    await using other = await listen(api);
    await api.post("/events", [anEvent(0)]);
    await Promise.all([nextEvent(slow), nextEvent(other)]);
    slow.ws.pause();
    const text = "x".repeat(500_000);
    for (const n of range(1, 40)) {
      await api.post("/events", [anEvent(n, { payload: { text } })]);
      expect((await nextEvent(other))["id"]).toBe(uuid(n));
    }
    slow.ws.resume();
    expect([1006, 1013]).toContain((await slow.closed).code);
  });
});

describeEachApi("the document of the API", (open) => {
  test("names the requests for events and leaves out the websockets", async () => {
    await using api = await open();
    const { body } = await api.get("/openapi.json");
    const paths = Object.keys((body as { readonly paths: Body }).paths);
    expect(paths.some((path) => path.endsWith("/events"))).toBe(true);
    expect(paths.some((path) => path.endsWith("/events/out"))).toBe(false);
  });
});
