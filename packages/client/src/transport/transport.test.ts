import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sendRequest } from "../node/http-requests.ts";
import { flowRuns } from "../resources/flow-runs.ts";
import { flows } from "../resources/flows.ts";
import { variables } from "../resources/variables.ts";
import { workPools } from "../resources/work-pools.ts";
import { bindResource } from "./bind.ts";
import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import type { TransportOptions } from "./request.ts";
import { createTransport } from "./transport.ts";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
const cut: Reply = (response) => response.destroy();
const silence: Reply = () => {};
const COMPRESSED = { "content-type": "application/json", "content-encoding": "gzip" };
const ID = "11111111-1111-1111-1111-111111111111";

/**
 * A server that answers with these, one after another, and a client that does not really wait in
 * between.
 */
async function startScripted(replies: readonly Reply[], options: Partial<TransportOptions> = {}) {
  const received: Received[] = [];
  const delays: number[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const { method = "", url = "", headers } = request;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    received.push({ method, url, headers, body });
    const reply = replies[received.length - 1] ?? json(500, { detail: "Asked too often" });
    reply(response);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = createTransport(
    { url: `http://127.0.0.1:${port}/api/`, ...options },
    {
      random: () => 0,
      sleep: async (ms) => {
        delays.push(ms);
      },
    },
  );
  return {
    flows: bindResource(transport, flows),
    flowRuns: bindResource(transport, flowRuns),
    variables: bindResource(transport, variables),
    workPools: bindResource(transport, workPools),
    received,
    delays,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const by =
  (send: TransportOptions["send"]) =>
  (replies: readonly Reply[], options: Partial<TransportOptions> = {}) =>
    startScripted(replies, { send, ...options });
const WAYS = [
  { way: "fetch", scripted: by(undefined) },
  { way: "Node", scripted: by(sendRequest) },
];

describe.each(WAYS)("a request by way of $way", ({ scripted }) => {
  test("goes to its address with its keys encoded and the caller's credentials", async () => {
    await using t = await scripted([json(200, { id: ID })], { apiKey: "secret" });
    await t.flows.readByName("a/b c?");
    expect(t.received).toMatchObject([
      {
        method: "GET",
        url: "/api/flows/name/a%2Fb%20c%3F",
        headers: { authorization: "Bearer secret" },
        body: undefined,
      },
    ]);
  });

  test("is refused before it is sent when a key would lead elsewhere", async () => {
    await using t = await scripted([]);
    await expect(t.flows.read("")).rejects.toThrow("/flows/{id} needs a text for {id}");
    await expect(t.flows.read("..")).rejects.toThrow("cannot be part of an address");
    expect(t.received).toEqual([]);
  });

  test("carries basic credentials in any script", async () => {
    const basic = { username: "ada", password: "pässwörd" };
    await using t = await scripted([json(200, 3)], { basic });
    expect(await t.flows.count()).toBe(3);
    const [, code = ""] = t.received[0]?.headers.authorization?.split(" ") ?? [];
    expect(Buffer.from(code, "base64").toString()).toBe("ada:pässwörd");
  });

  test("that needs a token is made again with one", async () => {
    const forbidden = json(403, { detail: "Missing CSRF token." });
    await using t = await scripted([
      forbidden,
      json(200, { token: "t0ken", client: "c" }),
      json(201, { id: ID }),
    ]);
    await t.variables.create({ name: "a", value: 1 });
    expect(t.received.map(({ method, url }) => `${method} ${url.split("?")[0]}`)).toEqual([
      "POST /api/variables/",
      "GET /api/csrf-token",
      "POST /api/variables/",
    ]);
    expect(t.received[2]?.headers).toMatchObject({ "orchestrator-csrf-token": "t0ken" });
  });

  test("follows a redirection, and reads a compressed response", async () => {
    const moved: Reply = (response) => response.writeHead(307, { location: "/moved" }).end();
    const compressed: Reply = (response) =>
      response.writeHead(200, COMPRESSED).end(gzipSync(JSON.stringify({ id: ID })));
    await using t = await scripted([moved, moved, compressed]);
    expect(await t.flows.create({ name: "f" })).toEqual({ id: ID });
    expect(t.received.at(-1)).toMatchObject({ method: "POST", url: "/moved" });
    await using direct = await scripted([compressed]);
    expect(await direct.flows.create({ name: "f" })).toEqual({ id: ID });
  });
});

describe.each(WAYS)("a request that fails by way of $way", ({ scripted }) => {
  test("is repeated after longer and longer waits", async () => {
    const away = json(503, { detail: "Service Unavailable" });
    await using t = await scripted([away, cut, json(504, {}), json(200, [])]);
    expect(await t.flows.list()).toEqual([]);
    expect(t.delays).toEqual([100, 200, 400]);
  });

  test("waits as long as the server asks for", async () => {
    const busy = json(429, { detail: "Slow down" }, { "retry-after": "7" });
    await using t = await scripted([busy, json(201, { id: ID })]);
    await t.variables.create({ name: "a", value: 1 });
    expect(t.delays).toEqual([7000]);
  });

  test("is repeated so often and no more", async () => {
    const away = json(503, { detail: "Away" });
    await using t = await scripted([away, away, away], { retries: 2 });
    await expect(t.flows.list()).rejects.toMatchObject({ status: 503, detail: "Away" });
    expect(t.received).toHaveLength(3);
  });

  test("is not repeated when the wait would be longer than there is time", async () => {
    const busy = json(503, { detail: "Away" }, { "retry-after": "60" });
    await using t = await scripted([busy], { totalTimeoutMs: 30_000 });
    await expect(t.flows.list()).rejects.toMatchObject({ retryAfterMs: 60_000 });
    expect(t.received).toHaveLength(1);
  });

  test.each([
    ["the connection breaks", cut],
    ["the server is away", json(503, { detail: "Away" })],
  ])("is not repeated where it could happen twice and %s", async (_when, reply) => {
    await using t = await scripted([reply, json(201, {})]);
    await expect(t.variables.create({ name: "a", value: 1 })).rejects.toThrow();
    expect(t.received).toHaveLength(1);
  });

  test("is repeated under the same key where a key makes it happen once", async () => {
    await using t = await scripted([cut, json(201, { id: ID })]);
    await t.flowRuns.create({ flow_id: ID });
    const [first, second] = t.received.map(({ body }) => body as { idempotency_key: string });
    expect(first?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
  });

  test("keeps the key and the transition that the caller gave", async () => {
    await using t = await scripted([json(201, {}), json(201, {})]);
    await t.flowRuns.create({ flow_id: ID, idempotency_key: "mine" });
    const state_details = { transition_id: ID };
    await t.flowRuns.setState(ID, { state: { type: "RUNNING", state_details } });
    expect(t.received.map(({ body }) => body)).toEqual([
      { flow_id: ID, idempotency_key: "mine" },
      { state: { type: "RUNNING", state_details } },
    ]);
  });

  test("counts as done when what it deletes is gone after an attempt of unknown outcome", async () => {
    const missing = json(404, { detail: "Not found" });
    await using t = await scripted([cut, missing, missing]);
    await expect(t.flows.delete(ID)).resolves.toBeUndefined();
    await expect(t.flows.delete(ID)).rejects.toMatchObject({ status: 404 });
  });

  test("tells of each repetition", async () => {
    const told: unknown[] = [];
    await using t = await scripted([cut, json(200, 0)], { onRetry: (retry) => told.push(retry) });
    await t.flows.count();
    expect(told).toMatchObject([{ method: "POST", attempt: 1, delayMs: 100 }]);
  });
});

describe.each(WAYS)("an error by way of $way", ({ scripted }) => {
  test("says what is wrong with the request and where", async () => {
    const body = {
      detail: "body.name: String should match pattern",
      exception_detail: [{ loc: ["body", "name"], msg: "String should match pattern" }],
    };
    await using t = await scripted([json(422, body, { "x-request-id": "abc-1" })]);
    const error = await t.variables.create({ name: "A", value: 1 }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      requestId: "abc-1",
      method: "POST",
      detail: body.detail,
      body,
      problems: [{ where: "body.name", what: "String should match pattern" }],
    });
    expect(String(error)).toMatch(
      /^ApiError: body\.name: String should match pattern \(422, POST http:.*\/api\/variables\/, request abc-1\)$/,
    );
  });

  test("tells that nobody is there", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, "close");
    const transport = createTransport({ url: `http://127.0.0.1:${port}/api`, retries: 0 });
    const error = await bindResource(transport, flows)
      .count()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ isUnsent: true });
    expect(String(error)).toContain(`No server at http://127.0.0.1:${port}: `);
  });

  test("tells that no answer came in time", async () => {
    await using t = await scripted([silence], { timeoutMs: 20, retries: 0 });
    const error = await t.flows.count().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).not.toBeInstanceOf(ConnectionError);
  });

  test("is the caller's own when the caller ends the call", async () => {
    await using t = await scripted([silence]);
    const stop = new AbortController();
    const call = t.flows.count({}, { signal: stop.signal });
    const reason = new Error("Enough");
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("hints at a wrong address when a page answers", async () => {
    const page: Reply = (response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
    await using t = await scripted([page]);
    await expect(t.flows.count()).rejects.toThrow("is this the address of the API?");
  });

  test("is one of its kind to another copy of the package", () => {
    const mark = Symbol.for("@orchestrator/client:ApiError");
    expect({ [mark]: true }).toBeInstanceOf(ApiError);
    expect(new Error("other")).not.toBeInstanceOf(ApiError);
  });
});

describe.each(WAYS)("a list by way of $way", ({ scripted }) => {
  const page = (from: number, count: number) =>
    json(
      200,
      Array.from({ length: count }, (_, i) => ({ name: `p${from + i}` })),
    );

  test("is asked for page by page until one is not full", async () => {
    await using t = await scripted([page(0, 200), page(200, 200), page(400, 3)]);
    const names: string[] = [];
    for await (const { name } of t.workPools.each()) names.push(name);
    expect(names).toHaveLength(403);
    expect(names.at(-1)).toBe("p402");
    expect(t.received.map(({ body }) => body)).toEqual([
      { limit: 200, offset: 0 },
      { limit: 200, offset: 200 },
      { limit: 200, offset: 400 },
    ]);
  });

  test("asks for smaller pages where the server says that one would be too large", async () => {
    const tooLarge = json(413, { detail: "The page would hold too much" });
    const page = (count: number) =>
      json(
        200,
        Array.from({ length: count }, () => ({ name: "p" })),
      );
    await using t = await scripted([tooLarge, tooLarge, page(50), page(3)]);
    let count = 0;
    for await (const _ of t.workPools.each()) count += 1;
    expect(count).toBe(53);
    const asked = t.received.map(({ body }) => body);
    expect(asked).toMatchObject([
      { limit: 200, offset: 0 },
      { limit: 100, offset: 0 },
      { limit: 50, offset: 0 },
      { limit: 50, offset: 50 },
    ]);
    await using alone = await scripted([tooLarge]);
    const rows = alone.workPools.each({ limit: 1 });
    await expect(rows.next()).rejects.toThrow("too much");
  });

  test("ends at the caller's limit and asks for nothing that is not taken", async () => {
    await using t = await scripted([page(0, 200), page(200, 50), page(0, 200)]);
    const names: string[] = [];
    for await (const { name } of t.workPools.each({ limit: 250 })) names.push(name);
    expect(names).toHaveLength(250);
    for await (const { name } of t.workPools.each()) {
      names.push(name);
      break;
    }
    expect(t.received).toHaveLength(3);
  });
});
