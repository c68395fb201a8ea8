// Automations of one service that act on the monitors of the other, by real requests.
import { randomUUID } from "node:crypto";
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { describe, expect, test, vi } from "vitest";
import {
  deadPort,
  type RunningTestServer,
  recordId,
  startTestServer,
  WAIT_OPTIONS,
} from "./testing/running-server.ts";

type Json = Readonly<Record<string, unknown>>;

interface Place extends AsyncDisposable {
  /** Serves automations. */
  readonly api: RunningTestServer;
  /** Serves and checks monitors. */
  readonly uptime: RunningTestServer;
}

async function oneProcess(): Promise<Place> {
  const server = await startTestServer({});
  return {
    api: server,
    uptime: server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function twoProcesses(): Promise<Place> {
  const { url, drop } = await createTestPostgres();
  const ORCHESTRATOR_DATABASE_URL = url;
  const start = (services: string) =>
    startTestServer({ ORCHESTRATOR_DATABASE_URL, ORCHESTRATOR_SERVER_SERVICES: services });
  const api = await start("orchestrator");
  const uptime = await start("uptime");
  return {
    api,
    uptime,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await uptime[Symbol.asyncDispose]();
      await drop();
    },
  };
}

const addMonitor = async ({ uptime }: Place, more: Json = {}): Promise<string> => {
  const url = `http://127.0.0.1:${await deadPort()}`;
  const pipeline = [{ type: "http", retries: 0 }];
  const body = { name: "shop", url, pipeline, interval: 3600, ...more };
  return recordId(await uptime.call("POST", "/uptime/api/monitors", body));
};

const automate = ({ api }: Pick<Place, "api">, expected: string, action: Json) =>
  api.call("POST", "/api/automations/", {
    name: `on ${expected}`,
    trigger: { type: "event", posture: "Reactive", expect: [expected], threshold: 1, within: 0 },
    actions: [action],
  });

const tell = ({ api }: Pick<Place, "api">, event: string, monitorId: string) =>
  api.call("POST", "/api/events", [
    {
      id: randomUUID(),
      occurred: new Date().toISOString(),
      event,
      resource: { "prefect.resource.id": "order.1" },
      related: [
        {
          "prefect.resource.id": `orchestrator.monitor.${monitorId}`,
          "prefect.resource.role": "shop",
        },
      ],
    },
  ]);

/** What the event that ends an action tells, once there is one. */
const ended = ({ api }: Pick<Place, "api">, outcome: string): Promise<readonly Json[]> =>
  vi.waitFor(async () => {
    const filter = { event: { name: [`orchestrator.automation.action.${outcome}`] } };
    const { events } = (await api.call("POST", "/api/events/filter", { filter })) as {
      readonly events: readonly Json[];
    };
    expect(events.length).toBeGreaterThan(0);
    return events;
  }, WAIT_OPTIONS);

const resultsOf = ({ uptime }: Place, id: string) =>
  uptime.call("GET", `/uptime/api/monitors/${id}/results`);

describe.each([
  { title: "one process for both services", start: oneProcess },
  { title: "a process for each service", start: twoProcesses },
])("with $title", ({ start }) => {
  test("run-check checks the monitor that the event names, once, also while it is paused", async () => {
    await using place = await start();
    const id = await addMonitor(place, { enabled: false });
    await automate(place, "order.failed", { type: "run-check", source: "inferred" });
    await tell(place, "order.failed", id);
    const results = await vi.waitFor(async () => {
      const found = await resultsOf(place, id);
      expect(found).not.toEqual([]);
      return found;
    }, WAIT_OPTIONS);
    expect(results).toMatchObject([{ status: "down" }]);
    expect(await ended(place, "executed")).toMatchObject([
      {
        related: expect.arrayContaining([
          expect.objectContaining({ "orchestrator.resource.id": `orchestrator.monitor.${id}` }),
        ]),
        payload: { action_type: "run-check" },
      },
    ]);
  });

  test("a monitor that is down is paused, and resumed when another event comes", async () => {
    await using place = await start();
    await automate(place, "orchestrator.monitor.Down", {
      type: "pause-monitor",
      source: "inferred",
    });
    const id = await addMonitor(place, { interval: 1 });
    const enabled = async (wanted: boolean) =>
      vi.waitFor(async () => {
        const monitor = await place.uptime.call("GET", `/uptime/api/monitors/${id}`);
        expect(monitor).toMatchObject({ enabled: wanted });
      }, WAIT_OPTIONS);
    await enabled(false);
    const before = (await resultsOf(place, id)) as readonly unknown[];
    await automate(place, "order.paid", { type: "resume-monitor", monitor_id: id });
    await tell(place, "order.paid", id);
    await enabled(true);
    // It is checked again.
    await vi.waitFor(async () => {
      const after = (await resultsOf(place, id)) as readonly unknown[];
      expect(after.length).toBeGreaterThan(before.length);
    }, WAIT_OPTIONS);
  });
});

test("an action and a trigger may name a monitor by its name", async () => {
  await using place = await oneProcess();
  const id = await addMonitor(place, { enabled: false });
  const match = { "orchestrator.resource.id": "@monitor:shop" };
  const trigger = { type: "event", posture: "Reactive", expect: ["x"], match };
  const actions = [{ type: "run-check", monitor: "shop" }];
  const made = await place.api.call("POST", "/api/automations/", {
    name: "by name",
    trigger,
    actions,
  });
  expect(made).toMatchObject({
    trigger: { match: { "orchestrator.resource.id": `orchestrator.monitor.${id}` } },
    actions: [{ monitor_id: id }],
  });
});

test("an action on a monitor that is gone says so", async () => {
  await using place = await oneProcess();
  await automate(place, "order.failed", { type: "pause-monitor", source: "inferred" });
  await tell(place, "order.failed", randomUUID());
  const [failed] = await ended(place, "failed");
  expect(failed?.["payload"]).toMatchObject({ reason: "Monitor not found" });
});

test.each(["run-check", "pause-monitor"])(
  "%s says that there are no monitors where the uptime service never ran",
  async (type) => {
    await using api = await startTestServer({ ORCHESTRATOR_SERVER_SERVICES: "orchestrator" });
    await automate({ api }, "order.failed", { type, monitor_id: randomUUID() });
    await tell({ api }, "order.failed", randomUUID());
    const [failed] = await ended({ api }, "failed");
    expect(failed?.["payload"]).toMatchObject({
      action_type: type,
      reason: "There are no monitors: the uptime service was never started on this database",
    });
  },
);

test("an action on a monitor has to say which one, or that the event does", async () => {
  await using api = await startTestServer({});
  const action = { type: "run-check" };
  await expect(automate({ api }, "order.failed", action)).rejects.toThrow(
    /422.*monitor_id is required/,
  );
});
