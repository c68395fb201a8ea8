// The client's websockets against a server that goes away and comes back.
import { createClient as createPlainClient } from "@orchestrator/client";
import { ApiError, createClient, type OrchestratorClient } from "@orchestrator/client/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const RESOURCE = { "orchestrator.resource.id": "shop.order.1" };

async function restartable() {
  const folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  let server = await startReadyServer({ home });
  const { url } = server;
  return {
    url,
    async stop() {
      server.kill("SIGKILL");
      await server.exited;
    },
    async start() {
      server = await startReadyServer({ home, flags: ["--port", new URL(url).port] });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function next<Row>(rows: AsyncGenerator<Row, void, undefined>): Promise<Row> {
  const { value, done } = await rows.next();
  if (done === true) throw new Error("There are no more");
  return value;
}

async function aRun(client: OrchestratorClient) {
  const flow = await client.flows.create({ name: "followed" });
  return client.flowRuns.create({ flow_id: flow.id });
}

test("events and log lines are followed across a crash of the server, each once", async () => {
  await using server = await restartable();
  const client = createClient({ url: `${server.url}/api` });
  const run = await aRun(client);
  const stop = new AbortController();
  const options = { signal: stop.signal, backfill: true };
  const events = client.events.follow({ event: { prefix: ["shop."] } }, options);
  const lines = client.logs.follow({ flow_run_id: { any_: [run.id] } }, options);
  const say = async (word: string): Promise<void> => {
    const timestamp = new Date().toISOString();
    await client.events.create([{ event: `shop.${word}`, resource: RESOURCE }]);
    await client.logs.create([
      { name: "shop", level: 20, message: word, timestamp, flow_run_id: run.id },
    ]);
  };
  const heard: string[] = [];
  const hear = async (): Promise<void> => {
    const [event, line] = await Promise.all([next(events), next(lines)]);
    heard.push(event.event, line.message);
  };

  await say("before");
  await hear();
  await say("now");
  await hear();
  await server.stop();
  const hearing = hear();
  await server.start();
  await say("after");
  await hearing;
  await say("later");
  await hear();
  expect(heard.join(" ")).toBe("shop.before before shop.now now shop.after after shop.later later");
  stop.abort();
  expect(await events.next()).toEqual({ value: undefined, done: true });
  expect(await lines.next()).toEqual({ value: undefined, done: true });

  // Further back than the server remembers for its sockets: first from the pages, then live, none
  // twice.
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const all = client.events.follow(
    { event: { prefix: ["shop."] }, occurred: { since } },
    { backfill: true },
  );
  const again: string[] = [];
  for (let i = 0; i < 4; i += 1) again.push((await next(all)).event);
  const live = next(all);
  await say("live");
  again.push((await live).event);
  await all.return();
  expect(again.join(" ")).toBe("shop.before shop.now shop.after shop.later shop.live");
});

test("whoever reads anew after a long gap is told of it, and is not sent all that happened in it", async () => {
  await using server = await restartable();
  const asked: string[] = [];
  const client = createClient({
    url: `${server.url}/api`,
    fetch: (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).pathname);
      return fetch(input, init);
    },
  });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  let gaps = 0;
  const onGap = () => {
    gaps += 1;
  };
  const filter = { event: { prefix: ["shop."] }, occurred: { since } };
  const events = client.events.follow(filter, { backfill: true, onGap });
  const coming = next(events);
  await client.events.create([{ event: "shop.now", resource: RESOURCE }]);
  expect((await coming).event).toBe("shop.now");
  await events.return();
  expect(gaps).toBe(1);
  expect(asked.filter((path) => path.endsWith("/events/filter"))).toEqual([]);

  const recent = { occurred: { since: new Date().toISOString() } };
  const lately = client.events.follow(recent, { backfill: true, onGap });
  const another = next(lately);
  await client.events.create([{ event: "shop.later", resource: RESOURCE }]);
  expect((await another).event).toBe("shop.later");
  await lately.return();
  expect(gaps).toBe(1);
});

test("a connection that is back long after the last event was a gap only if something happened", async () => {
  await using server = await restartable();
  let beforeLooking = async (): Promise<void> => {};
  let looks = 0;
  const client = createClient({
    url: `${server.url}/api`,
    fetch: async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (!pathname.endsWith("/events/filter")) return fetch(input, init);
      await beforeLooking();
      const answer = await fetch(input, init);
      looks += 1;
      return answer;
    },
  });
  // By the clock of the server: the one here is put forward.
  const occurred = new Date().toISOString();
  const say = (event: string) => client.events.create([{ event, occurred, resource: RESOURCE }]);
  let gaps = 0;
  const onGap = () => {
    gaps += 1;
  };
  const filter = { event: { prefix: ["shop."] } };
  const events = client.events.follow(filter, { backfill: true, onGap });
  await say("shop.first");
  expect((await next(events)).event).toBe("shop.first");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());

  const second = next(events);
  await server.stop();
  await server.start();
  await retryUntil(() => expect(looks).toBeGreaterThan(0));
  await say("shop.second");
  expect((await second).event).toBe("shop.second");
  expect(gaps).toBe(0);

  vi.setSystemTime(Date.now() + 3_600_000);
  beforeLooking = async () => {
    beforeLooking = async () => {};
    await say("shop.missed");
  };
  const missed = next(events);
  await server.stop();
  await server.start();
  expect((await missed).event).toBe("shop.missed");
  expect(gaps).toBe(1);
  await events.return();
});

test("a publisher keeps events while the server is away and stores each once", async () => {
  await using server = await restartable();
  const retries: string[] = [];
  const client = createClient({
    url: `${server.url}/api`,
    onRetry: ({ error }) => retries.push(error.name),
  });
  const publisher = client.events.publisher();
  const publish = async (from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i += 1) {
      await publisher.send({ event: `shop.order.${i}`, resource: RESOURCE });
    }
  };
  await publish(0, 500);
  await publisher.flush();
  await server.stop();
  const publishing = publish(500, 3000);
  await server.start();
  await publishing;
  await publisher.close();
  const filter = { event: { prefix: ["shop."] }, order: "ASC" as const };
  const names = new Set<string>();
  let count = 0;
  for await (const { event } of client.events.each({ filter })) {
    names.add(event);
    count += 1;
  }
  expect({ count, distinct: names.size }).toEqual({ count: 3000, distinct: 3000 });
  expect(retries.length).toBeGreaterThan(0);
  await expect(publisher.send({ event: "late", resource: RESOURCE })).rejects.toThrow("was closed");
});

test("a publisher needs no websocket where none of ours is at hand, as in a page", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("WebSocket", () => {
    throw new Error("No websocket is wanted");
  });
  await using server = await restartable();
  const asked: string[] = [];
  const client = createPlainClient({
    url: `${server.url}/api`,
    retries: 0,
    onRetry: ({ method, url }) => asked.push(`${method} ${url}`),
  });
  const publisher = client.events.publisher();
  await server.stop();
  await publisher.send({ event: "shop.order.1", resource: RESOURCE });
  await retryUntil(() => Promise.resolve(expect(asked.length).toBeGreaterThan(0)));
  await server.start();
  await publisher.close();
  expect(new Set(asked)).toEqual(new Set([`POST ${server.url}/api/events`]));
  expect(await client.events.list({ filter: { event: { prefix: ["shop."] } } })).toMatchObject({
    total: 1,
  });
});

test("what is no address of the API and what nobody understands ends a socket with the reason", async () => {
  await using server = await restartable();
  const elsewhere = createClient({ url: `${server.url}/api/none` });
  const refused = await elsewhere.events
    .follow()
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 404 });

  const client = createClient({ url: `${server.url}/api` });
  const nonsense = client.events.follow({ event: { names: ["x"] } } as never);
  await expect(nonsense.next()).rejects.toMatchObject({ name: "ConnectionError", closeCode: 1002 });

  const runs = client.taskRuns.subscribe({ keys: ["tasks.send"], client_id: "worker-1" });
  const first = next(runs);
  const flowless = await client.taskRuns.create({
    task_key: "tasks.send",
    dynamic_key: "1",
    flow_run_id: null,
    state: { type: "SCHEDULED", state_details: { deferred: true } },
  });
  expect((await first).id).toBe(flowless.id);
  await runs.return();
});
