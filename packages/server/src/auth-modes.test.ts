import { openSocket } from "@orchestrator/kernel/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programSettings } from "./settings.ts";
import { startServerProcess } from "./start-server.ts";
import { type GuardedServer, guardedServer } from "./testing/guarded-server.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
const OTHER = "11111111-1111-4111-8111-111111111111";
const below = (account: string, workspace: string): string =>
  `/api/accounts/${account}/workspaces/${workspace}`;
let server: GuardedServer;
/** The tests of one group ask one server, and leave nothing that others would see. */
function share(env: Readonly<Record<string, string>>): void {
  beforeAll(async () => {
    server = await guardedServer(env);
  });
  afterAll(() => server[Symbol.asyncDispose]());
}

const basic = (text: string) => ({
  authorization: `Basic ${Buffer.from(text).toString("base64")}`,
});

describe("an open server", () => {
  share({});

  test("answers below its one workspace as on the plain paths, and below no other", async () => {
    const { call } = server;
    const made = await call("POST", "/api/variables/", { body: { name: "plain", value: 1 } });
    expect(made.status).toBe(201);
    const own = below(NIL, NIL);
    expect(await call("GET", `${own}/variables/name/plain`)).toMatchObject({
      status: 200,
      body: { name: "plain" },
    });
    expect((await call("GET", `${own}/health`)).status).toBe(200);
    for (const strange of [below(OTHER, NIL), below(NIL, OTHER), below(OTHER, OTHER)])
      expect((await call("GET", `${strange}/variables/name/plain`)).status).toBe(404);
    expect((await call("GET", "/api/me")).status).toBe(404);
    await using socket = await openSocket(`${server.url.replace("http", "ws")}${own}/events/in`);
    await socket.ping();
  });

  test("takes no page for its own that has let its name lead to this machine", async () => {
    const url = `${server.url.replace("http", "ws")}/api/events/in`;
    const { host, port } = new URL(server.url);
    await using own = await openSocket(url, [], { host, origin: `http://${host}` });
    await own.ping();
    const rebound = `rebound.example:${port}`;
    const asked = openSocket(url, [], { host: rebound, origin: `http://${rebound}` });
    await expect(asked).rejects.toThrow("403");
    await using told = await guardedServer({ ORCHESTRATOR_UI_URL: "http://ui.example/flows" });
    const toldUrl = `${told.url.replace("http", "ws")}/api/events/in`;
    const page = { host: "ui.example", origin: "http://ui.example" };
    await using socket = await openSocket(toldUrl, [], page);
    await socket.ping();
    // It is a name of the server, and no other site that may read.
    const seen = await told.call("GET", "/api/health", { headers: { origin: page.origin } });
    expect(seen.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a server with one password for everybody", () => {
  share({ ORCHESTRATOR_SERVER_AUTH_STRING: "admin:pass" });

  test("asks for it everywhere but where it says how it is", async () => {
    const { call } = server;
    for (const path of ["/api/health", "/api/ready", "/ui-settings", "/"])
      expect((await call("GET", path)).status).toBe(200);
    for (const headers of [{}, basic("admin:other"), basic("admin"), { authorization: "Basic" }]) {
      const refused = await call("GET", "/api/admin/version", { headers });
      expect(refused).toMatchObject({ status: 401, body: { exception_message: "Unauthorized" } });
      expect(refused.headers.get("www-authenticate")).toBeNull();
      expect((await call("GET", "/metrics", { headers })).status).toBe(401);
    }
    expect((await call("GET", "/api/version", { key: "admin:pass" })).status).toBe(200);
    expect((await call("GET", "/api/version", { key: "admin:other" })).status).toBe(401);
    const headers = basic("admin:pass");
    expect((await call("GET", "/api/admin/version", { headers })).status).toBe(200);
    expect((await call("GET", `${below(NIL, NIL)}/version`, { headers })).status).toBe(200);
    expect((await call("GET", `${below(NIL, OTHER)}/version`, { headers })).status).toBe(404);
    expect((await call("GET", "/metrics", { headers })).status).toBe(200);
    expect((await call("GET", "/ui-settings")).body).toMatchObject({ auth: "BASIC" });
  });

  test("lets a browser ask its user", async () => {
    const headers = { "sec-fetch-site": "same-origin" };
    const refused = await server.call("POST", "/api/flows/filter", { headers, body: {} });
    expect(refused.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  test("takes it from a socket as the token of its first message", async () => {
    await using known = await server.socket("/api/events/in", "admin:pass");
    expect(await known.next()).toEqual({ type: "auth_success" });
    for (const token of ["admin:other", null]) {
      await using refused = await server.socket("/api/events/in", token);
      expect(await refused.closed).toMatchObject({ code: 1008 });
    }
    const url = `${server.url.replace("http", "ws")}/api/events/in`;
    for (const protocols of [[], ["other"]])
      await expect(openSocket(url, protocols)).rejects.toThrow("401");
  });

  test("does not start without one", async () => {
    const settings = programSettings.read({
      env: { ORCHESTRATOR_SERVER_AUTH_MODE: "password", ORCHESTRATOR_SERVER_PORT: "0" },
    });
    await expect(startServerProcess(settings)).rejects.toThrow("ORCHESTRATOR_SERVER_AUTH_STRING");
  });
});
