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
