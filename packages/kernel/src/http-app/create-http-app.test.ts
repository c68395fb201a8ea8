import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { AppError, ERROR_CODES, type ErrorCode } from "../errors/app-error.ts";
import { InvalidRequestError } from "../http/invalid-request.ts";
import { sendJsonText } from "../http/json-reply.ts";
import type { ApiInstance } from "../http/mount-api.ts";
import { rounds } from "../testing/rounds.ts";
import { testHttpApp } from "../testing/test-http-app.ts";

function routes(api: ApiInstance): void {
  api.get("/things/", async () => [1, 2]);
  api.post("/things/", async (_request, reply) => reply.code(201).send({ id: "a" }));
  api.get("/things/:name", async (request) => request.params);
  const numbered = Type.Object({ number: Type.String({ pattern: "^\\d+$" }) });
  api.get("/boxes/:number", { schema: { params: numbered } }, async ({ params }) => params);
  api.delete("/boxes/:number", { schema: { params: numbered } }, async () => null);
  api.post("/boxes/filter", async () => []);
  api.get("/null", async () => null);
  api.delete("/things/:name", async (_request, reply) => reply.code(204).send());
  api.get("/text", (_request, reply) => {
    sendJsonText(reply, '["from the database"]');
  });
  api.get("/large", async () => ({ text: "abc ".repeat(4000) }));
  api.get("/medium", async () => ({ text: "abc ".repeat(400) }));
  api.get("/binary", (_request, reply) => {
    reply.header("content-type", "image/png").send(Buffer.alloc(5000));
  });
}

describe("routing", () => {
  test.each(["/api/things", "/api/things/"])(
    "finds %s with and without the trailing slash",
    async (url) => {
      await using t = testHttpApp({ routes });
      expect((await t.app.inject(url)).json()).toEqual([1, 2]);
      expect((await t.app.inject({ method: "POST", url })).statusCode).toBe(201);
    },
  );

  test("answers HEAD wherever it answers GET", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({ method: "HEAD", url: "/api/things/" });
    expect([response.statusCode, response.body]).toEqual([200, ""]);
    expect(response.headers["content-length"]).toBe("5");
  });

  test("takes names of 255 characters of any script", async () => {
    await using t = testHttpApp({ routes });
    const name = "日".repeat(255);
    const response = await t.app.inject(`/api/things/${encodeURIComponent(name)}`);
    expect(response.json()).toEqual({ name });
  });

  test("answers an unknown address with 404 before it reads the body", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({
      method: "POST",
      url: "/api/nothing",
      payload: "{broken",
      headers: { "content-type": "text/plain" },
    });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ detail: "Not Found", exception_message: "Not Found" });
  });

  test("answers a wrong method with 405 and names the right ones", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({ method: "PUT", url: "/api/things/?x=1", payload: {} });
    expect(response.statusCode).toBe(405);
    expect(response.headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
    expect(response.json()).toMatchObject({ detail: "Method Not Allowed" });
    const asked = await t.app.inject({ method: "OPTIONS", url: "/api/things/x" });
    expect([asked.statusCode, asked.headers["allow"]]).toEqual([204, "GET, HEAD, DELETE, OPTIONS"]);
  });

  test("answers a wrong method with 405 also where the address looks like that of something", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject("/api/boxes/filter?x=1");
    expect([response.statusCode, response.headers["allow"]]).toEqual([405, "POST, OPTIONS"]);
    expect((await t.app.inject("/api/boxes/none")).statusCode).toBe(404);
    expect((await t.app.inject("/api/boxes/7")).json()).toEqual({ number: "7" });
  });

  test("leaves what no route takes to the fallback, but only pages", async () => {
    await using t = testHttpApp({
      routes,
      app: {
        fallback: (request, reply) => {
          if (!request.url.startsWith("/app")) return false;
          reply.header("content-type", "text/html").send("<html>");
          return true;
        },
      },
    });
    expect((await t.app.inject("/app/anything")).body).toBe("<html>");
    expect((await t.app.inject("/elsewhere")).statusCode).toBe(404);
    expect((await t.app.inject({ method: "POST", url: "/app/anything" })).statusCode).toBe(404);
  });

  test.each(["/api/things/%E0%A4%A", "/api/things/%zz", "/%"])(
    "answers the wrongly encoded address %s with 404",
    async (url) => {
      await using t = testHttpApp({ routes });
      const response = await t.app.inject({ url, headers: { "x-request-id": "abc" } });
      expect(response.statusCode).toBe(404);
      expect(response.json().detail).toMatch(/percent-encoded/);
      expect(response.headers["x-request-id"]).toBe("abc");
    },
  );
});

test("no address whatever makes the server fail", async () => {
  await using t = testHttpApp({ routes });
  const piece = fc.constantFrom(
    "api",
    "things",
    "/",
    "//",
    "..",
    "%",
    "%2F",
    "%00",
    "%ff",
    "?",
    "&a=",
    "#",
    ";",
    "é",
    "a:b",
    "*",
    "'",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const response = await t.app.inject({ url: `/${pieces.join("")}` });
      expect(response.statusCode).toBeLessThan(500);
      expect(response.headers["x-request-id"]).toBeTypeOf("string");
    }),
    { numRuns: rounds(100, 500) },
  );
});

describe("answers", () => {
  test("may be a literal null, nothing at all, or JSON text as it stands", async () => {
    await using t = testHttpApp({ routes });
    const literal = await t.app.inject("/api/null");
    expect([literal.statusCode, literal.body]).toEqual([200, "null"]);
    expect(literal.headers["content-type"]).toBe("application/json; charset=utf-8");
    const removed = await t.app.inject({ method: "DELETE", url: "/api/things/a" });
    expect([removed.statusCode, removed.body, removed.headers["content-type"]]).toEqual([
      204,
      "",
      undefined,
    ]);
    const text = await t.app.inject("/api/text");
    expect(text.json()).toEqual(["from the database"]);
    expect(text.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test.each(["/api/medium", "/api/large"])(
    "of %s are compressed for those who take it",
    async (url) => {
      await using t = testHttpApp({ routes });
      const plain = await t.app.inject(url);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.headers["vary"]).toBe("Accept-Encoding");
      const packed = await t.app.inject({
        url,
        headers: { "accept-encoding": "deflate, gzip;q=0.5" },
      });
      expect(packed.headers["content-encoding"]).toBe("gzip");
      expect(packed.headers["vary"]).toBe("Accept-Encoding");
      expect(Number(packed.headers["content-length"])).toBe(packed.rawPayload.length);
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    },
  );

  test.each([
    ["/api/things", "gzip"],
    ["/api/binary", "gzip"],
    ["/api/large", "br"],
    ["/api/large", "gzip;q=0, br"],
  ])("of %s stay as they are for %s", async (url, accepted) => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({ url, headers: { "accept-encoding": accepted } });
    expect(response.headers["content-encoding"]).toBeUndefined();
  });
});

describe("request ids", () => {
  test("are the caller's own where they are harmless", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({
      url: "/api/null",
      headers: { "x-request-id": "a.B:c-1_2" },
    });
    expect(response.headers["x-request-id"]).toBe("a.B:c-1_2");
  });

  test.each(["", "a b", "x".repeat(129), "<script>", 'a"b'])(
    "replace the caller's %j",
    async (id) => {
      await using t = testHttpApp({ routes });
      const response = await t.app.inject({ url: "/api/null", headers: { "x-request-id": id } });
      expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    },
  );

  test("differ from request to request and stand in every answer and log line", async () => {
    await using t = testHttpApp({
      routes: (api) => {
        api.get("/fail", async (request) => {
          request.log.info("about to fail");
          throw new Error("boom");
        });
      },
    });
    const first = await t.app.inject("/api/fail");
    const second = await t.app.inject("/nowhere");
    const id = first.headers["x-request-id"];
    expect(second.headers["x-request-id"]).not.toBe(id);
    expect(t.logLines.map((line) => line["request_id"])).toEqual([id, id]);
    expect(first.json().request_id).toBe(id);
  });
});

describe("cross-origin requests", () => {
  const origin = "https://ui.example.org";
  const preflight = {
    method: "OPTIONS",
    url: "/api/things/",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type, x-custom",
    },
  } as const;

  test("are answered without leave to read unless the server is told otherwise", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject({ url: "/api/null", headers: { origin } });
    expect(response.statusCode).toBe(200);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    const asked = await t.app.inject(preflight);
    expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test.each([
    [{ origin }, 403],
    [{ origin: "null" }, 403],
    [{ origin, "sec-fetch-site": "cross-site" }, 403],
    [{ origin: "http://127.0.0.1:4200", host: "127.0.0.1:4200" }, 404],
    [{ origin: "https://app.example", "sec-fetch-site": "same-origin", host: "inside:4200" }, 404],
    [{}, 404],
  ])(
    "that may change something get past the door only from the server's own pages: %j",
    async (headers, status) => {
      await using t = testHttpApp({ routes });
      const response = await t.app.inject({ method: "POST", url: "/api/nowhere", headers });
      expect(response.statusCode).toBe(status);
    },
  );

  test.each([
    [{ origin: "http://plain.example", host: "plain.example" }, 404],
    [{ origin: "https://plain.example", host: "plain.example" }, 403],
    [{ origin: "https://told.example", host: "plain.example" }, 404],
    [{ origin: "https://listed.example", host: "plain.example" }, 404],
    [
      {
        origin: "https://plain.example",
        host: "plain.example",
        "x-forwarded-proto": "https",
      },
      403,
    ],
  ])(
    "from a page over TLS are not the server's own for the name alone: %j",
    async (headers, status) => {
      const app = {
        ownUrls: ["https://told.example/ui"],
        corsOrigins: ["https://listed.example"],
      };
      await using t = testHttpApp({ routes, app });
      const response = await t.app.inject({ method: "POST", url: "/api/nowhere", headers });
      expect(response.statusCode).toBe(status);
      if (status === 403) expect(response.json().detail).toContain("ORCHESTRATOR_UI_URL");
    },
  );

  test("are the server's own where a trusted proxy says that they came by TLS and under which name", async () => {
    await using t = testHttpApp({ routes, app: { trustedProxies: ["10.0.0.0/8"] } });
    const headers = {
      origin: "https://shown.example",
      host: "inside:4200",
      "x-forwarded-host": "shown.example",
      "x-forwarded-proto": "https",
    };
    const request = { method: "POST", url: "/api/nowhere", headers } as const;
    const trusted = await t.app.inject({ ...request, remoteAddress: "10.0.0.7" });
    expect(trusted.statusCode).toBe(404);
    const stranger = await t.app.inject({ ...request, remoteAddress: "192.0.2.1" });
    expect(stranger.statusCode).toBe(403);
  });

  test("are allowed for every origin where the server is told so", async () => {
    await using t = testHttpApp({ routes, app: { corsOrigins: "*" } });
    const response = await t.app.inject({ url: "/api/null", headers: { origin } });
    expect(response.headers["access-control-allow-origin"]).toBe("*");
    expect(response.headers["access-control-expose-headers"]).toContain("X-Request-Id");
    const asked = await t.app.inject(preflight);
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers": "content-type, x-custom",
    });
  });

  test("leave no trace in answers to everyone else", async () => {
    await using t = testHttpApp({ routes });
    const { headers } = await t.app.inject("/api/null");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("are allowed for listed origins only where there is a list", async () => {
    await using t = testHttpApp({ routes, app: { corsOrigins: [origin] } });
    const allowed = await t.app.inject({ url: "/api/null", headers: { origin } });
    expect(allowed.headers).toMatchObject({
      "access-control-allow-origin": origin,
      vary: "Origin",
    });
    const refused = await t.app.inject({
      url: "/api/null",
      headers: { origin: "https://evil.test" },
    });
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("see the headers on errors too, so that a page can read them", async () => {
    await using t = testHttpApp({ routes, app: { corsOrigins: "*" } });
    const response = await t.app.inject({ url: "/api/nowhere", headers: { origin } });
    expect(response.statusCode).toBe(404);
    expect(response.headers["access-control-allow-origin"]).toBe("*");
  });
});

describe("errors", () => {
  const STATUS: Readonly<Record<ErrorCode, number>> = {
    bad_request: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    conflict: 409,
    gone: 410,
    too_large: 413,
    unsupported_media_type: 415,
    invalid: 422,
    locked: 423,
    too_many_requests: 429,
    unavailable: 503,
    insufficient_storage: 507,
  };

  function failing(error: unknown): (api: ApiInstance) => void {
    return (api) => {
      api.get("/fail", async () => {
        throw error;
      });
    };
  }

  test.each(ERROR_CODES)(
    "of the domain with code %s have their status and both messages",
    async (code) => {
      await using t = testHttpApp({ routes: failing(new AppError(code, "The thing refuses")) });
      const response = await t.app.inject("/api/fail");
      expect(response.statusCode).toBe(STATUS[code]);
      const body = response.json();
      expect(body.detail).toBe("The thing refuses");
      const fixed: Partial<Record<ErrorCode, string>> = {
        unauthorized: "Unauthorized",
        unavailable: "Service Unavailable",
        insufficient_storage: "Insufficient Storage",
      };
      expect(body.exception_message).toBe(fixed[code] ?? "The thing refuses");
      expect("request_id" in body).toBe(STATUS[code] >= 500);
    },
  );

  test("tell when to try again", async () => {
    const error = new AppError("locked", "Locked", { retryAfterSeconds: 2.5 });
    await using t = testHttpApp({ routes: failing(error) });
    const response = await t.app.inject("/api/fail");
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([423, "2.5"]);
  });

  test("of authentication carry the challenge the API asks for", async () => {
    await using t = testHttpApp({
      routes,
      api: {
        challenge: (request) =>
          request.headers["x-page"] === undefined ? 'Basic realm="x"' : undefined,
        resolveScope: () => {
          throw new AppError("unauthorized", "Credentials are missing");
        },
      },
    });
    const script = await t.app.inject("/api/null");
    expect([script.statusCode, script.headers["www-authenticate"]]).toEqual([
      401,
      'Basic realm="x"',
    ]);
    const page = await t.app.inject({ url: "/api/null", headers: { "x-page": "1" } });
    expect([page.statusCode, page.headers["www-authenticate"]]).toEqual([401, undefined]);
  });

  test.each([
    new Error("SELECT secret FROM users"),
    new TypeError("x"),
    "a string",
    undefined,
    { a: 1 },
    null,
  ])("nobody expected are a constant 500, and logged: %s", async (error) => {
    await using t = testHttpApp({ routes: failing(error) });
    const response = await t.app.inject("/api/fail");
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      detail: "Internal Server Error",
      exception_message: "Internal Server Error",
      request_id: response.headers["x-request-id"],
    });
    expect(t.logLines).toMatchObject([{ level: 50, route: "/api/fail", method: "GET" }]);
  });

  test("while an answer is written are a 500 too", async () => {
    const circle: unknown[] = [];
    circle.push(circle);
    await using t = testHttpApp({
      routes: (api) => {
        api.get("/fail", async () => ({ circle }));
      },
    });
    expect((await t.app.inject("/api/fail")).statusCode).toBe(500);
  });

  test("of a rule that no schema can state have the shape of a validation error", async () => {
    const problem = { type: "value_error", loc: ["body", "cron"], msg: "Value error, no such day" };
    await using t = testHttpApp({ routes: failing(new InvalidRequestError([problem])) });
    const response = await t.app.inject("/api/fail");
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      detail: "body.cron: Value error, no such day",
      exception_detail: [problem],
    });
  });

  test("that a handler calls not found are a 404", async () => {
    await using t = testHttpApp({
      routes: (api) => {
        api.get("/gone", (_request, reply) => {
          reply.callNotFound();
        });
      },
    });
    expect((await t.app.inject("/api/gone")).json()).toMatchObject({ detail: "Not Found" });
  });
});

describe("the log", () => {
  test("has no line for requests that go well or are refused", async () => {
    await using t = testHttpApp({ routes });
    await t.app.inject("/api/null");
    await t.app.inject("/api/nowhere");
    expect(t.logLines).toEqual([]);
  });

  test("warns of a request that took longer than a second, unless it may wait", async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1050));
      return {};
    };
    await using t = testHttpApp({
      routes: (api) => {
        api.get("/slow", slow);
        api.get("/waits", { config: { mayWait: true } }, slow);
      },
    });
    await Promise.all([t.app.inject("/api/slow"), t.app.inject("/api/waits")]);
    expect(t.logLines).toMatchObject([{ level: 40, msg: "slow request", route: "/api/slow" }]);
  });
});
