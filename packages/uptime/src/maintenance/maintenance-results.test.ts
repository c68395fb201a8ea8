import type { MonitorStats } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test, vi } from "vitest";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import { recordResult } from "../results/record-result.service.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { publishMaintenanceEvents } from "./maintenance.loop.ts";
import { lockWindow, updateWindow } from "./maintenance.store.ts";
import { MaintenanceCalendar } from "./maintenance-calendar.ts";

const MINUTE_MS = 60_000;

type Status = PipelineOutcome["status"];
type Body = Readonly<Record<string, unknown>>;

/** A monitor that is looked at every minute from 09:00 on, and a window from 09:10 to 09:20. */
async function openMonitor(open: OpenUptimeApi, more: Body = {}, window: Body = {}) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const body = { name: "shop", url: "shop.example.com", tags: ["web"], interval: 60, ...more };
  const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
  const planned = {
    name: "move",
    tags: ["web"],
    starts_at: "2026-11-15T09:10:00Z",
    ends_at: "2026-11-15T09:20:00Z",
    ...window,
  };
  expect((await api.post("/maintenance", planned)).status).toBe(201);
  return {
    api,
    clock,
    /** A result a minute, up to the given minute. */
    async see(status: Status, untilMinute: number, outcome: Partial<PipelineOutcome> = {}) {
      const until = Date.parse("2026-11-15T09:00:00Z") + untilMinute * MINUTE_MS;
      while (Date.parse(clock.now()) < until) {
        await recordResult(api.ctx, {
          workspaceId: api.workspaceId,
          monitorId: id,
          outcome: anOutcome(status, outcome),
          checkedAt: clock.now(),
          trigger: "schedule",
        });
        clock.advanceMs(MINUTE_MS);
      }
    },
    async told() {
      const events = await api.events();
      return events.flatMap(({ event }) => /\.monitor\.(Up|Down|Degraded)$/.exec(event)?.[1] ?? []);
    },
    async incidents() {
      return (await api.get(`/monitors/${id}/incidents`)).body as Body[];
    },
    async results() {
      const { body } = await api.get(`/monitors/${id}/results?order=asc`);
      return body as { readonly checked_at: string; readonly maintenance: boolean }[];
    },
    async stats() {
      return (await api.get(`/monitors/${id}/stats`)).body as MonitorStats;
    },
    pause: () => api.patch(`/monitors/${id}`, { enabled: false }),
    monitor: async () => (await api.get(`/monitors/${id}`)).body,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("a maintenance", (open) => {
  test("has its results kept and marked, told to nobody and outside of uptime", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 11);
    await m.see("down", 19);
    await m.see("up", 30);
    const marked = (await m.results()).filter(({ maintenance }) => maintenance);
    expect(marked.map(({ checked_at }) => checked_at.slice(11, 16))).toEqual(
      Array.from({ length: 10 }, (_, i) => `09:${10 + i}`),
    );
    expect(await m.told()).toEqual([]);
    expect(await m.incidents()).toEqual([]);
    expect(await m.stats()).toMatchObject({
      uptime_percent: 100,
      // Ten minutes before it, and ten after it.
      up_seconds: 1200,
      down_seconds: 0,
      checks: 30,
      up: 20,
      down: 0,
      maintenance: 10,
    });
  });

  test("shows the status as it is seen", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 10);
    await m.see("down", 12);
    expect(await m.monitor()).toMatchObject({ last_status: "down" });
  });

  test("that leaves a monitor down has the incident and the event begin with the first result after it", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 15);
    await m.see("down", 20);
    expect(await m.incidents()).toEqual([]);
    await m.see("down", 21);
    expect(await m.told()).toEqual(["Down"]);
    expect(await m.incidents()).toMatchObject([
      { started_at: "2026-11-15T09:20:00.000000Z", ended_at: null },
    ]);
    await m.see("up", 31);
    expect(await m.told()).toEqual(["Down", "Up"]);
    expect(await m.incidents()).toMatchObject([{ duration_seconds: 60 }]);
    expect(await m.stats()).toMatchObject({ up_seconds: 1200, down_seconds: 60 });
  });

  test("counts what confirms a failure, which still begins after it", async () => {
    await using m = await openMonitor(open, { confirm_down: 3 });
    await m.see("up", 18);
    await m.see("down", 20);
    await m.see("down", 21);
    expect(await m.incidents()).toMatchObject([{ started_at: "2026-11-15T09:20:00.000000Z" }]);
    expect(await m.told()).toEqual(["Down"]);
  });

  test("leaves an open incident open; one that ended within it ended then and is told after it", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 5);
    await m.see("down", 15);
    await m.see("up", 20);
    expect(await m.told()).toEqual(["Down"]);
    expect(await m.incidents()).toMatchObject([{ ended_at: null }]);
    await m.see("up", 21);
    expect(await m.told()).toEqual(["Down", "Up"]);
    expect(await m.incidents()).toMatchObject([
      { started_at: "2026-11-15T09:05:00.000000Z", ended_at: "2026-11-15T09:15:00.000000Z" },
    ]);
    expect(await m.stats()).toMatchObject({ down_seconds: 300 });
  });

  test("leaves an incident as it is where the target is down all along", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 5);
    await m.see("down", 25);
    expect(await m.told()).toEqual(["Down"]);
    expect(await m.incidents()).toMatchObject([{ ended_at: null }]);
    expect(await m.incidents()).toHaveLength(1);
  });

  test("that no result falls into is outside of uptime too, until the next one", async () => {
    await using m = await openMonitor(open, { interval: 3600 });
    await m.see("up", 1);
    m.clock.advanceMs(29 * MINUTE_MS);
    expect(await m.stats()).toMatchObject({ up_seconds: 600 });
    await m.see("up", 31);
    m.clock.advanceMs(9 * MINUTE_MS);
    expect(await m.stats()).toMatchObject({ up_seconds: 1200, maintenance: 0 });
  });

  test("ends what is known also where the monitor is paused before its next result", async () => {
    await using m = await openMonitor(open, { interval: 3600 });
    await m.see("up", 1);
    m.clock.advanceMs(29 * MINUTE_MS);
    await m.pause();
    expect(await m.stats()).toMatchObject({ up_seconds: 600 });
  });

  test("has the runs that reach into it", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 9);
    await m.see("down", 10, { elapsed_ms: 61_000 });
    expect(await m.told()).toEqual([]);
    expect((await m.results()).at(-1)).toMatchObject({ maintenance: true });
  });

  test("takes effect when it is planned, and not for monitors that it is not for", async () => {
    await using m = await openMonitor(open, {}, { tags: ["db"] });
    await m.see("up", 12);
    const window = { starts_at: "2026-11-15T09:00:00Z", ends_at: "2026-11-15T10:00:00Z" };
    const { body } = await m.api.post("/maintenance", { name: "x", all_monitors: true, ...window });
    await m.see("down", 15);
    expect(await m.told()).toEqual([]);
    await m.api.post(`/maintenance/${(body as { id: string }).id}/finish`);
    await m.see("down", 16);
    expect(await m.told()).toEqual(["Down"]);
    expect((await m.results()).map(({ maintenance }) => maintenance)).toEqual(
      Array.from({ length: 16 }, (_, i) => i >= 12 && i < 15),
    );
  });

  test("keeps warnings of certificates for after it", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 10);
    await m.see("up", 20, { certificate_ends: "2026-11-20T00:00:00.000000Z" });
    const warnings = async () =>
      (await m.api.events()).filter(({ event }) => event.endsWith("certificate-expiring")).length;
    expect(await warnings()).toBe(0);
    await m.see("up", 21, { certificate_ends: "2026-11-20T00:00:00.000000Z" });
    expect(await warnings()).toBe(1);
  });
});

describeEachUptimeApi("a maintenance in a time zone that this machine does not know", (open) => {
  test("keeps no result from being recorded, and no other maintenance from being told", async () => {
    await using m = await openMonitor(open);
    const { ctx, workspaceId } = m.api;
    const nightly = { name: "a", all_monitors: true, schedule: "0 9 * * *", duration: 3600 };
    const { id } = (await m.api.post("/maintenance", nightly)).body as { readonly id: string };
    await ctx.db.write(workspaceId, async (tx) => {
      const row = await lockWindow(tx, id);
      if (row !== null) await updateWindow(tx, { ...row, timezone: "Mars/Olympus_Mons" });
    });
    ctx.maintenance.forget();
    await m.see("up", 11);
    expect((await m.results()).map(({ maintenance }) => maintenance)).toEqual([
      ...Array<boolean>(10).fill(false),
      true,
    ]);
    expect(await publishMaintenanceEvents(ctx, new AbortController().signal)).toBe(1);
    expect(await m.api.get("/maintenance")).toMatchObject({
      status: 200,
      body: expect.arrayContaining([expect.objectContaining({ id, active: false, next: null })]),
    });
  });
});

describeEachUptimeApi("another replica", (open) => {
  test("hears of a maintenance that was planned elsewhere", async () => {
    await using m = await openMonitor(open, {}, { tags: ["db"] });
    const db = (await m.api.openReplica?.()) ?? m.api.ctx.db;
    const calendar = new MaintenanceCalendar(db, m.api.ctx.log);
    const known = async () => (await calendar.windowsIn(m.api.workspaceId)).known.length;
    expect(await known()).toBe(1);
    await m.api.post("/maintenance", {
      name: "x",
      all_monitors: true,
      schedule: "@daily",
      duration: 60,
    });
    await vi.waitFor(async () => expect(await known()).toBe(2), { timeout: 15_000 });
  });
});
