import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type Deferred, deferred } from "../testing/deferred.ts";
import { type TestHttpApp, testHttpApp, testScope } from "../testing/test-http-app.ts";
import { until } from "../testing/until.ts";
import type { HttpLimits } from "./http-limits.ts";

const LARGE = 20_000;

interface Flooded extends AsyncDisposable {
  readonly t: TestHttpApp;
  /** Requests beginning with `wait` are answered when this is resolved. */
  readonly answer: Deferred<void>;
  readonly get: (path: string) => Promise<Response>;
  readonly send: (text: string, path?: string) => Promise<Response>;
}

/** A server with few places, and a probe. */
async function flooded(limits: Partial<HttpLimits>): Promise<Flooded> {
  const answer = deferred();
  const t = testHttpApp({
    app: { limits },
    routes: (api) => {
      api.get("/health", { config: { isVital: true } }, async () => true);
      const handler = async ({ body }: { readonly body: unknown }) => {
        if ((body as string).startsWith("wait")) await answer.promise;
        return {};
      };
      api.post("/work", handler);
      api.post("/poll", { config: { mayWait: true } }, handler);
    },
  });
  const url = `http://127.0.0.1:${await t.listen()}/api`;
  return {
    t,
    answer,
    get: (path) => fetch(url + path),
    send: (text, path = "/work") =>
      fetch(url + path, {
        method: "POST",
        body: JSON.stringify(text),
        headers: { "content-type": "application/json" },
      }),
    [Symbol.asyncDispose]: async () => {
      answer.resolve();
      await t[Symbol.asyncDispose]();
    },
  };
}

test("a server that works on as much as it may answers 503 at once, and its probe as ever", async () => {
  await using server = await flooded({ requestsInFlight: 2 });
  const { send, get, answer, t } = server;
  const served = [send("wait"), send("wait")];
  await until(async () => expect((await send("one too many")).status).toBe(503));
  const refused = await send("one too many");
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining("ORCHESTRATOR_SERVER_MAX_REQUESTS_IN_FLIGHT"),
    exception_message: "Service Unavailable",
  });
  expect((await get("/nowhere")).status).toBe(503);
  expect((await get("/health")).status).toBe(200);
  expect(await t.metrics.text()).toMatch(/^http_requests_in_flight 2$/m);
  const lines = t.logLines.filter(({ msg }) => String(msg).startsWith("Requests are refused"));
  expect(lines).toHaveLength(1);
  answer.resolve();
  for (const { status } of await Promise.all(served)) expect(status).toBe(200);
  await until(async () => expect((await send("again")).status).toBe(200));
});

test("polls that wait for something to happen take no place from requests that do something", async () => {
  await using server = await flooded({ requestsInFlight: 1 });
  const polls = [];
  for (let n = 0; n < 3; n += 1) {
    const poll = server.send("wait", "/poll");
    polls.push(poll);
    await until(async () => expect((await server.send("work")).status).toBe(200));
  }
  server.answer.resolve();
  for (const { status } of await Promise.all(polls)) expect(status).toBe(200);
});

test("bodies are taken until too much of them is held, and then one after the other", async () => {
  await using server = await flooded({ bytesInFlight: LARGE + 1000 });
  const { send, answer } = server;
  expect((await send("x".repeat(5 * LARGE))).status).toBe(200);
  const first = send(`wait${"x".repeat(LARGE)}`);
  await until(async () => expect((await send("x".repeat(LARGE))).status).toBe(503));
  const refused = await send("x".repeat(LARGE));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining("ORCHESTRATOR_SERVER_MAX_BYTES_IN_FLIGHT"),
  });
  expect((await send("small")).status).toBe(200);
  answer.resolve();
  expect((await first).status).toBe(200);
  await until(async () => expect((await send("x".repeat(LARGE))).status).toBe(200));
});

test("nothing is held for senders who have gone before they were let in", async () => {
  const [arrived, gone, letIn] = [deferred(), deferred(), deferred()];
  await using t = testHttpApp({
    app: { limits: { bytesInFlight: LARGE + 1000, requestsInFlight: 2 } },
    api: {
      resolveScope: async (request) => {
        if (request.headers["x-slow"] !== undefined) {
          request.raw.socket.once("close", () => setImmediate(gone.resolve));
          arrived.resolve();
          await letIn.promise;
        }
        return testScope(request.id);
      },
    },
    routes: (api) => {
      api.post("/work", async () => ({}));
    },
  });
  const url = `http://127.0.0.1:${await t.listen()}/api/work`;
  const headers = { "content-type": "application/json" };
  const send = (init: RequestInit) =>
    fetch(url, { method: "POST", body: JSON.stringify("x".repeat(LARGE)), headers, ...init });
  const leaving = new AbortController();
  const left = send({ headers: { ...headers, "x-slow": "1" }, signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await expect(left).rejects.toThrow();
  await gone.promise;
  letIn.resolve();
  expect((await send({})).status).toBe(200);
  expect(await t.metrics.text()).toMatch(/^http_requests_in_flight 0$/m);
});

test("a refused client that is still sending reads the answer and is not cut off", async () => {
  await using server = await flooded({ requestsInFlight: 1 });
  const served = server.send("wait");
  await until(async () => expect((await server.send("")).status).toBe(503));
  const long = "x".repeat(20_000_000);
  for (let n = 0; n < 3; n += 1) expect((await server.send(long)).status).toBe(503);
  server.answer.resolve();
  expect((await served).status).toBe(200);
  await until(async () => expect((await server.send("")).status).toBe(200));
  // Larger than any body may be.
  for (let n = 0; n < 3; n += 1) expect((await server.send(long)).status).toBe(413);
});

test("large bodies that are there at once are each answered", async () => {
  await using server = await flooded({});
  const answers = Array.from({ length: 60 }, () => server.send("x".repeat(500_000)));
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
});

/** Sends the beginnings of requests, and waits until the server has read all of them. */
async function stalled(port: number, count: number, head: string): Promise<AsyncDisposable> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    socket.on("error", () => {});
    socket.resume();
    sockets.push(socket);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const begun = (length: number, more = ""): string =>
  `POST /api/work HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n"`;

/** How many of the bodies that are coming were refused so far. */
const refusals = async ({ metrics }: TestHttpApp): Promise<number> =>
  Number(/^http_requests_refused_total (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);

test("unfinished bodies take no place from complete requests", async () => {
  await using server = await flooded({ requestsInFlight: 40 });
  const port = (server.t.app.server.address() as { readonly port: number }).port;
  await using _ = await stalled(port, 60, begun(100));
  await until(async () => expect(await refusals(server.t)).toBe(50));
  expect(await server.t.metrics.text()).toMatch(/^http_requests_in_flight 0$/m);
  for (let n = 0; n < 3; n += 1) {
    const [answer] = await once(connect(port, "127.0.0.1").end(`${begun(3)}x"`), "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  }
  expect((await server.get("/health")).status).toBe(200);
});

test("a body counts for the bytes that have arrived, not for those that are announced", async () => {
  await using server = await flooded({ requestsInFlight: 400, bytesInFlight: 10 * LARGE });
  const port = (server.t.app.server.address() as { readonly port: number }).port;
  await using _ = await stalled(port, 50, begun(5 * LARGE));
  await until(async () => expect(server.t.app.sockets.size).toBe(50));
  for (let n = 0; n < 5; n += 1) expect((await server.send("x".repeat(LARGE))).status).toBe(200);
});

test("an address whose bodies never end holds half of the bytes at most", async () => {
  await using server = await flooded({ requestsInFlight: 400, bytesInFlight: 10 * LARGE });
  const port = (server.t.app.server.address() as { readonly port: number }).port;
  // Five of them stay below the half, so that one is refused only while there are more.
  const length = 0.9 * LARGE;
  await using _ = await stalled(port, 9, begun(length + 2) + "x".repeat(length));
  await until(async () => expect(await refusals(server.t)).toBe(4));
});

test("an Upgrade header does not bypass the bound on requests in flight", async () => {
  await using server = await flooded({ requestsInFlight: 1 });
  const port = (server.t.app.server.address() as { readonly port: number }).port;
  await using _ = await stalled(port, 3, `${begun(6, "Upgrade: x\r\n")}wait"`);
  await until(async () => expect(await refusals(server.t)).toBe(2));
});

test("a refused websocket releases its place", async () => {
  await using server = await flooded({ requestsInFlight: 2 });
  const port = (server.t.app.server.address() as { readonly port: number }).port;
  const offer = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /api/nowhere HTTP/1.1\r\n${offer}`),
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 404 /);
    await once(socket, "close");
  }
  await until(async () =>
    expect(await server.t.metrics.text()).toMatch(/^http_requests_in_flight 0$/m),
  );
});
