// What acts where nobody asks is held to the quotas of its workspace as requests are.
import { expect, test, vi } from "vitest";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { type Home, requestIn } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { anotherWorkspace } from "./testing/tenants.ts";

const PATIENCE = { timeout: 30_000, interval: 200 };
type Ask = ReturnType<typeof requestIn>;
type Body = Readonly<Record<string, unknown>>;

async function make(ask: Ask, path: string, body: object): Promise<Body & { readonly id: string }> {
  const made = await ask("POST", path, body);
  expect(made, path).toMatchObject({ status: 201 });
  return made.body as Body & { readonly id: string };
}

async function aDeployment(ask: Ask, schedules: readonly object[] = [], more: object = {}) {
  const { id: flow_id } = await make(ask, "/api/flows/", { name: "f" });
  return make(ask, "/api/deployments/", { name: "d", flow_id, schedules, ...more });
}

async function limit(server: ServerAccount, home: Home, body: object): Promise<void> {
  const path = `/api/accounts/${home.accountId}/workspaces/${home.workspaceId}/quotas`;
  expect((await server.call("PUT", path, { key: home.key, body })).status).toBe(204);
}

const runsIn = async (ask: Ask): Promise<number> =>
  (await ask("POST", "/api/flow_runs/count", {})).body as number;

async function eventsNamed(ask: Ask, name: string): Promise<Body[]> {
  const { body } = await ask("POST", "/api/events/filter", {
    filter: { event: { name: [name] } },
  });
  return (body as { readonly events: Body[] }).events;
}

const WORDS = /^The workspace has used its quota of \d runs a day \(\d used\)/;

describeEachServer("a quota that is used up", (shared) => {
  test("holds schedules back, which is told once, and leaves other workspaces alone", async () => {
    const server = await shared.account();
    const held = await anotherWorkspace(server, "held");
    const free = await anotherWorkspace(server, "free");
    const [ask, askFree] = [requestIn(server, held), requestIn(server, free)];
    await limit(server, held, { runs_per_day: 3 });
    for (const at of [ask, askFree]) await aDeployment(at, [{ schedule: { cron: "* * * * *" } }]);
    await vi.waitFor(async () => {
      expect(await runsIn(askFree)).toBeGreaterThan(50);
      expect(await eventsNamed(ask, "orchestrator.workspace.quota-used-up")).toMatchObject([
        {
          payload: {
            service: "scheduler",
            quota: "runs_per_day",
            limit: 3,
            used: 3,
            message: expect.stringMatching(WORDS),
          },
          related: [{ "orchestrator.resource.id": "orchestrator.service.scheduler" }],
        },
      ]);
    }, PATIENCE);
    expect(await runsIn(ask)).toBe(3);
    expect(await eventsNamed(askFree, "orchestrator.workspace.quota-used-up")).toEqual([]);
  });

  test("makes the action of an automation fail with its words", async () => {
    const server = await shared.account();
    const held = await anotherWorkspace(server, "held");
    const ask = requestIn(server, held);
    const { id: deployment_id } = await aDeployment(ask);
    await make(ask, "/api/automations/", {
      name: "go",
      trigger: { type: "event", expect: ["go"], posture: "Reactive", threshold: 1, within: 0 },
      actions: [{ type: "run-deployment", source: "selected", deployment_id }],
    });
    await limit(server, held, { runs_per_day: 1 });
    await make(ask, `/api/deployments/${deployment_id}/create_flow_run`, {});
    const event = { event: "go", resource: { "prefect.resource.id": "x" } };
    const sent = { ...event, occurred: new Date().toISOString(), id: crypto.randomUUID() };
    expect((await ask("POST", "/api/events", [sent])).status).toBe(204);
    await vi.waitFor(async () => {
      expect(await eventsNamed(ask, "orchestrator.automation.action.failed")).toMatchObject([
        { payload: { action_type: "run-deployment", reason: expect.stringMatching(WORDS) } },
      ]);
    }, PATIENCE);
    expect(await runsIn(ask)).toBe(1);
  });

  test("makes a backfill wait", async () => {
    const server = await shared.account();
    const held = await anotherWorkspace(server, "held");
    const ask = requestIn(server, held);
    await limit(server, held, { runs_per_day: 2 });
    const schedule = { schedule: { cron: "0 * * * *" }, active: false };
    const { id, schedules } = await aDeployment(ask, [schedule]);
    const [{ id: schedule_id } = { id: "" }] = schedules as { readonly id: string }[];
    const backfill = await make(ask, `/api/deployments/${id}/backfill`, {
      start: "2026-11-01T00:00:00Z",
      end: "2026-11-01T04:59:00Z",
      schedule_id,
    });
    await vi.waitFor(async () => {
      expect(await eventsNamed(ask, "orchestrator.workspace.quota-used-up")).toMatchObject([
        { payload: { service: "backfills" } },
      ]);
    }, PATIENCE);
    expect((await ask("GET", `/api/backfills/${backfill.id}`)).body).toMatchObject({
      status: "RUNNING",
      total: 5,
      created_runs: 2,
    });
    expect(await runsIn(ask)).toBe(2);
  });

  test("stops a request that makes the runs of many schedules between two of them", async () => {
    const server = await shared.account();
    const held = await anotherWorkspace(server, "held");
    const ask = requestIn(server, held);
    await limit(server, held, { runs_per_day: 2 });
    const schedules = ["0 * * * *", "30 * * * *"].map((cron) => ({ schedule: { cron } }));
    const { id } = await aDeployment(ask, schedules, { paused: true });
    const refused = await ask("POST", `/api/deployments/${id}/schedule`, {
      start_time: "2026-11-01T00:00:00Z",
      end_time: "2026-11-01T02:59:00Z",
    });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringMatching(WORDS) } });
    expect(await runsIn(ask)).toBe(3);
  });

  test("refuses what comes in by webhooks", async () => {
    const server = await shared.account();
    const held = await anotherWorkspace(server, "held");
    const ask = requestIn(server, held);
    const template = '{"event":"x","resource":{"prefect.resource.id":"x"}}';
    const { token } = await make(ask, "/api/webhooks/", { name: "w", template });
    expect((await server.call("POST", `/api/webhooks/${String(token)}`)).status).toBe(200);
    await limit(server, held, { events_per_day: 1 });
    const refused = await server.call("POST", `/api/webhooks/${String(token)}`);
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("events a day") },
    });
  });
});
