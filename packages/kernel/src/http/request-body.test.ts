import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../testing/rounds.ts";
import { type TestHttpApp, testHttpApp } from "../testing/test-http-app.ts";
import type { ApiInstance } from "./mount-api.ts";

/**
 * Work that grows with the square of a megabyte takes minutes; a busy machine takes less than this.
 */
const SLOW_MACHINE_MS = 10_000;

function echoRoutes(api: ApiInstance): void {
  api.post("/echo", (request, reply) => {
    reply.send({ absent: request.body === undefined, body: request.body ?? null });
  });
  api.post("/ingest", { config: { stripNul: true } }, (request, reply) => {
    reply.send({ body: request.body });
  });
  api.delete("/echo", (request, reply) => {
    reply.send({ absent: request.body === undefined });
  });
}

async function post(
  t: TestHttpApp,
  payload: string | Buffer,
  headers: Record<string, string> = {},
) {
  const response = await t.app.inject({ method: "POST", url: "/api/echo", payload, headers });
  return { status: response.statusCode, body: response.json(), response };
}

const JSON_TYPE = { "content-type": "application/json" };

describe("request bodies", () => {
  test.each([
    ["application/json"],
    ["application/json; charset=utf-8"],
    ["APPLICATION/JSON"],
    ["application/merge-patch+json"],
    ["application/vnd.api+json; charset=utf-8"],
  ])("are read as JSON under the content type %s", async (type) => {
    await using t = testHttpApp({ routes: echoRoutes });
    const { status, body } = await post(t, '{"a":1}', { "content-type": type });
    expect([status, body]).toEqual([200, { absent: false, body: { a: 1 } }]);
  });

  test("are read as JSON when the caller names no content type", async () => {
    await using t = testHttpApp({ routes: echoRoutes });
    const response = await t.app.inject({
      method: "POST",
      url: "/api/echo",
      payload: Buffer.from('{"a":1}'),
      headers: { "content-length": "7" },
    });
    expect(response.json()).toEqual({ absent: false, body: { a: 1 } });
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "nonsense",
  ])("are refused with 415 under the content type %s", async (type) => {
    await using t = testHttpApp({ routes: echoRoutes });
    const { status, body } = await post(t, "a=1", { "content-type": type });
    expect(status).toBe(415);
    expect(body.detail).toMatch(/content type.*application\/json/);
    expect(body.exception_message).toBe(body.detail);
  });

  test("are refused with 415 when they are compressed", async () => {
    await using t = testHttpApp({ routes: echoRoutes });
    const { status, body } = await post(t, "{}", { ...JSON_TYPE, "content-encoding": "gzip" });
    expect([status, body.detail]).toEqual([415, 'The content encoding "gzip" is not supported']);
  });

  test.each([{ "content-type": "application/json" }, { "content-type": "text/plain" }, {}])(
    "count as absent when empty, with headers %j",
    async (headers) => {
      await using t = testHttpApp({ routes: echoRoutes });
      const { status, body } = await post(t, "", { ...headers, "content-length": "0" });
      expect([status, body.absent]).toEqual([200, true]);
      const removed = await t.app.inject({ method: "DELETE", url: "/api/echo", headers });
      expect(removed.json()).toEqual({ absent: true });
    },
  );

  test("are refused with 413 beyond the limit, whether the length is announced or not", async () => {
    await using t = testHttpApp({ routes: echoRoutes, app: { limits: { bodyBytes: 100 } } });
    const large = JSON.stringify("x".repeat(200));
    const { status, body } = await post(t, large, JSON_TYPE);
    expect([status, body.detail]).toEqual([
      413,
      "The request body is larger than 100 bytes: send less at once",
    ]);
    const port = await t.listen();
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const chunked = await fetch(`http://127.0.0.1:${port}/api/echo`, {
      method: "POST",
      body: stream,
      headers: JSON_TYPE,
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test("may begin with a byte order mark", async () => {
    await using t = testHttpApp({ routes: echoRoutes });
    const { body } = await post(t, Buffer.from('\ufeff{"a":1}'), JSON_TYPE);
    expect(body.body).toEqual({ a: 1 });
  });

  test("lose their NUL characters on a route that asks for it", async () => {
    await using t = testHttpApp({ routes: echoRoutes });
    const request = { method: "POST", url: "/api/ingest", headers: JSON_TYPE } as const;
    const response = await t.app.inject({ ...request, payload: '[{"message":"a\\u0000b"}]' });
    expect(response.json()).toEqual({ body: [{ message: "ab" }] });
  });
});

describe("hostile bodies", () => {
  const MEGABYTE = 1_048_576;
  const hostile: readonly (readonly [name: string, payload: string | Buffer])[] = [
    ["malformed JSON", '{"a":}'],
    ["a prototype key", '{"__proto__":{"admin":true}}'],
    ["a constructor prototype", '{"constructor":{"prototype":{"admin":true}}}'],
    ["a NUL character", '{"a":"\\u0000"}'],
    ["a NUL character in a key", '{"\\u0000":1}'],
    ["a lone surrogate", '{"a":"\\ud800"}'],
    ["a number beyond range", '{"a":1e999}'],
    ["duplicate keys", '{"a":1,"a":2}'],
    ["100000 nested arrays", "[".repeat(100_000) + "]".repeat(100_000)],
    ["a megabyte of opening brackets", "[".repeat(MEGABYTE)],
    ["a megabyte of nested objects", '{"a":'.repeat(MEGABYTE / 8)],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["an overlong encoding", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
    ["a lone byte order mark", Buffer.from("\ufeff")],
    ["a raw control character", '{"a":"\u0001"}'],
    ["a megabyte of digits", "9".repeat(MEGABYTE)],
    ["a megabyte of quotes", '"'.repeat(MEGABYTE)],
    ["a megabyte of backslashes", `"${"\\".repeat(MEGABYTE - 2)}"`.replace(/"$/, "")],
  ];

  test.each(hostile)("with %s get a clear 4xx soon", async (_name, payload) => {
    await using t = testHttpApp({ routes: echoRoutes });
    await t.app.ready();
    const started = performance.now();
    const { status, body } = await post(t, payload, JSON_TYPE);
    const elapsed = performance.now() - started;
    expect(status).toBe(422);
    expect(body.detail).toMatch(/^body/);
    expect(body.exception_message).toBe("Invalid request received.");
    expect(body.exception_detail[0]).toMatchObject({
      type: expect.any(String),
      msg: expect.any(String),
    });
    expect(body.request_body).toBeNull();
    expect(elapsed).toBeLessThan(SLOW_MACHINE_MS);
    expect(t.logLines).toEqual([]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test("are answered with the status each API has for malformed JSON", async () => {
    await using t = testHttpApp({ routes: echoRoutes, api: { malformedJsonStatus: 400 } });
    const malformed = await post(t, '{"a":}', JSON_TYPE);
    expect([malformed.status, malformed.body.exception_detail[0].loc]).toEqual([400, ["body", 5]]);
    expect((await post(t, '{"a":"\\u0000"}', JSON_TYPE)).status).toBe(422);
  });

  test("never cause a server error, whatever bytes they are made of", async () => {
    await using t = testHttpApp({ routes: echoRoutes });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: "binary", maxLength: 100 }).map((text) => Buffer.from(`{"a":"${text}"}`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(JSON_TYPE, {}), async (payload, headers) => {
        const length = { "content-length": String(payload.length) };
        const { status } = await post(t, payload, { ...headers, ...length });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: rounds(100, 500) },
    );
  });
});
