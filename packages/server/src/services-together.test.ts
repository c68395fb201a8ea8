// The services in one process, by real requests: what one of them writes into the log, the other acts on.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { programSettings } from "./settings.ts";
import { type RunningServer, startServer } from "./start-server.ts";

type Env = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

const PASSWORD = "a password for tests";
const BASIC = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;
/** Far longer than anything takes on a busy machine. */
const PATIENCE = { timeout: 25_000, interval: 50 };

interface Running extends AsyncDisposable {
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly text: (path: string) => Promise<string>;
  /** Stops the server and starts another on the same data. */
  readonly restart: () => Promise<void>;
}

async function run(env: Env): Promise<Running> {
  const home = await mkdtemp(join(tmpdir(), "orchestrator-together-"));
  const settings = programSettings.read({
    env: {
      ORCHESTRATOR_HOME: home,
      ORCHESTRATOR_SERVER_PORT: "0",
      ORCHESTRATOR_LOG_LEVEL: "silent",
      UPTIME_PASSWORD: PASSWORD,
      UPTIME_MIN_INTERVAL: "1s",
      ...env,
    },
  });
  let server: RunningServer = await startServer(settings);
  const headers = { authorization: BASIC, "content-type": "application/json" };
  return {
    async call(method, path, body) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(server.url + path, { method, headers, ...init });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    text: async (path) => (await fetch(server.url + path)).text(),
    async restart() {
      await server.stop();
      server = await startServer(settings);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A port of this machine that nobody listens on. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Takes connections and says nothing. */
async function silentTarget() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const idOf = (record: unknown): string => (record as { readonly id: string }).id;

describe.each([
  { dialect: "orchestrator", event: "orchestrator.monitor.Down" },
  { dialect: "prefect", event: "orchestrator.monitor.Down" },
  { dialect: "prefect", event: "prefect.monitor.Down" },
])("an automation in dialect $dialect that waits for $event", ({ dialect, event }) => {
  test("runs a deployment when a monitor finds its target down", async () => {
    await using server = await run({ ORCHESTRATOR_SERVER_DIALECT: dialect });
    const { call } = server;
    const flow_id = idOf(await call("POST", "/api/flows/", { name: "restart-shop" }));
    const deployment = { name: "by-hand", flow_id, enforce_parameter_schema: false };
    const deployment_id = idOf(await call("POST", "/api/deployments/", deployment));
    const name = "{{ event.resource.name }}";
    await call("POST", "/api/automations/", {
      name: "restart what is down",
      trigger: { type: "event", posture: "Reactive", expect: [event], threshold: 1, within: 0 },
      actions: [
        {
          type: "run-deployment",
          source: "selected",
          deployment_id,
          parameters: { what: name, why: "{{ event.payload.message }}" },
        },
      ],
    });
    const url = `http://127.0.0.1:${await deadPort()}`;
    const pipeline = [{ type: "http", retries: 0 }];
    const monitor = { name: "shop", url, pipeline, interval: 1, tags: ["shop"] };
    await call("POST", "/uptime/api/monitors", monitor);

    const runs = await vi.waitFor(async () => {
      const filter = { deployments: { id: { any_: [deployment_id] } } };
      const found = (await call("POST", "/api/flow_runs/filter", filter)) as readonly Json[];
      expect(found.length).toBeGreaterThan(0);
      return found;
    }, PATIENCE);
    // However often it is found to be down, it went down once.
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      flow_id,
      parameters: { what: "shop", why: expect.stringMatching(/^http: .*refused/i) },
    });
    expect(await call("GET", "/uptime/api/incidents?open=true")).toMatchObject([
      { status: "down", ended_at: null },
    ]);
  });
});

describe("the uptime service alone", () => {
  const ALONE = { ORCHESTRATOR_SERVER_SERVICES: "uptime" };

  test("checks monitors, and deletes events that have expired", async () => {
    await using server = await run(ALONE);
    const url = `http://127.0.0.1:${await deadPort()}`;
    const id = idOf(await server.call("POST", "/uptime/api/monitors", { name: "a", url }));
    await vi.waitFor(async () => {
      expect(await server.call("GET", `/uptime/api/monitors/${id}`)).toMatchObject({
        last_status: "down",
      });
    }, PATIENCE);
    await vi.waitFor(async () => {
      const metrics = await server.text("/metrics");
      for (const loop of ["history-retention", "event-retention"])
        expect(metrics).toContain(`loop_status{loop="${loop}",status="ok"} 1`);
    }, PATIENCE);
  });

  test("stops in good order while a target is silent, and can be started again at once", async () => {
    await using target = await silentTarget();
    await using server = await run(ALONE);
    const url = `http://127.0.0.1:${target.port}`;
    const pipeline = [{ type: "http", timeout_ms: 60_000, retries: 0 }];
    const body = { name: "silent", url, pipeline, interval: 1 };
    const id = idOf(await server.call("POST", "/uptime/api/monitors", body));
    await vi.waitFor(() => expect(target.calls()).toBe(1), PATIENCE);
    await server.restart();
    // What was cut short says nothing about the target.
    expect(await server.call("GET", `/uptime/api/monitors/${id}/results`)).toEqual([]);
    await vi.waitFor(() => expect(target.calls()).toBeGreaterThan(1), PATIENCE);
  });
});
