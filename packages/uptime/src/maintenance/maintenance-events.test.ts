import type { MaintenanceWindow } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { deletePastWindows, publishMaintenanceEvents } from "./maintenance.loop.ts";
import { MaintenanceCalendar } from "./maintenance-calendar.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { signal } = new AbortController();

async function openWindows(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  return {
    api,
    clock,
    async plan(more: Readonly<Record<string, unknown>> = {}) {
      const body = {
        name: "move",
        all_monitors: true,
        starts_at: "2026-11-15T10:00:00Z",
        ends_at: "2026-11-15T11:00:00Z",
        ...more,
      };
      return (await api.post("/maintenance", body)).body as MaintenanceWindow;
    },
    tick: () => publishMaintenanceEvents(api.ctx, signal),
    async told() {
      const events = await api.events();
      return events.filter(({ event }) => event.startsWith("orchestrator.maintenance."));
    },
    async verbs() {
      return (await this.told()).map(({ event }) => event.split(".").at(-1));
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("events of a maintenance", (open) => {
  test("tell once that it has started and that it has ended, with its monitors", async () => {
    await using w = await openWindows(open);
    const post = async (tags: string[]) =>
      (await w.api.post("/monitors", { name: "shop", url: "shop.example.com", tags })).body;
    const shop = (await post(["web"])) as { readonly id: string };
    await post(["db"]);
    const { id } = await w.plan({ all_monitors: false, tags: ["web"], description: "Racks" });
    await w.tick();
    expect(await w.told()).toEqual([]);
    w.clock.advanceMs(HOUR_MS);
    await w.tick();
    await w.tick();
    expect(await w.told()).toEqual([
      expect.objectContaining({
        event: "orchestrator.maintenance.started",
        resource: {
          "orchestrator.resource.id": `orchestrator.maintenance.${id}`,
          "orchestrator.resource.name": "move",
        },
        related: [
          {
            "orchestrator.resource.id": `orchestrator.monitor.${shop.id}`,
            "orchestrator.resource.role": "monitor",
            "orchestrator.resource.name": "shop",
          },
          {
            "orchestrator.resource.id": "orchestrator.tag.web",
            "orchestrator.resource.role": "tag",
          },
        ],
        payload: {
          name: "move",
          description: "Racks",
          all_monitors: false,
          monitors: 1,
          start: "2026-11-15T10:00:00.000000Z",
          end: "2026-11-15T11:00:00.000000Z",
        },
      }),
    ]);
    w.clock.advanceMs(HOUR_MS);
    await w.tick();
    await w.tick();
    expect(await w.verbs()).toEqual(["started", "ended"]);
    expect((await w.told())[1]?.payload).toMatchObject({ end: "2026-11-15T11:00:00.000000Z" });
  });

  test("come once when several replicas look at the same time", async () => {
    await using w = await openWindows(open);
    await w.plan();
    const replica = await w.api.openReplica?.();
    const db = replica ?? w.api.ctx.db;
    const other = { ...w.api.ctx, db, maintenance: new MaintenanceCalendar(db, w.api.ctx.log) };
    w.clock.advanceMs(HOUR_MS);
    await Promise.all([w.tick(), publishMaintenanceEvents(other, signal), w.tick()]);
    w.clock.advanceMs(HOUR_MS);
    await Promise.all([w.tick(), publishMaintenanceEvents(other, signal), w.tick()]);
    expect(await w.verbs()).toEqual(["started", "ended"]);
    await replica?.close();
  });

  test("tell of each time that it recurs", async () => {
    await using w = await openWindows(open);
    await w.plan({ starts_at: null, ends_at: null, schedule: "0 10 * * *", duration: 3600 });
    w.clock.advanceMs(HOUR_MS);
    await w.tick();
    // Nobody looked for a day: the end and the new beginning are told together.
    w.clock.advanceMs(DAY_MS);
    await w.tick();
    expect(
      (await w.told()).map(({ event, payload }) => [
        event.split(".").at(-1),
        payload["start"],
        payload["end"],
      ]),
    ).toEqual([
      ["started", "2026-11-15T10:00:00.000000Z", "2026-11-15T11:00:00.000000Z"],
      ["ended", "2026-11-15T10:00:00.000000Z", "2026-11-15T11:00:00.000000Z"],
      ["started", "2026-11-16T10:00:00.000000Z", "2026-11-16T11:00:00.000000Z"],
    ]);
  });

  test.each([
    ["finished", (w: MaintenanceWindow) => ["POST", `/maintenance/${w.id}/finish`, {}]],
    ["switched off", (w: MaintenanceWindow) => ["PUT", `/maintenance/${w.id}`, { enabled: false }]],
    ["deleted", (w: MaintenanceWindow) => ["DELETE", `/maintenance/${w.id}`, undefined]],
  ] as const)("tell that one has ended which is %s", async (_what, request) => {
    await using w = await openWindows(open);
    const window = await w.plan();
    w.clock.advanceMs(1.5 * HOUR_MS);
    await w.tick();
    const [method, path, body] = request(window) as [string, string, unknown];
    await w.api.request(method, path, body === undefined ? {} : { body });
    await w.tick();
    expect(await w.verbs()).toEqual(["started", "ended"]);
    expect((await w.told())[1]?.payload).toMatchObject({ end: "2026-11-15T10:30:00.000000Z" });
  });

  test("say nothing of a window that nobody was told has begun", async () => {
    await using w = await openWindows(open);
    const { id } = await w.plan();
    w.clock.advanceMs(3 * HOUR_MS);
    await w.tick();
    await w.api.delete(`/maintenance/${id}`);
    expect(await w.told()).toEqual([]);
  });

  test("go on where the window is made longer while it takes place", async () => {
    await using w = await openWindows(open);
    const { id } = await w.plan();
    w.clock.advanceMs(1.5 * HOUR_MS);
    await w.tick();
    await w.api.put(`/maintenance/${id}`, { ends_at: "2026-11-15T12:00:00Z" });
    w.clock.advanceMs(HOUR_MS);
    await w.tick();
    expect(await w.verbs()).toEqual(["started"]);
  });

  test("and windows that are long over go, those that recur stay", async () => {
    await using w = await openWindows(open);
    await w.plan();
    await w.plan({ starts_at: null, ends_at: null, schedule: "@daily", duration: 600 });
    w.clock.advanceMs(390 * DAY_MS);
    expect(await deletePastWindows(w.api.ctx)).toBe(0);
    w.clock.advanceMs(10 * DAY_MS);
    expect(await deletePastWindows(w.api.ctx)).toBe(1);
    expect((await w.api.get("/maintenance")).body).toMatchObject([{ schedule: "@daily" }]);
  });
});
