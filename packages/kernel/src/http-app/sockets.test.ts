import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiInstance } from "../http/mount-api.ts";
import { deferred } from "../testing/deferred.ts";
import { rounds } from "../testing/rounds.ts";
import { testHttpApp, testScope } from "../testing/test-http-app.ts";
import { closeHttpApp } from "./close-http-app.ts";

interface Wire {
  readonly socket: Socket;
  readonly send: (text: string | Buffer) => void;
  /** What has arrived so far. */
  readonly received: () => string;
  readonly until: (pattern: RegExp) => Promise<string>;
  readonly closed: Promise<void>;
}

async function open(port: number): Promise<Wire> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const resume of waiting.splice(0)) resume();
  };
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    wake();
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      wake();
      resolve();
    });
  });
  await new Promise<void>((resolve) => {
    socket.once("connect", () => resolve());
  });
  return {
    socket,
    send: (data) => socket.write(data),
    received: () => text,
    closed,
    until: async (pattern) => {
      while (!pattern.test(text)) {
        if (socket.closed) throw new Error(`closed after: ${text}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      return text;
    },
  };
}

function bodyOf(response: string): Record<string, unknown> {
  return JSON.parse(response.slice(response.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

const TIGHT = { headersMs: 300, requestMs: 600, keepAliveMs: 400, idleMs: 5000 };

function routes(api: ApiInstance): void {
  api.get("/ping", async () => "pong");
  api.post("/echo", async (request) => request.body);
}

describe("a client that is too slow", () => {
  test("with its headers is cut off while others are served", async () => {
    await using t = testHttpApp({ routes, app: { limits: TIGHT } });
    const port = await t.listen();
    const slow = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    const started = performance.now();
    const drip = setInterval(() => {
      for (const wire of slow) wire.send("X-Drip: 1\r\n");
    }, 50);
    for (const wire of slow) wire.send("GET /api/ping HTTP/1.1\r\nHost: x\r\n");
    const served: number[] = [];
    while (performance.now() - started < 300) {
      served.push((await fetch(`http://127.0.0.1:${port}/api/ping`)).status);
    }
    await Promise.all(slow.map((wire) => wire.closed));
    clearInterval(drip);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(new Set(served)).toEqual(new Set([200]));
    for (const wire of slow) {
      expect(wire.received()).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
      expect(bodyOf(wire.received())["detail"]).toBe("The request took too long to arrive");
    }
  });

  test("with its body gets a 408 and no second answer", async () => {
    await using t = testHttpApp({ routes, app: { limits: TIGHT } });
    const wire = await open(await t.listen());
    wire.send(
      "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n[1,",
    );
    await wire.closed;
    expect(wire.received()).toMatch(/^HTTP\/1.1 408 /);
    expect(wire.received().match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(t.logLines.filter((line) => Number(line["level"]) >= 50)).toEqual([]);
  });

  test("is not one whose request was there while the server was held up", async () => {
    await using t = testHttpApp({ routes, app: { limits: TIGHT } });
    const port = await t.listen();
    const accepted = once(t.app.server, "connection");
    const wire = await open(port);
    await accepted;
    wire.send("GET /api/ping HTTP/1.1\r\nHost: x\r\n\r\n");
    const heldUpUntil = performance.now() + 3 * TIGHT.requestMs;
    while (performance.now() < heldUpUntil);
    expect(await wire.until(/pong/)).toMatch(/^HTTP\/1.1 200 /);
  });

  test("is not one whose body the server does not take while it finds out who asks", async () => {
    const letIn = deferred();
    await using t = testHttpApp({
      routes,
      app: { limits: TIGHT },
      api: {
        resolveScope: async (request) => {
          await letIn.promise;
          return testScope(request.id);
        },
      },
    });
    const wire = await open(await t.listen());
    const body = JSON.stringify("x".repeat(900_000));
    wire.send(
      `POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(t.app.server, "clientError");
    letIn.resolve();
    expect((await wire.until(/^HTTP/)).slice(0, 13)).toBe("HTTP/1.1 200 ");
  });

  test("to ask again loses its idle connection", async () => {
    await using t = testHttpApp({ routes, app: { limits: TIGHT } });
    const wire = await open(await t.listen());
    wire.send("GET /api/ping HTTP/1.1\r\nHost: x\r\n\r\n");
    await wire.until(/pong/);
    const idleSince = performance.now();
    await wire.closed;
    expect(performance.now() - idleSince).toBeLessThan(10_000);
  });
});

test("a connection on which nothing moves is cut", async () => {
  await using t = testHttpApp({
    routes: (api) => {
      api.get("/never", () => new Promise(() => {}));
    },
    app: { limits: { ...TIGHT, idleMs: 300 } },
  });
  const wire = await open(await t.listen());
  wire.send("GET /api/never HTTP/1.1\r\nHost: x\r\n\r\n");
  const started = performance.now();
  await wire.closed;
  expect(performance.now() - started).toBeLessThan(10_000);
});

describe("what is not HTTP", () => {
  test.each([
    ["a broken request line", "NONSENSE\r\n\r\n", 400],
    ["binary noise", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n", 400],
    [
      "two lengths",
      "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      400,
    ],
    [
      "a length beside chunks",
      "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a broken chunk",
      "POST /api/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
    [
      "headers without end",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(40_000)}\r\n\r\n`,
      431,
    ],
    ["an endless address", `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["a request without a host", "GET /api/ping HTTP/1.1\r\n\r\n", 400],
  ])("such as %s is answered in JSON", async (_name, bytes, status) => {
    await using t = testHttpApp({ routes });
    const wire = await open(await t.listen());
    wire.send(bytes);
    const response = await wire.until(/\r\n\r\n.*}/s);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodyOf(response)).toMatchObject({
      detail: expect.any(String),
      exception_message: expect.any(String),
    });
    expect((await t.app.inject("/api/ping")).statusCode).toBe(200);
  });

  test("but not the longest names in one address, beside keys and cookies", async () => {
    await using t = testHttpApp({ routes });
    const wire = await open(await t.listen());
    const address = `/api/ping?of=${"%E6%97%A5".repeat(1666)}`;
    wire.send(`GET ${address} HTTP/1.1\r\nHost: x\r\nCookie: ${"c".repeat(8000)}\r\n\r\n`);
    expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 200 /);
  });

  test("and random bytes never stop the server", async () => {
    await using t = testHttpApp({ routes, app: { limits: TIGHT } });
    const port = await t.listen();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .string({ maxLength: 50 })
        .map((text) => Buffer.from(`GET /${text} HTTP/1.1\r\n${text}\r\n\r\n`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (noise) => {
        const wire = await open(port);
        wire.socket.end(Buffer.from(noise));
        await wire.closed;
        expect(wire.received()).not.toMatch(/^HTTP\/1.1 5/m);
      }),
      { numRuns: rounds(15, 60) },
    );
    expect((await fetch(`http://127.0.0.1:${port}/api/ping`)).status).toBe(200);
  });

  test("and a connection that breaks within a body is nobody's error", async () => {
    await using t = testHttpApp({ routes });
    const port = await t.listen();
    const wire = await open(port);
    wire.send("POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n[1,");
    await pause(50);
    wire.socket.destroy();
    await wire.closed;
    await pause(50);
    expect((await fetch(`http://127.0.0.1:${port}/api/ping`)).status).toBe(200);
    expect(t.logLines.filter((line) => Number(line["level"]) >= 40)).toEqual([]);
  });
});

describe("closing", () => {
  function slowRoutes(api: ApiInstance): void {
    api.get("/slow", async () => {
      await pause(1000);
      return { done: true };
    });
    routes(api);
  }

  test("finishes the requests in flight and ends their connections", async () => {
    await using t = testHttpApp({ routes: slowRoutes });
    const port = await t.listen();
    const busy = await open(port);
    const idle = await open(port);
    const silent = await open(port);
    idle.send("GET /api/ping HTTP/1.1\r\nHost: x\r\n\r\n");
    await idle.until(/pong/);
    busy.send("GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await pause(50);
    const started = performance.now();
    const closing = closeHttpApp(t.app, 5000);
    await Promise.all([idle.closed, silent.closed]);
    expect(busy.received()).toBe("");
    await expect(fetch(`http://127.0.0.1:${port}/api/ping`)).rejects.toThrow();
    const response = await busy.until(/done/);
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(response.toLowerCase()).toContain("connection: close");
    await closing;
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("refuses what still arrives on a connection in use with 503", async () => {
    await using t = testHttpApp({ routes: slowRoutes });
    const wire = await open(await t.listen());
    wire.send("GET /api/slow HTTP/1.1\r\nHost: x\r\n");
    await pause(50);
    const closing = closeHttpApp(t.app, 5000);
    await pause(50);
    wire.send("\r\n");
    const response = await wire.until(/\r\n\r\n.*}/s);
    expect(response).toMatch(/^HTTP\/1.1 503 /);
    expect(response.toLowerCase()).toContain("retry-after: 1");
    expect(bodyOf(response)["exception_message"]).toBe("Service Unavailable");
    await closing;
  });

  test("does not wait for anyone beyond the deadline", async () => {
    await using t = testHttpApp({
      routes: (api) => {
        api.get("/never", () => new Promise(() => {}));
      },
    });
    const wire = await open(await t.listen());
    wire.send("GET /api/never HTTP/1.1\r\nHost: x\r\n\r\n");
    await pause(50);
    const started = performance.now();
    await closeHttpApp(t.app, 200);
    await wire.closed;
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
