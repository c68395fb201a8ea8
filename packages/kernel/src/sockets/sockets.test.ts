import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { closeHttpApp } from "../http-app/close-http-app.ts";
import { deferred } from "../testing/deferred.ts";
import { openSocket, type SocketClient } from "../testing/socket-client.ts";
import {
  type TestHttpApp,
  type TestHttpAppOptions,
  testHttpApp,
  testScope,
} from "../testing/test-http-app.ts";
import { until } from "../testing/until.ts";
import type { ServerSocket } from "./peer-socket.ts";
import type { SocketLimits } from "./socket-limits.ts";
import { socketRoute } from "./socket-route.ts";

const protocols = ["prefect", "orchestrator"];
const LONG = `"${"x".repeat(50_000)}"`;

interface Setting {
  readonly asksForToken?: boolean;
  readonly serve?: (socket: ServerSocket) => Promise<void>;
  readonly confirmsByPong?: boolean;
  readonly limits?: Partial<SocketLimits>;
  readonly app?: TestHttpAppOptions["app"];
}

async function echo(socket: ServerSocket): Promise<void> {
  for (;;) {
    const message = await socket.receive();
    if (message === null) return;
    await socket.send(message.toString());
  }
}

async function start({
  asksForToken = false,
  serve = echo,
  confirmsByPong = false,
  limits = {},
  app = {},
}: Setting = {}) {
  const t: TestHttpApp = testHttpApp({
    app: { socketLimits: limits, ...app },
    api: {
      socketGate: {
        admit: ({ id }, token) =>
          token === "wrong" || (asksForToken && token === null) ? null : testScope(id),
        watch: () => () => {},
      },
    },
    routes: (api) => {
      socketRoute(api, "/socket", { protocols, confirmsByPong }, serve);
      api.post("/echo", async (request) => request.body);
    },
  });
  const port = await t.listen();
  const url = `ws://127.0.0.1:${port}/api/socket`;
  return {
    app: t.app,
    logLines: t.logLines,
    port,
    url,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

async function enter(url: string): Promise<SocketClient> {
  const client = await openSocket(url, ["prefect"]);
  client.send({ type: "auth", token: null });
  expect(await client.next()).toEqual({ type: "auth_success" });
  return client;
}

describe("a peer that offers a sub-protocol", () => {
  test.each(protocols)("finds %s accepted and is let in after it said who it is", async (name) => {
    await using t = await start();
    await using client = await openSocket(t.url, ["other", name]);
    expect(client.ws.protocol).toBe(name);
    client.send({ type: "auth", token: "secret" });
    expect(await client.next()).toEqual({ type: "auth_success" });
    client.send({ hello: 1 });
    expect(await client.next()).toEqual({ hello: 1 });
  });

  test.each([
    ["something else", { type: "filter" }],
    ["no JSON", "{nonsense"],
    ["no object", "null"],
    ["a token that is no text", { type: "auth", token: 7 }],
    ["a token that is not accepted", { type: "auth", token: "wrong" }],
  ])("is let go when the first message is %s", async (_what, message) => {
    await using t = await start();
    await using client = await openSocket(t.url, ["prefect"]);
    client.send(message);
    const { code, reason } = await client.closed;
    expect(code).toBe(1008);
    expect(reason).toMatch(/first message|token/);
  });

  test("hears that it sent no token where one is asked for", async () => {
    await using t = await start({ asksForToken: true });
    await using client = await openSocket(t.url, ["prefect"]);
    client.send({ type: "auth", token: null });
    const reason = "The auth message has no token, and this server asks for one";
    expect(await client.closed).toEqual({ code: 1008, reason });
  });

  test("is let go when it says nothing", async () => {
    await using t = await start({ limits: { handshakeMs: 50 } });
    await using client = await openSocket(t.url, ["prefect"]);
    expect(await client.closed).toEqual({ code: 1008, reason: "No auth message came in time" });
  });

  test("may send long messages once it said who it is, and none before", async () => {
    await using t = await start({ limits: { strangerBytes: 1000 } });
    await using stranger = await openSocket(t.url, ["prefect"]);
    stranger.send({ type: "auth", token: "t".repeat(1000) });
    expect((await stranger.closed).code).toBe(1009);
    await using client = await enter(t.url);
    client.send(LONG);
    expect(await client.next()).toBe(JSON.parse(LONG));
  });

  test("gets its pings answered before it said who it is", async () => {
    await using t = await start();
    await using client = await openSocket(t.url, ["prefect"]);
    await client.ping();
    client.send({ type: "auth" });
    expect(await client.next()).toEqual({ type: "auth_success" });
  });
});

test("a peer that offers no sub-protocol is served at once", async () => {
  await using t = await start();
  await using client = await openSocket(t.url);
  client.send({ hello: 2 });
  expect(await client.next()).toEqual({ hello: 2 });
});

describe("pings", () => {
  test("confirm what was received before them where the route promises that", async () => {
    const held = deferred();
    const dealtWith: string[] = [];
    await using t = await start({
      confirmsByPong: true,
      serve: async (socket) => {
        for (;;) {
          const messages = await socket.receiveMany(10);
          if (messages === null) return;
          await held.promise;
          dealtWith.push(...messages.map(String));
        }
      },
    });
    await using client = await enter(t.url);
    let isAnswered = false;
    client.ws.on("pong", () => {
      isAnswered = true;
    });
    for (const text of ["1", "2", "3"]) client.send(text);
    const answered = client.ping();
    await using other = await enter(t.url);
    await other.ping();
    expect({ isAnswered, dealtWith }).toEqual({ isAnswered: false, dealtWith: [] });
    held.resolve();
    await answered;
    expect(dealtWith).toEqual(["1", "2", "3"]);
  });

  test("are answered at once elsewhere, whatever the handler does", async () => {
    await using t = await start({
      serve: (socket) =>
        new Promise((resolve) => {
          socket.signal.addEventListener("abort", () => resolve());
        }),
    });
    await using client = await enter(t.url);
    client.send("unread");
    await client.ping();
  });

  test("in a flood are answered by the last of them", async () => {
    await using t = await start({ confirmsByPong: true });
    await using client = await enter(t.url);
    for (let i = 0; i < 1000; i += 1) client.ws.ping(`flood ${i}`);
    await client.ping();
  });

  test("of a peer that does not read wait as one answer, and the last of them is answered when it reads", async () => {
    const isFull = deferred();
    const isFlooded = deferred();
    await using t = await start({
      serve: async (socket) => {
        const [connection] = t.app.sockets;
        while (connection !== undefined && connection.writableLength < 1_000_000) {
          void socket.send(LONG);
          await setImmediate();
        }
        isFull.resolve();
        await socket.receive();
        isFlooded.resolve();
        await socket.receive();
      },
    });
    await using client = await enter(t.url);
    const pongs: string[] = [];
    client.ws.on("pong", (data) => pongs.push(data.toString()));
    client.ws.pause();
    await isFull.promise;
    const [connection] = t.app.sockets;
    const before = connection?.writableLength ?? 0;
    for (let i = 0; i < 10_000; i += 1) client.ws.ping(`flood ${i}`);
    client.send("behind them");
    await isFlooded.promise;
    expect((connection?.writableLength ?? 0) - before).toBeLessThanOrEqual(20);
    client.ws.resume();
    await until(() => expect(pongs).toEqual(["flood 0", "flood 9999"]));
  });
});

describe("too much", () => {
  test("in one message ends the connection and nothing else", async () => {
    await using t = await start({ limits: { messageBytes: 1000 } });
    await using client = await enter(t.url);
    await using other = await enter(t.url);
    client.send(`"${"x".repeat(1000)}"`);
    expect((await client.closed).code).toBe(1009);
    other.send(1);
    expect(await other.next()).toBe(1);
  });

  test("to look at makes reading pause and loses nothing", async () => {
    const held = deferred();
    const read: string[] = [];
    await using t = await start({
      limits: { unreadMessages: 10, unreadBytes: 10_000 },
      confirmsByPong: true,
      serve: async (socket) => {
        await held.promise;
        for (;;) {
          const messages = await socket.receiveMany(3);
          if (messages === null) return;
          read.push(...messages.map(String));
        }
      },
    });
    await using client = await enter(t.url);
    // More than both sides' buffers take together, so the sender is held up.
    const text = (i: number): string => `"${i} ${"x".repeat(20_000)}"`;
    for (let i = 0; i < 1000; i += 1) client.send(text(i));
    await until(() => expect(client.ws.bufferedAmount).toBeGreaterThan(0));
    held.resolve();
    await client.ping();
    expect(read.map((message) => Number.parseInt(message.slice(1), 10))).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    );
  });

  test("on its way to a peer that does not read ends its connection while others are served", async () => {
    const sockets: ServerSocket[] = [];
    await using t = await start({
      limits: { unsentBytes: 100_000, closeMs: 100 },
      serve: async (socket) => {
        sockets.push(socket);
        await echo(socket);
      },
    });
    await using slow = await enter(t.url);
    await using other = await enter(t.url);
    slow.ws.pause();
    const [server] = sockets;
    while (server?.signal.aborted === false) void server.send(`"${"x".repeat(50_000)}"`);
    other.send(1);
    expect(await other.next()).toBe(1);
    slow.ws.resume();
    const { code, reason } = await slow.closed;
    expect([1006, 1013]).toContain(code);
    if (code === 1013) expect(reason).toMatch(/too slowly/);
  });

  test("many sockets are refused with a hint to come back", async () => {
    await using t = await start({ limits: { sockets: 1 } });
    await using _first = await enter(t.url);
    await expect(openSocket(t.url)).rejects.toThrow(/503/);
  });

  test("many sockets from one address are refused until one of them is gone", async () => {
    await using t = await start({ limits: { socketsPerAddress: 2 } });
    await using _first = await enter(t.url);
    await using second = await enter(t.url);
    await expect(openSocket(t.url)).rejects.toThrow(/503/);
    second.ws.close();
    await second.closed;
    await until(async () => (await openSocket(t.url))[Symbol.asyncDispose]());
  });
});

describe("too much for all peers together", () => {
  /** Serves two peers, of whom the first does not read what it is sent until it is let go. */
  async function startSlow(closeMs: number) {
    const sockets: ServerSocket[] = [];
    const t = await start({
      limits: { heldBytes: 1_000_000, unsentBytes: 1_000_000_000, closeMs },
      serve: async (socket) => {
        sockets.push(socket);
        await echo(socket);
      },
    });
    const slow = await enter(t.url);
    const other = await enter(t.url);
    slow.ws.pause();
    const [server] = sockets;
    while (server?.signal.aborted === false) {
      void server.send(LONG);
      await setImmediate();
    }
    return { t, slow, other };
  }

  test("on its way out ends the connection of the slowest reader only", async () => {
    const { t, slow, other } = await startSlow(60_000);
    await using _app = t;
    await using _slow = slow;
    await using _other = other;
    other.send(1);
    expect(await other.next()).toBe(1);
    slow.ws.resume();
    const { code, reason } = await slow.closed;
    expect(code).toBe(1013);
    expect(reason).toMatch(/too slowly/);
  });

  test("keeps new peers out until it is gone", async () => {
    const { t, slow, other } = await startSlow(60_000);
    await using _app = t;
    await using _slow = slow;
    await using _other = other;
    await expect(openSocket(t.url)).rejects.toThrow(/503/);
    await until(async () => (await openSocket(t.url))[Symbol.asyncDispose]());
    slow.ws.resume();
    expect((await slow.closed).code).toBe(1006);
    other.send(1);
    expect(await other.next()).toBe(1);
  });

  test("in messages that are not finished ends the connection of the longest", async () => {
    await using t = await start({ limits: { heldBytes: 1_000_000 } });
    await using short = await enter(t.url);
    await using long = await enter(t.url);
    short.ws.send(`"${"x".repeat(300_000)}`, { fin: false });
    await short.ping();
    long.ws.send(`"${"x".repeat(900_000)}`, { fin: false });
    expect((await long.closed).code).toBe(1013);
    short.ws.send(`"`, { fin: true });
    expect(await short.next()).toBe("x".repeat(300_000));
  });

  test("is not what has been dealt with", async () => {
    await using t = await start({ limits: { heldBytes: 100_000 } });
    await using client = await enter(t.url);
    for (let i = 0; i < 100; i += 1) {
      client.send(`"${"x".repeat(20_000)}"`);
      expect(await client.next()).toHaveLength(20_000);
      await client.ping();
    }
  });
});

test("whoever waits for room gets it as the peer reads", async () => {
  const total = 2000;
  await using t = await start({
    limits: { unsentBytes: 300_000 },
    serve: async (socket) => {
      for (let i = 0; i < total; i += 1) await socket.send(`"${i} ${"x".repeat(5000)}"`);
    },
  });
  await using client = await enter(t.url);
  for (let i = 0; i < total; i += 1) {
    expect(Number.parseInt(String(await client.next()), 10)).toBe(i);
  }
  expect((await client.closed).code).toBe(1000);
});

test("a peer that gives no sign of life is cut, one that does is kept", async () => {
  await using t = await start({ limits: { pingMs: 30 } });
  const dead = new WebSocket(t.url, { autoPong: false });
  dead.on("error", () => {});
  const cut = new Promise<number>((resolve) => {
    dead.once("close", resolve);
  });
  await using alive = await enter(t.url);
  expect(await cut).toBe(1006);
  alive.send(1);
  expect(await alive.next()).toBe(1);
});

test("a peer that has stopped reading is told so when it reads on", async () => {
  const sockets: ServerSocket[] = [];
  await using t = await start({
    limits: { pingMs: 30, unsentBytes: 1_000_000_000, heldBytes: 1_000_000_000 },
    serve: async (socket) => {
      sockets.push(socket);
      await echo(socket);
    },
  });
  await using slow = await enter(t.url);
  slow.ws.pause();
  // More than the buffers of both sides take.
  for (let i = 0; i < 1000; i += 1) void sockets[0]?.send(`"${"x".repeat(50_000)}"`);
  await until(() => expect(sockets[0]?.signal.aborted).toBe(true));
  slow.ws.resume();
  expect((await slow.closed).code).toBe(1013);
});

test("a handler's mistake ends its connection with a word and is logged", async () => {
  await using t = await start({ serve: () => Promise.reject(new Error("broken")) });
  await using client = await openSocket(t.url);
  expect((await client.closed).code).toBe(1011);
  expect(t.logLines).toContainEqual(expect.objectContaining({ msg: "A websocket failed" }));
});

describe("when the server stops", () => {
  test("what was received is dealt with, then peers are told to come back", async () => {
    const held = deferred();
    const arrived = deferred();
    const dealtWith: string[] = [];
    await using t = await start({
      confirmsByPong: true,
      serve: async (socket) => {
        for (;;) {
          const message = await socket.receive();
          if (message === null) return;
          arrived.resolve();
          await held.promise;
          dealtWith.push(message.toString());
        }
      },
    });
    await using client = await enter(t.url);
    client.send("1");
    await arrived.promise;
    const closing = closeHttpApp(t.app, 10_000);
    held.resolve();
    expect((await client.closed).code).toBe(1012);
    await closing;
    expect(dealtWith).toEqual(["1"]);
  });

  test("a peer that does not answer and a handler that does not end are not waited for long", async () => {
    await using t = await start({
      limits: { stopMs: 50, closeMs: 50 },
      serve: () => new Promise(() => {}),
    });
    await using client = await enter(t.url);
    client.ws.pause();
    await closeHttpApp(t.app, 20_000);
    client.ws.resume();
    expect((await client.closed).code).toBe(1006);
  });
});

describe("requests around websockets", () => {
  test("a plain request to a websocket's address is told so", async () => {
    await using t = await start();
    const answer = await t.app.inject({ url: "/api/socket" });
    expect(answer.statusCode).toBe(426);
    expect(answer.headers["upgrade"]).toBe("websocket");
  });

  test("a websocket to an address without one is answered like any unknown address", async () => {
    await using t = await start();
    const { port } = t;
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const status = await new Promise((resolve, reject) => {
      const asked = httpRequest({ port, path: "/api/nothing", headers }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      });
      asked.once("error", reject);
      asked.end();
    });
    expect(status).toBe(404);
  });

  test("an offer of another protocol is not taken and the request is served, body and all", async () => {
    await using t = await start();
    const socket = connect(t.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    const body = JSON.stringify({ a: "x".repeat(100_000) });
    socket.write(
      "POST /api/echo HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" +
        `HTTP2-Settings: AAMAAABk\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    await until(() => expect(text).toContain(body));
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    socket.write("POST /api/echo HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}");
    await until(() => expect(text).toMatch(/200 OK[^]*200 OK/));
    socket.destroy();
  });

  test("offers of another protocol one after another leave nothing behind", async () => {
    await using t = await start();
    const socket = connect(t.port, "127.0.0.1");
    let answers = 0;
    socket.on("data", (chunk) => {
      answers += chunk.toString().split("HTTP/1.1 200 ").length - 1;
    });
    const listeners: (number | undefined)[] = [];
    for (let i = 1; i <= 20; i += 1) {
      socket.write(
        "POST /api/echo HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n" +
          "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
      );
      await until(() => expect(answers).toBe(i));
      const [connection] = t.app.sockets;
      listeners.push(connection?.listenerCount("error"));
    }
    expect(listeners.at(-1)).toBe(listeners[0]);
    socket.destroy();
  });

  test("a page of an origin that is not listed may not connect, the server's own may", async () => {
    await using t = await start({ app: { corsOrigins: ["https://good.example"] } });
    const from = async (origin: string): Promise<string> => {
      const ws = new WebSocket(t.url, { origin });
      const outcome = await new Promise<string>((resolve) => {
        ws.once("open", () => resolve("open"));
        ws.once("error", (error) => resolve(error.message));
      });
      ws.terminate();
      return outcome;
    };
    expect(await from("https://bad.example")).toMatch(/403/);
    expect(await from("https://good.example")).toBe("open");
    expect(await from(`http://127.0.0.1:${t.port}`)).toBe("open");
  });

  test("a page that has let its own name lead to this machine may not connect", async () => {
    await using t = await start({ app: { hostNames: [] } });
    const host = `rebound.example:${t.port}`;
    const ws = new WebSocket(t.url, { origin: `http://${host}`, headers: { host } });
    const refusal = await new Promise<string>((resolve) => {
      ws.once("open", () => resolve("open"));
      ws.once("error", (error) => resolve(error.message));
    });
    ws.terminate();
    expect(refusal).toMatch(/403/);
  });
});
