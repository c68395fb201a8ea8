// The services in one process, by real requests: what one of them writes into the log, the other
// acts on.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { deadPort, recordId, startTestServer, WAIT_OPTIONS } from "./testing/running-server.ts";

type Json = Readonly<Record<string, unknown>>;

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

describe.each([
  { dialect: "orchestrator", event: "orchestrator.monitor.Down" },
  { dialect: "prefect", event: "orchestrator.monitor.Down" },
  { dialect: "prefect", event: "prefect.monitor.Down" },
])("an automation in dialect $dialect that waits for $event", ({ dialect, event }) => {
  test("runs a deployment when a monitor finds its target down", async () => {
    await using server = await startTestServer({ ORCHESTRATOR_SERVER_DIALECT: dialect });
    const { call } = server;
    const flow_id = recordId(await call("POST", "/api/flows/", { name: "restart-shop" }));
    const deployment = { name: "by-hand", flow_id, enforce_parameter_schema: false };
    const deployment_id = recordId(await call("POST", "/api/deployments/", deployment));
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
    }, WAIT_OPTIONS);
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
    await using server = await startTestServer(ALONE);
    const url = `http://127.0.0.1:${await deadPort()}`;
    const id = recordId(await server.call("POST", "/uptime/api/monitors", { name: "a", url }));
    await vi.waitFor(async () => {
      expect(await server.call("GET", `/uptime/api/monitors/${id}`)).toMatchObject({
        last_status: "down",
      });
    }, WAIT_OPTIONS);
    await vi.waitFor(async () => {
      const metrics = await server.text("/metrics");
      for (const loop of ["history-retention", "event-retention"])
        expect(metrics).toContain(`loop_status{loop="${loop}",status="ok"} 1`);
    }, WAIT_OPTIONS);
  });

  test("stops in good order while a target is silent, and can be started again at once", async () => {
    await using target = await silentTarget();
    await using server = await startTestServer(ALONE);
    const url = `http://127.0.0.1:${target.port}`;
    const pipeline = [{ type: "http", timeout_ms: 60_000, retries: 0 }];
    const body = { name: "silent", url, pipeline, interval: 1 };
    const id = recordId(await server.call("POST", "/uptime/api/monitors", body));
    await vi.waitFor(() => expect(target.calls()).toBe(1), WAIT_OPTIONS);
    await server.restart();
    // What was cut short says nothing about the target.
    expect(await server.call("GET", `/uptime/api/monitors/${id}/results`)).toEqual([]);
    await vi.waitFor(() => expect(target.calls()).toBeGreaterThan(1), WAIT_OPTIONS);
  });
});
