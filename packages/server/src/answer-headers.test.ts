import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { guardedServer } from "./testing/guarded-server.ts";

const UNSTORED = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

describe("no browser or proxy stores what a server answers, or takes it for another type", () => {
  test("be it a result, a refusal, metrics or a document", async () => {
    await using server = await guardedServer({ ORCHESTRATOR_SERVER_BODY_LIMIT: "2KiB" });
    const answers = await Promise.all([
      server.call("GET", "/api/health"),
      server.call("GET", "/api/ready"),
      server.call("GET", "/api/admin/settings"),
      server.call("POST", "/api/variables/", { body: { name: "a", value: 1 } }),
      server.call("POST", "/api/variables/filter", { body: {} }),
      server.call("POST", "/api/variables/filter", { body: { limit: "many" } }),
      server.call("POST", "/api/variables/", { body: { name: "b", value: "x".repeat(3000) } }),
      server.call("GET", "/api/variables/name/missing"),
      server.call("GET", "/api/nowhere"),
      server.call("PUT", "/api/health"),
      server.call("GET", "/api/%zz"),
      server.call("GET", "/api/health", { headers: { host: "evil.test" } }),
      server.call("GET", "/metrics"),
      server.call("GET", "/api/docs"),
      server.call("GET", "/api/openapi.json"),
      server.call("GET", "/uptime/api/docs"),
      server.call("GET", "/uptime/api/openapi.json"),
      server.call("GET", "/uptime/api/monitors"),
      server.call("GET", "/api/events/in"),
    ]);
    const seen = answers.map(({ status, headers }) => ({
      status,
      "cache-control": headers.get("cache-control"),
      "x-content-type-options": headers.get("x-content-type-options"),
    }));
    expect(seen).toEqual(answers.map(({ status }) => ({ status, ...UNSTORED })));
    const statuses = new Set(answers.map(({ status }) => status));
    for (const status of [200, 201, 401, 404, 405, 413, 422, 426])
      expect(statuses).toContain(status);
  });

  test("nor what is answered to something that is no request", async () => {
    await using server = await guardedServer({});
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname).end("BREW /coffee\r\n\r\n");
    let answer = "";
    socket.on("data", (bytes) => {
      answer += String(bytes);
    });
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    for (const [name, value] of Object.entries(UNSTORED))
      expect(answer.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`);
  });

  test("but what is in the web UI's files, whose names change with them", async () => {
    await using server = await guardedServer({});
    const page = String((await server.call("GET", "/")).body);
    const [asset = ""] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    const { headers } = await server.call("GET", asset);
    expect(headers.get("cache-control")).toMatch(/immutable/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});
