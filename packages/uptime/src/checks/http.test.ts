import { systemClock } from "@orchestrator/kernel/pure";
import { startReceiver } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { httpAnswer, startRawServer } from "../testing/raw-server.ts";
import type { CheckConfig, ConfigOf } from "./registry.ts";
import { runPipeline } from "./run-pipeline.ts";

type Options = Omit<ConfigOf<"http">, "type">;

const check = (config: Options = {}): CheckConfig => ({ type: "http", ...config });
const answering = (status: number, body = "", headers: Record<string, string> = {}) =>
  startRawServer((socket) => socket.end(httpAnswer(status, headers, body)));

describe("a status", () => {
  test.each([
    [200, undefined, "up", "http: 200 OK"],
    [204, undefined, "up", "http: 204 No Content"],
    [304, undefined, "up", "http: 304 Not Modified"],
    [404, undefined, "degraded", "http: 404 Not Found"],
    [500, undefined, "degraded", "http: 500 Internal Server Error"],
    [299, undefined, "up", "http: 299"],
    [404, [404], "up", "http: 404 Not Found"],
    [404, ["400-499"], "up", "http: 404 Not Found"],
    [200, [201, "300-399"], "down", "http: 200 OK, expected 201 or 300-399"],
    [500, ["200-399"], "down", "http: 500 Internal Server Error, expected 200-399"],
  ] as const)("of %i where %j is expected is %s", async (code, expected, status, message) => {
    await using server = await answering(code);
    const config = check(expected === undefined ? {} : { expected_status: expected });
    expect(await probe(server.url, [config])).toMatchObject({
      status,
      message,
      details: { http: { status_code: code } },
      authFailed: false,
      inconclusive: false,
      unreachable: false,
    });
  });
});

describe("a request", () => {
  test("has method, headers and body of the check, on a connection of its own", async () => {
    await using receiver = await startReceiver();
    const config = check({
      method: "POST",
      body: "straße",
      headers: { "X-Api-Key": "k-1234", Host: "shop.example", "User-Agent": "mine" },
    });
    await probe(`${receiver.url}/a%20b?c=d#e`, [config, config]);
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]).toMatchObject({
      method: "POST",
      path: "/a%20b?c=d",
      body: "straße",
      headers: {
        "x-api-key": "k-1234",
        host: "shop.example",
        "user-agent": "mine",
        connection: "close",
        accept: "*/*",
      },
    });
  });

  test("tells how long each step took, and as a whole", async () => {
    await using server = await answering(200, "hello");
    const { details, elapsed_ms } = await probe(server.url);
    const { timings } = details["http"] as { readonly timings: Record<string, number> };
    expect(Object.keys(timings)).toEqual(["dns", "connect", "first_byte", "download"]);
    expect(Object.values(timings).every((ms) => ms >= 0)).toBe(true);
    expect(elapsed_ms).toBeGreaterThan(0);
  });

  test("signs in with the user of the address", async () => {
    await using receiver = await startReceiver();
    await probe(receiver.url.replace("//", "//ada:s%3Acret@"));
    const expected = `Basic ${Buffer.from("ada:s:cret").toString("base64")}`;
    expect(receiver.requests[0]?.headers["authorization"]).toBe(expected);
  });

  test("slower than it should be is degraded", async () => {
    await using receiver = await startReceiver((_, response) => {
      setTimeout(() => response.end("late"), 20);
    });
    const slow = await probe(receiver.url, [check({ degraded_after_ms: 1 })]);
    expect(slow).toMatchObject({ status: "degraded" });
    expect(slow.message).toMatch(/^http: 200 OK, slow: \d+ ms of at most 1$/);
    const quick = await probe(receiver.url, [check({ degraded_after_ms: 60_000 })]);
    expect(quick.status).toBe("up");
  });
});

describe("what is expected of the body", () => {
  const BODY = JSON.stringify({
    state: "ok",
    items: [{ n: 3 }, { n: 5 }],
    "first name": "Ada",
    nothing: null,
    at: "2026-11-14",
    ns: 0,
    rate: 0,
  }).replace('"ns":0,"rate":0', '"ns":1763110800123456789,"rate":4.0');

  test.each<[Options, string, string]>([
    [{ contains: "state" }, "up", "http: 200 OK"],
    [{ contains: ["state", "items"] }, "up", "http: 200 OK"],
    [{ contains: "gone" }, "down", 'http: 200 OK, the body does not hold "gone"'],
    [
      { contains: [{ text: "gone", severity: "warn" }] },
      "degraded",
      'http: 200 OK, the body does not hold "gone"',
    ],
    [{ contains: "a; b" }, "down", 'http: 200 OK, the body does not hold "a, b"'],
    [{ not_contains: "error" }, "up", "http: 200 OK"],
    [{ not_contains: ["Ada"] }, "down", 'http: 200 OK, the body holds "Ada"'],
    [{ json: [{ path: "state", value: "ok" }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "$.items[1].n", comparison: ">=", value: 5 }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "items.length", comparison: "<", value: 3 }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "ns", value: 1763110800123456789n }] }, "up", "http: 200 OK"],
    [
      { json: [{ path: "ns", comparison: "<", value: 1763110800123456789n }] },
      "down",
      "http: 200 OK, expected ns < 1763110800123456789, but it is 1763110800123456789",
    ],
    [{ json: [{ path: "ns", comparison: ">", value: 5 }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "rate", value: 4 }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "rate", comparison: ">=", value: 4 }] }, "up", "http: 200 OK"],
    [
      { json: [{ path: "rate", comparison: ">", value: 4 }] },
      "down",
      "http: 200 OK, expected rate > 4, but it is 4.0",
    ],
    [{ json: [{ path: '["first name"]', comparison: "!=", value: "Eve" }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "state", comparison: "contains", value: "k" }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "items", comparison: "contains", value: { n: 3 } }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "nothing", comparison: "exists" }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "nothing", value: null }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "constructor", comparison: "absent" }] }, "up", "http: 200 OK"],
    [{ json: [{ path: "at", comparison: ">", value: "2026-01-01" }] }, "up", "http: 200 OK"],
    [
      { json: [{ path: "at", comparison: ">", value: 5 }] },
      "down",
      'http: 200 OK, expected at > 5, but it is "2026-11-14"',
    ],
    [
      { json: [{ path: "items[2].n", value: 1, severity: "warn" }] },
      "degraded",
      "http: 200 OK, expected items[2].n == 1, but it is nothing",
    ],
    [{ json: [{ path: "a[", value: 1 }] }, "down", 'http: 200 OK, "a[" is not a path'],
  ])("%o is %s", async (config, status, message) => {
    await using server = await answering(200, BODY);
    expect(await probe(server.url, [check(config)])).toMatchObject({ status, message });
  });

  test("is listed with what was seen", async () => {
    await using server = await answering(200, BODY);
    const config = check({ contains: "state", json: [{ path: "items.length", value: 9 }] });
    const { details } = await probe(server.url, [config]);
    expect((details["http"] as { readonly assertions: unknown }).assertions).toEqual([
      { assertion: 'contains "state"', passed: true, severity: "fail" },
      {
        assertion: "items.length == 9",
        passed: false,
        severity: "fail",
        seen: "2",
        problem: "expected items.length == 9, but it is 2",
      },
    ]);
  });

  test("is not met by what is no JSON", async () => {
    await using server = await answering(200, "<html>");
    expect(
      await probe(server.url, [check({ json: [{ path: "a", comparison: "absent" }] })]),
    ).toMatchObject({ status: "down", message: "http: 200 OK, the body is not JSON" });
  });

  test("is read in the alphabet that the answer names", async () => {
    const type = { "Content-Type": 'text/plain; charset="iso-8859-1"' };
    await using server = await startRawServer((socket) =>
      socket.end(httpAnswer(200, type, Buffer.from("grün", "latin1"))),
    );
    expect((await probe(server.url, [check({ contains: "grün" })])).status).toBe("up");
  });
});

describe("redirects", () => {
  test("are followed, and told of without what is behind a question mark", async () => {
    await using receiver = await startReceiver(({ path }, response) => {
      if (path === "/end?token=t") response.end("there");
      else response.writeHead(302, { location: "/end?token=t" }).end();
    });
    const outcome = await probe(`${receiver.url}/start`, [check({ contains: "there" })]);
    expect(outcome).toMatchObject({
      status: "up",
      details: { http: { redirects: 1, final_url: `${receiver.url}/end`, status_code: 200 } },
    });
    expect(JSON.stringify(outcome)).not.toContain("token");
  });

  test("are not followed where that is not wanted", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(302, { location: "/end" }).end();
    });
    const outcome = await probe(receiver.url, [check({ follow_redirects: false })]);
    expect(outcome).toMatchObject({ status: "up", message: "http: 302 Found" });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([
    [301, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", ""],
    [307, "POST", "POST", "x"],
    [308, "PUT", "PUT", "x"],
  ] as const)("by %i make of a %s a %s", async (status, method, second, body) => {
    await using receiver = await startReceiver(({ path }, response) => {
      if (path === "/end") response.end();
      else response.writeHead(status, { location: "/end" }).end();
    });
    const more = method === "HEAD" ? {} : { body: "x" };
    await probe(receiver.url, [check({ method, ...more })]);
    expect(receiver.requests.map((request) => request.method)).toEqual([method, second]);
    expect(receiver.requests[1]?.body).toBe(body);
  });

  test("to another origin take along neither secrets nor a body", async () => {
    await using other = await startReceiver();
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(307, { location: `http://eve:pw@127.0.0.1:${other.port}/x` }).end();
    });
    const headers = {
      Authorization: "Bearer secret-1",
      Cookie: "a=secret-2",
      "X-Api-Key": "secret-3",
      Host: "inner",
      "Accept-Language": "de",
    };
    await probe(receiver.url.replace("//", "//ada:pw12@"), [check({ headers })]);
    expect(receiver.requests[0]?.headers).toMatchObject({ "x-api-key": "secret-3" });
    const [second] = other.requests;
    expect(second?.headers["accept-language"]).toBe("de");
    expect(second?.headers["host"]).toBe(`127.0.0.1:${other.port}`);
    for (const name of ["authorization", "cookie", "x-api-key"])
      expect(second?.headers).not.toHaveProperty(name);
    const posted = await probe(receiver.url, [check({ method: "POST", body: "secret" })]);
    expect(posted).toMatchObject({ status: "down" });
    expect(posted.message).toMatch(/body to another origin/);
    expect(other.requests).toHaveLength(1);
  });

  test("back to the first origin do not bring the secrets back", async () => {
    await using other = await startReceiver((_, response) => {
      response.writeHead(302, { location: `${receiver.url}/end` }).end();
    });
    await using receiver = await startReceiver(({ path }, response) => {
      if (path === "/end") response.end();
      else response.writeHead(302, { location: other.url }).end();
    });
    await probe(receiver.url, [check({ headers: { "X-Api-Key": "secret-3" } })]);
    expect(receiver.requests.map(({ headers }) => headers["x-api-key"])).toEqual([
      "secret-3",
      undefined,
    ]);
  });
});

describe("another attempt", () => {
  test.each([
    ["a busy server", 503, "up", 2],
    ["a broken gateway", 502, "up", 2],
    ["a server with an error of its own", 500, "degraded", 1],
    ["a refused request", 429, "degraded", 1],
  ] as const)("at %s", async (_title, code, status, requests) => {
    await using server = await startRawServer((socket, _head, count) =>
      socket.end(httpAnswer(count === 1 ? code : 200)),
    );
    const outcome = await probe(server.url, [check({ retries: 1 })]);
    expect({ status: outcome.status, requests: server.heads.length }).toEqual({ status, requests });
    if (requests === 2) expect(outcome.details["http"]).toMatchObject({ attempts: 2 });
  });

  test.each([
    ["GET", "up", 2],
    ["PUT", "up", 2],
    ["POST", "down", 1],
    ["PATCH", "down", 1],
  ] as const)("is made by itself of a %s that broke: %s", async (method, status, requests) => {
    await using server = await startRawServer((socket, _head, count) => {
      if (count === 1) socket.destroy();
      else socket.end(httpAnswer(200));
    });
    const outcome = await runPipeline(
      { id: "x", url: server.url, pipeline: [check({ method })] },
      {
        policy: { allowPrivate: true, allowed: [] },
        signal: new AbortController().signal,
        clock: systemClock,
      },
    );
    expect({ status: outcome.status, requests: server.heads.length }).toEqual({ status, requests });
  });

  test("is not made when the target must not be called", async () => {
    let lookups = 0;
    const outcome = await probe("http://inner.example/", [check({ retries: 3 })], {
      resolve: async () => {
        lookups++;
        return ["169.254.169.254"];
      },
    });
    expect(outcome).toMatchObject({ status: "down", unreachable: false });
    expect(outcome.message).toMatch(/metadata address/);
    expect(lookups).toBe(1);
  });
});
