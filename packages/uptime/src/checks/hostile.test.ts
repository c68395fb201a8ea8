// What a target may do to whoever looks at it.

import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { createNameResolver } from "@orchestrator/outbound";
import { startNameServer, startReceiver } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { httpAnswer, startRawServer } from "../testing/raw-server.ts";
import type { ConfigOf } from "./registry.ts";

const MIB = 1_048_576;
const http = (config: Omit<ConfigOf<"http">, "type"> = {}): ConfigOf<"http"> => ({
  type: "http",
  ...config,
});

describe("a body", () => {
  test("without an end is read for a MiB and left", async () => {
    let sent = 0;
    await using server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const chunk = Buffer.alloc(65_536, "x");
      const pour = (): void => {
        if (socket.destroyed) return;
        sent += chunk.length;
        socket.write(chunk, pour);
      };
      pour();
    });
    const outcome = await probe(server.url, [http({ contains: "y" })]);
    expect(outcome.message).toBe('http: 200 OK, the body does not hold "y" in its first MiB');
    expect((await probe(server.url)).status).toBe("up");
    // What is on its way in the system's buffers is more than what is read, but not without bound.
    expect(sent).toBeLessThan(64 * MIB);
  });

  const zeros = Buffer.alloc(32 * MIB);
  test.each([
    ["gzip", gzipSync(zeros)],
    ["deflate", deflateSync(zeros)],
    ["br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])("that unpacks to very much is unpacked for a MiB (%s)", async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(MIB / 8);
    await using server = await startRawServer((socket) => {
      socket.end(httpAnswer(200, { "Content-Encoding": encoding }, bomb));
    });
    expect(await probe(server.url, [http({ contains: "needle" })])).toMatchObject({
      status: "down",
      message: 'http: 200 OK, the body does not hold "needle" in its first MiB',
    });
  });

  test("that is packed is looked into, and told of when it cannot be unpacked", async () => {
    const answers = [
      httpAnswer(200, { "Content-Encoding": "gzip" }, gzipSync("needle")),
      httpAnswer(200, { "Content-Encoding": "gzip" }, "not packed"),
      httpAnswer(200, { "Content-Encoding": "rot13" }, "arrqyr"),
    ];
    await using server = await startRawServer((socket, _head, count) =>
      socket.end(answers[count - 1] ?? ""),
    );
    const look = async () => (await probe(server.url, [http({ contains: "needle" })])).message;
    expect(await look()).toBe("http: 200 OK");
    expect(await look()).toBe("http: 200 OK, the body cannot be unpacked");
    expect(await look()).toBe("http: 200 OK, the body is packed in a way that is not known");
  });

  test("that drips for ever ends with the time of the attempt", async () => {
    await using server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await probe(server.url, [http({ timeout_ms: 150 })])).toMatchObject({
      status: "down",
      message: "http: no answer within 150 ms while reading the answer",
      details: { http: { status_code: 200, error_code: "timeout" } },
    });
  });

  test("that is torn off is down, with the status that had come", async () => {
    await using server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", () =>
        socket.resetAndDestroy(),
      );
    });
    expect(await probe(server.url)).toMatchObject({
      status: "down",
      message: "http: the connection broke (ECONNRESET)",
      details: { http: { status_code: 200, error_code: "ECONNRESET" } },
    });
  });
});

describe("an answer", () => {
  test.each([
    ["is nothing", "", /hung up|broke/],
    ["is not HTTP", "SSH-2.0-OpenSSH_9.6\r\n", /not valid HTTP/],
    [
      "has no end of its headers",
      `HTTP/1.1 200 OK\r\nX: ${"y".repeat(20_000)}`,
      /headers .* too long/,
    ],
    ["has too many headers", `HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(8000)}\r\n`, /too long/],
    [
      "says its length twice",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      /not valid HTTP/,
    ],
    [
      "smuggles",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      /not valid HTTP/,
    ],
    [
      "has chunks that are none",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      /not valid HTTP/,
    ],
  ])("that %s is down", async (_title, text, message) => {
    await using server = await startRawServer((socket) => socket.end(text));
    const outcome = await probe(server.url);
    expect(outcome.status).toBe("down");
    expect(outcome.message).toMatch(message);
  });

  test("that never comes ends with the time of the attempt, wherever it hangs", async () => {
    await using silent = await startRawServer(() => {});
    const timeout = http({ timeout_ms: 150 });
    expect((await probe(silent.url, [timeout])).message).toBe(
      "http: no answer within 150 ms while waiting for the answer",
    );
    const secure = silent.url.replace("http:", "https:");
    expect((await probe(secure, [timeout])).message).toBe(
      "http: no answer within 150 ms while agreeing on encryption",
    );
    await using names = await startNameServer(() => undefined);
    const files = { hostsFile: "/nowhere", resolverFile: "/nowhere" };
    const resolve = createNameResolver({ ...files, servers: [names.address] });
    expect((await probe("http://never.example", [timeout], { resolve })).message).toBe(
      "http: no answer within 150 ms while resolving the name",
    );
  });

  test("whose headers drip for ever ends with the time of the attempt", async () => {
    await using server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("X-Drop: x\r\n"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await probe(server.url, [http({ timeout_ms: 150 })])).toMatchObject({
      status: "down",
      message: "http: no answer within 150 ms while waiting for the answer",
    });
  });

  test("that only announces is waited for, and one that switches protocols is an answer", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    await using server = await startRawServer((socket) => {
      socket.write(early.repeat(100));
      socket.end(httpAnswer(200));
    });
    expect((await probe(server.url)).message).toBe("http: 200 OK");
    await using upgrading = await startRawServer((socket) =>
      socket.write("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: y\r\n\r\n"),
    );
    expect(await probe(upgrading.url)).toMatchObject({ message: "http: 101 Switching Protocols" });
  });

  test("puts nothing of its own into the message", async () => {
    await using server = await startRawServer((socket) =>
      socket.end("HTTP/1.1 500 ; http: 200 OK\r\nContent-Length: 0\r\n\r\n"),
    );
    expect((await probe(server.url)).message).toBe("http: 500 Internal Server Error");
  });
});

describe("a redirect", () => {
  const leadingTo = (location: string) =>
    startReceiver((_, response) => {
      response.writeHead(302, { location }).end();
    });

  test("that leads in circles is down", async () => {
    await using server = await leadingTo("/again");
    const outcome = await probe(server.url);
    expect(outcome.status).toBe("down");
    expect(outcome.message).toBe("http: the redirects go round in circles");
    expect(server.requests).toHaveLength(11);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", /metadata/],
    ["http://[fd00:ec2::254]/", /metadata/],
    ["http://[::ffff:169.254.169.254]/", /metadata/],
    ["http://2852039166/", /metadata/],
    ["http://0xa9.0xfe.0xa9.0xfe/", /metadata/],
    ["http://169.254.10.10/", /link-local/],
    ["http://0.0.0.0/", /unspecified/],
    ["file:///etc/passwd", /neither http nor https/],
    ["gopher://127.0.0.1/", /neither http nor https/],
    ["http://[", /no address/],
  ])("to %s is not followed", async (location, message) => {
    await using server = await leadingTo(location);
    const outcome = await probe(server.url);
    expect(outcome.status).toBe("down");
    expect(outcome.message).toMatch(message);
    expect(outcome.message).not.toContain("169.254");
  });

  test("does not wait for a body that never ends", async () => {
    await using server = await startRawServer((socket, head) => {
      if (head.startsWith("GET /end")) socket.end(httpAnswer(200));
      else socket.write("HTTP/1.1 302 X\r\nLocation: /end\r\n\r\nendless");
    });
    expect((await probe(server.url)).message).toBe("http: 200 OK");
  });

  test("from a public host into a private network is refused where only public ones are allowed", async () => {
    await using inner = await startReceiver();
    const policy = { allowPrivate: false, allowed: ["first.example"] };
    await using outer = await leadingTo(`http://second.example:${inner.port}/`);
    const outcome = await probe(`http://first.example:${outer.port}/`, [], {
      policy,
      resolve: async () => ["127.0.0.1"],
    });
    expect(outcome.message).toMatch(/loopback address, and those are not allowed/);
    expect(outer.requests).toHaveLength(1);
    expect(inner.requests).toHaveLength(0);
  });
});

describe("a name", () => {
  test("that leads elsewhere at the next look-up is judged where it is called", async () => {
    await using server = await startReceiver((_, response) => {
      response.writeHead(302, { location: "/again" }).end();
    });
    const addresses = ["127.0.0.1", "169.254.169.254"];
    let lookups = 0;
    const outcome = await probe(`http://turning.example:${server.port}/`, [], {
      resolve: async () => [addresses[lookups++] ?? "127.0.0.1"],
    });
    expect(outcome.message).toMatch(/metadata address/);
    expect({ lookups, requests: server.requests.length }).toEqual({ lookups: 2, requests: 1 });
  });

  test("with good and bad addresses is called at the good ones only", async () => {
    await using server = await startReceiver();
    const outcome = await probe(`http://mixed.example:${server.port}/`, [], {
      resolve: async () => ["169.254.169.254", "127.0.0.1"],
    });
    expect(outcome.status).toBe("up");
  });

  test.each([
    ["private-ok", [], "up"],
    ["public-only", [], "down"],
    ["public-only", ["app.example"], "up"],
    ["allowlist", [], "down"],
    ["allowlist", ["app.example"], "up"],
    ["allowlist", ["127.0.0.0/8"], "up"],
    ["allowlist", ["other.example"], "down"],
  ] as const)("on this machine under %s with %j is %s", async (probePolicy, allowed, status) => {
    await using server = await startReceiver();
    const policy = {
      allowPrivate: probePolicy === "private-ok",
      onlyAllowed: probePolicy === "allowlist",
      allowed,
    };
    const resolve = async () => ["127.0.0.1"];
    const { port } = server;
    expect((await probe(`http://app.example:${port}/`, [], { policy, resolve })).status).toBe(
      status,
    );
    expect(server.requests).toHaveLength(status === "up" ? 1 : 0);
  });

  test("outside of the list is refused though it is public", async () => {
    const policy = { allowPrivate: false, onlyAllowed: true, allowed: ["a.example"] };
    const resolve = async () => ["93.184.215.14"];
    const outcome = await probe("http://b.example/", [], { policy, resolve });
    expect(outcome.message).toMatch(/not on the list/);
  });

  test("of the server's own database is refused under all its names, other ports are not", async () => {
    await using database = await startReceiver();
    await using neighbour = await startReceiver();
    const closed = [{ host: "db.example", port: database.port }];
    const policy = { allowPrivate: true, allowed: [], closed };
    const resolve = async () => ["127.0.0.1"];
    for (const host of [
      "db.example",
      "other.example",
      "127.0.0.1",
      "127.0.0.2",
      "[::ffff:127.0.0.1]",
    ]) {
      const outcome = await probe(`http://${host}:${database.port}/`, [], { policy, resolve });
      expect(outcome.message).toMatch(/service that must not be called/);
    }
    expect(database.requests).toHaveLength(0);
    expect((await probe(neighbour.url, [], { policy, resolve })).status).toBe("up");
  });
});

describe("secrets", () => {
  test("of the query and of a secret body appear nowhere, even when the target sends them back", async () => {
    await using server = await startReceiver(({ path, body }, response) => {
      const sent = JSON.parse(body) as { readonly pin: string };
      const token = new URL(path, "http://localhost").searchParams.get("token");
      response.end(JSON.stringify({ path, token, pin: sent.pin }));
    });
    const outcome = await probe(`${server.url}/a?page=1&token=s3cret%20token`, [
      http({
        method: "POST",
        body: '{"pin":"s3cret-pin"}',
        body_secret: true,
        json: ["path", "token", "pin"].map((path) => ({ path, value: 1 })),
      }),
    ]);
    expect(outcome.status).toBe("down");
    const text = JSON.stringify(outcome);
    expect(text).toContain("/a?page=1&token=********");
    expect(text).not.toContain("s3cret");
  });

  test("appear nowhere, even when the target sends them back", async () => {
    const key = 'k"ey-12345';
    await using server = await startReceiver(({ headers, path }, response) => {
      if (path === "/") {
        const echo = encodeURIComponent(String(headers["x-api-key"]));
        response.writeHead(302, { location: `/${echo}` }).end();
        return;
      }
      response.end(JSON.stringify({ headers, basic: "ada:pass-word" }));
    });
    const outcome = await probe(server.url.replace("//", "//ada:pass-word@"), [
      http({
        headers: { "X-Api-Key": key },
        json: [
          { path: "headers", value: 1 },
          { path: "headers.x-api-key", value: 1 },
          { path: "headers.authorization", value: 1 },
          { path: "basic", value: 1 },
        ],
      }),
    ]);
    expect(outcome.status).toBe("down");
    const text = JSON.stringify(outcome);
    for (const secret of ["ey-12345", "pass-word", Buffer.from("ada:pass-word").toString("base64")])
      expect(text).not.toContain(secret);
    expect(text).toContain("********");
  });

  test("and other headers cannot bring a second header along", async () => {
    await using server = await startReceiver();
    await probe(server.url, [
      http({ headers: { "X-One": "a\r\nX-Two: b\r\n\r\nGET /evil HTTP/1.1" } }),
    ]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).not.toHaveProperty("x-two");
    const wrong = await probe(server.url, [http({ headers: { "bad name": "secret-value" } })]);
    expect(wrong).toMatchObject({ status: "down" });
    expect(wrong.message).not.toContain("secret-value");
  });
});
