import { lookup } from "node:dns/promises";
import { describe, expect, test } from "vitest";
import { type OutboundRequest, originOf, sendRequest } from "./http-request.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { retryAfterMicros } from "./retry-after.ts";
import { startReceiver } from "./testing/http-receiver.ts";
import { withTimeLimits } from "./within.ts";

const OPEN: OutboundPolicy = { allowPrivate: true, allowed: [] };
const CLOSED: OutboundPolicy = { allowPrivate: false, allowed: [] };
const NEVER = new AbortController().signal;

const ask = (url: string, more: Partial<OutboundRequest> = {}, policy = OPEN) =>
  sendRequest(
    { method: "POST", url, headers: {}, body: null, verify: true, ...more },
    { policy, signal: NEVER },
  );

describe("a request", () => {
  test("brings method, path, headers and body, and nothing that was not asked for", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(201, { "x-answer": "yes" });
      response.end("taken");
    });
    const answer = await ask(`${receiver.url}/a/b?c=d#e`, {
      method: "PUT",
      headers: { "X-One": "grün\r\nX-Evil: 1", host: "elsewhere", "Content-Length": "3" },
      body: "straße",
    });
    expect(answer).toMatchObject({ status: 201, headers: { "x-answer": "yes" }, body: "taken" });
    const [request] = receiver.requests;
    expect(request).toMatchObject({
      method: "PUT",
      path: "/a/b?c=d",
      body: "straße",
      headers: { host: `127.0.0.1:${receiver.port}`, connection: "close", "content-length": "7" },
    });
    expect(Buffer.from(String(request?.headers["x-one"]), "latin1").toString("utf8")).toBe(
      "grün X-Evil: 1",
    );
    expect(request?.headers).not.toHaveProperty("x-evil");
  });

  test("signs in with the user of the address", async () => {
    await using receiver = await startReceiver();
    await ask(receiver.url.replace("//", "//ada:s%3Acret@"));
    const [request] = receiver.requests;
    expect(request?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("ada:s:cret").toString("base64")}`,
    );
    expect(request?.path).toBe("/");
  });

  test("is not sent on to where a redirect points", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(302, { location: "/elsewhere" });
      response.end();
    });
    expect(await ask(receiver.url)).toMatchObject({ status: 302 });
    expect(receiver.requests).toHaveLength(1);
  });

  test("reads no more of an answer than its beginning", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.end("x".repeat(1_000_000));
    });
    expect((await ask(receiver.url)).body).toHaveLength(65_536);
  });

  test("has its answer when the status has come, though the rest of it breaks off or never comes", async () => {
    await using torn = await startReceiver((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      response.socket?.destroySoon();
    });
    expect(await ask(torn.url)).toMatchObject({ status: 200, body: "half" });
    await using endless = await startReceiver((_, response) => {
      response.writeHead(202);
      response.write("and then");
    });
    const answer = withTimeLimits({ timeoutMs: 300, stopping: NEVER, graceMs: 0 }, (signal) =>
      sendRequest(
        { method: "POST", url: endless.url, headers: {}, body: "x", verify: true },
        { policy: OPEN, signal },
      ),
    );
    expect(await answer).toMatchObject({ status: 202, body: "and then" });
  });

  test("without an answer ends when its time is over, or a little after the server is told to stop", async () => {
    await using silent = await startReceiver(() => {});
    const request = { method: "POST", url: silent.url, headers: {}, body: "x", verify: true };
    const send = (signal: AbortSignal) => sendRequest(request, { policy: OPEN, signal });
    await expect(
      withTimeLimits({ timeoutMs: 50, stopping: NEVER, graceMs: 0 }, send),
    ).rejects.toMatchObject({ code: "timeout", isLasting: false });
    await expect(
      withTimeLimits({ timeoutMs: 60_000, stopping: AbortSignal.abort(), graceMs: 20 }, send),
    ).rejects.toMatchObject({ code: "stopped", isLasting: false });
  });

  test("tells why nothing was sent without telling where to", async () => {
    await using receiver = await startReceiver();
    const secret = "/services/T000/secret";
    const wrong = [
      [`ftp://127.0.0.1${secret}`, "refused"],
      [`file:///etc/passwd`, "refused"],
      [`no address ${secret}`, "invalid"],
      [`http://127.0.0.1:1${secret}`, "unreachable"],
      [`http://nowhere.invalid${secret}`, "unreachable"],
      [`http://169.254.169.254${secret}`, "refused"],
      [`http://[fd00:ec2::254]${secret}`, "refused"],
      [`http://0.0.0.0:${receiver.port}${secret}`, "refused"],
      [`http://[::]:${receiver.port}${secret}`, "refused"],
      [`https://127.0.0.1:${receiver.port}${secret}`, "insecure"],
    ] as const;
    for (const [url, code] of wrong) {
      const error = await ask(url).catch((reason: unknown) => reason as Error);
      expect({ url, code: (error as { code?: string }).code }).toEqual({ url, code });
      expect(String((error as Error).message)).not.toMatch(/secret|127\.0|169\.254|nowhere/);
    }
    await expect(ask(receiver.url, { headers: { "bad name": "x" } })).rejects.toMatchObject({
      code: "invalid",
    });
    expect(receiver.requests).toEqual([]);
  });

  test("does not reach this machine under any name where private addresses are not allowed", async () => {
    await using receiver = await startReceiver();
    const { port } = receiver;
    const names = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"];
    for (const name of names)
      await expect(ask(`http://${name}:${port}/`, {}, CLOSED)).rejects.toMatchObject({
        code: "refused",
        isLasting: true,
      });
    expect(receiver.requests).toEqual([]);
    const listed = { allowPrivate: false, allowed: ["127.0.0.0/8"] };
    expect(await ask(`http://127.0.0.1:${port}/`, {}, listed)).toMatchObject({ status: 200 });
    const named = { allowPrivate: false, allowed: ["localhost"] };
    expect((await lookup("localhost", { all: true })).length).toBeGreaterThan(0);
    expect(await ask(`http://localhost:${port}/`, {}, named)).toMatchObject({ status: 200 });
  });

  test("over TLS needs a valid certificate, unless that is not wanted", async () => {
    await using receiver = await startReceiver(undefined, { tls: true });
    await expect(ask(receiver.url)).rejects.toMatchObject({ code: "insecure" });
    expect(await ask(receiver.url, { verify: false, body: "x" })).toMatchObject({ status: 200 });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("what may be shown of an address", () => {
  test("is its scheme, host and port", () => {
    expect(originOf("https://u:p@hooks.example:8443/secret?x#y")).toBe(
      "https://hooks.example:8443",
    );
    expect(originOf("nothing")).toBeNull();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-14T09:00:00Z") * 1000;
  test.each([
    ["120", 120_000_000],
    ["1.5", 1_500_000],
    ["Sat, 14 Nov 2026 09:01:00 GMT", 60_000_000],
    ["Sat, 14 Nov 2026 08:00:00 GMT", 0],
    ["soon", null],
    ["-1", null],
    ["", null],
    [undefined, null],
  ])("%s", (value, micros) => {
    expect(retryAfterMicros(value, now)).toBe(micros);
  });
});
