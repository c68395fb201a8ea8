import { describe, expect, test } from "vitest";
import { testHttpApp } from "../testing/test-http-app.ts";
import { createHostCheck, hostNames } from "./host-names.ts";

test.each([
  ["none", []],
  ["*", "*"],
  ["Orchestrator, *.Example.com,a.lan.", ["orchestrator", "*.example.com", "a.lan"]],
])("%s lists host names", (given, expected) => {
  expect(hostNames.parse(given, {})).toEqual(expected);
});

test.each(["", "a,", "a b", "http://a", "a:4200", "*.*", "a.*", ".a"])("'%s' lists none", (given) =>
  expect(hostNames.parse(given, {})).toBeUndefined(),
);

describe("a server that knows its names", () => {
  const accepts = createHostCheck(["orchestrator", "*.example.com"]);

  test.each([
    "127.0.0.1",
    "127.0.0.1:4200",
    "[::1]",
    "[::1]:4200",
    "192.168.1.5:80",
    "localhost:4200",
    "LocalHost.",
    "shop.localhost:1",
    "orchestrator:4200",
    "ORCHESTRATOR",
    "a.b.example.com",
  ])("answers to %s", (host) => {
    expect([accepts(host), accepts(host)]).toEqual([true, true]);
  });

  test.each([
    "evil.test",
    "evil.test:4200",
    "example.com",
    "badexample.com",
    "localhost.evil.test",
    "notlocalhost",
    "127.0.0.1.evil.test",
    "127.0.0.1@evil.test",
    "orchestrator.evil.test",
    "[::1].evil.test",
    "::1",
    "",
    "a b",
  ])("does not answer to '%s'", (host) => {
    expect([accepts(host), accepts(host)]).toEqual([false, false]);
  });
});

describe("requests under a name that is not the server's", () => {
  const app = { hostNames: ["inside"], corsOrigins: ["https://ui.example"] };

  test.each(["GET", "HEAD", "OPTIONS", "POST"] as const)(
    "are refused by %s, also as preflights and where nothing is",
    async (method) => {
      await using t = testHttpApp({ app });
      for (const url of ["/api/health", "/nowhere", "/api/docs", "/"]) {
        const headers = {
          host: "evil.test:4200",
          origin: "http://evil.test:4200",
          "access-control-request-method": "POST",
        };
        const answer = await t.app.inject({ method, url, headers });
        expect(answer.statusCode).toBe(403);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
        if (method !== "HEAD") {
          expect(answer.json().detail).toContain('"evil.test:4200"');
          expect(answer.json().detail).toContain("ORCHESTRATOR_SERVER_ALLOWED_HOSTS");
        }
      }
    },
  );

  test("are judged by the name that a trusted proxy sends and by the one that it passes on", async () => {
    await using t = testHttpApp({ app: { ...app, trustedProxies: ["10.0.0.7"] } });
    const status = async (
      forwarded: string,
      remoteAddress: string,
      host = "inside",
    ): Promise<number> => {
      const headers = { host, "x-forwarded-host": forwarded };
      return (await t.app.inject({ url: "/nowhere", headers, remoteAddress })).statusCode;
    };
    expect(await status("evil.test", "10.0.0.7")).toBe(403);
    expect(await status("inside:4200", "10.0.0.7")).toBe(404);
    expect(await status("evil.test", "192.0.2.1")).toBe(404);
    expect(await status("inside", "10.0.0.7", "evil.test:4200")).toBe(403);
    expect(await status("localhost", "192.0.2.1", "evil.test:4200")).toBe(403);
  });
});
