import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { openSocket } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import { guardedServer } from "./testing/guarded-server.ts";

interface Seen {
  readonly status: number | undefined;
  readonly text: string;
}

/** What a page is answered that was loaded under this name, which then led to the server. */
async function seenAs(host: string, url: string, method = "GET"): Promise<Seen> {
  const sent = request(url, { method, headers: { host } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, text };
}

const EVERYWHERE = [
  "/",
  "/runs",
  "/assets/index.js",
  "/metrics",
  "/api/health",
  "/api/ready",
  "/api/docs",
  "/api/openapi.json",
  "/api/admin/settings",
  "/api/nowhere",
  "/uptime/api/docs",
  "/uptime/api/monitors",
  "/uptime/status/any",
];

describe("an open server", () => {
  test("tells nothing to a page whose name was made to lead to it", async () => {
    await using server = await guardedServer({});
    const made = await server.call("POST", "/api/variables/", {
      body: { name: "planted", value: "hunter2" },
    });
    expect(made.status).toBe(201);
    for (const path of EVERYWHERE) {
      const { status, text } = await seenAs("evil.test:4200", server.url + path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain("ORCHESTRATOR_SERVER_ALLOWED_HOSTS");
    }
    const list = `${server.url}/api/variables/filter`;
    expect((await seenAs("evil.test", list, "POST")).text).not.toContain("hunter2");
    expect((await seenAs("evil.test", list, "OPTIONS")).status).toBe(403);
    const url = `${server.url.replace("http", "ws")}/api/events/in`;
    await expect(openSocket(url, [], { host: "evil.test" })).rejects.toThrow("403");
  });

  test("answers by addresses, localhost, the names in its settings, and no others", async () => {
    await using server = await guardedServer({
      ORCHESTRATOR_UI_URL: "https://ui.example/flows",
      ORCHESTRATOR_SERVER_CORS_ORIGINS: "https://app.example:8443",
      ORCHESTRATOR_SERVER_ALLOWED_HOSTS: "orchestrator,*.cluster.local",
      UPTIME_PUBLIC_URL: "https://status.example",
    });
    const { port } = new URL(server.url);
    const known = [
      "127.0.0.1",
      `127.0.0.1:${port}`,
      "[::1]",
      "localhost",
      "shop.localhost:80",
      "ui.example",
      "app.example",
      "status.example",
      "orchestrator:4200",
      "orchestrator.prod.svc.cluster.local",
    ];
    const answers = await Promise.all(
      known.map((host) => seenAs(host, `${server.url}/api/health`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(known.map(() => 200));
    expect((await seenAs("cluster.local", `${server.url}/api/health`)).status).toBe(403);
  });

  test.each(["ORCHESTRATOR_SERVER_ALLOWED_HOSTS", "ORCHESTRATOR_SERVER_CORS_ORIGINS"])(
    "answers by any name where %s is *",
    async (name) => {
      await using server = await guardedServer({ [name]: "*" });
      expect((await seenAs("any.test", `${server.url}/api/health`)).status).toBe(200);
    },
  );
});

test.each([
  [{}, 200],
  [{ ORCHESTRATOR_SERVER_ALLOWED_HOSTS: "none" }, 403],
])(
  "a server with a password answers by any name unless its names are listed: %j",
  async (env, status) => {
    await using server = await guardedServer({
      ORCHESTRATOR_SERVER_AUTH_STRING: "admin:pass",
      ...env,
    });
    expect((await seenAs("any.test", `${server.url}/api/health`)).status).toBe(status);
  },
);

test.each([
  ["127.1", true],
  ["2130706433", true],
  ["LocalHost", true],
  ["0.0.0.0", false],
])("a server on %s knows whether it is reached from this machine alone", async (host, isLocal) => {
  await using server = await guardedServer({ ORCHESTRATOR_SERVER_HOST: host });
  expect(server.isLocal).toBe(isLocal);
  const url = new URL(`/api/health`, server.url.replace("0.0.0.0", "127.0.0.1"));
  expect((await seenAs(`${host}:${url.port}`, url.href)).status).toBe(200);
  expect((await seenAs("evil.test", url.href)).status).toBe(403);
});
