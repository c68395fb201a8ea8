// What the server tells of itself counts against the quota of events, and automations are held to
// it.
import { expect, test, vi } from "vitest";
import { accountsServer, describeEachEngine } from "./testing/guarded-server.ts";
import { requestIn } from "./testing/planted-workspace.ts";
import { anotherWorkspace } from "./testing/tenants.ts";

const PATIENCE = { timeout: 60_000, interval: 200 };
const QUOTA = 2000;
const MANY = 60;
/**
 * Each automation tells that it was made and that it was switched on, and there are a few others.
 */
const TOLD_ANYWAY = 2 * MANY + 10;

const ANY_EVENT = {
  trigger: { type: "event", posture: "Reactive", threshold: 1, within: 0 },
  actions: [{ type: "do-nothing" }],
};

interface Trace {
  readonly throttle?: { readonly reason: string; readonly matches: number };
}

describeEachEngine("automations that fire at anything, in a workspace with a quota", (engine) => {
  test("stop acting when its events of the day are used up, and changes are recorded as before", async () => {
    await using server = await accountsServer(engine);
    const home = await anotherWorkspace(server, "held");
    const ask = requestIn(server, home);
    const quotas = `/api/accounts/${home.accountId}/workspaces/${home.workspaceId}/quotas`;
    const body = { events_per_day: QUOTA };
    expect(await server.call("PUT", quotas, { key: home.key, body })).toMatchObject({
      status: 204,
    });
    const count = async (name?: string): Promise<number> => {
      const filter = name === undefined ? {} : { event: { name: [name] } };
      const { body: told } = await ask("POST", "/api/events/filter", { filter, limit: 0 });
      return (told as { readonly total: number }).total;
    };
    const used = async (): Promise<number> => {
      const { body: known } = await server.call("GET", quotas, { key: home.key });
      return (known as { readonly usage: { readonly events_per_day: number } }).usage
        .events_per_day;
    };
    const create = async (n: number): Promise<string> => {
      const given = { name: `a${n}`, enabled: false, ...ANY_EVENT };
      const made = await ask("POST", "/api/automations/", given);
      expect(made).toMatchObject({ status: 201 });
      return (made.body as { readonly id: string }).id;
    };
    const enable = async (id: string): Promise<void> =>
      expect(await ask("PATCH", `/api/automations/${id}`, { enabled: true })).toMatchObject({
        status: 204,
      });
    const ids = await Promise.all(Array.from({ length: MANY }, (_, n) => create(n)));
    for (const id of ids) await enable(id);
    const trace = async (): Promise<Trace> =>
      (await ask("GET", `/api/automations/${ids[0]}/trace`)).body as Trace;
    /** What is unread when the quota is raised would fire after all. */
    const expectLogRead = async (): Promise<void> => {
      const { body: metrics } = await server.call("GET", "/metrics", { key: server.operatorKey });
      expect(metrics).toContain('event_log_lag{consumer="automation-triggers"} 0\n');
    };
    await vi.waitFor(async () => {
      expect(await trace()).toMatchObject({
        throttle: {
          reason: "events_per_day",
          is_active: true,
          message: expect.stringContaining(`its quota of ${QUOTA} events a day`),
        },
      });
      await expectLogRead();
      // Each firing has one action, and that is done.
      expect(await count("orchestrator.automation.action.executed")).toBe(
        await count("orchestrator.automation.triggered"),
      );
    }, PATIENCE);

    const fired = await count("orchestrator.automation.triggered");
    const { matches = 0 } = (await trace()).throttle ?? {};
    const variable = { name: "v", value: 1 };
    expect((await ask("POST", "/api/variables/", variable)).status).toBe(201);
    await vi.waitFor(async () => {
      expect((await trace()).throttle?.matches).toBeGreaterThan(matches);
    }, PATIENCE);
    await vi.waitFor(expectLogRead, PATIENCE);
    expect(await count("orchestrator.variable.created")).toBe(1);
    expect(await count("orchestrator.automation.triggered")).toBe(fired);

    const told = await ask("POST", "/api/events/filter", {
      filter: { event: { name: ["orchestrator.workspace.quota-used-up"] } },
    });
    expect((told.body as { readonly events: unknown }).events).toMatchObject([
      { payload: { service: "automations", quota: "events_per_day", limit: QUOTA } },
    ]);
    const all = await count();
    expect(all).toBeGreaterThanOrEqual(QUOTA - 2);
    expect(all).toBeLessThan(QUOTA + TOLD_ANYWAY);
    // An event that several passes tell of is counted by each.
    expect(await used()).toBeGreaterThanOrEqual(all);
    expect(await used()).toBeLessThan(all + MANY);

    const more = { events_per_day: all + 1000 };
    expect(await server.call("PUT", quotas, { key: home.key, body: more })).toMatchObject({
      status: 204,
    });
    expect((await ask("POST", "/api/variables/", { name: "w", value: 1 })).status).toBe(201);
    await vi.waitFor(async () => {
      expect(await count("orchestrator.automation.triggered")).toBe(fired + MANY);
      expect(await trace()).toMatchObject({ throttle: { is_active: false } });
    }, PATIENCE);
  });
});
