import type { MonitorStats } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { PipelineOutcome } from "../../checks/run-pipeline.ts";
import { recordResult } from "../../results/record-result.service.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function openMonitor(open: OpenUptimeApi, more: Readonly<Record<string, unknown>> = {}) {
  const clock = manualClock("2026-11-15T09:30:00Z");
  const api = await open({ clock });
  const body = { name: "shop", url: "shop.example.com", interval: 60, ...more };
  const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
  return {
    api,
    id,
    clock,
    /** A result a minute, for so many minutes. */
    async see(
      status: PipelineOutcome["status"],
      minutes = 1,
      outcome: Partial<PipelineOutcome> = {},
    ) {
      for (let i = 0; i < minutes; i += 1) {
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
    async stats(query = "") {
      const answer = await api.get(`/monitors/${id}/stats${query}`);
      expect(answer.status).toBe(200);
      return answer.body as MonitorStats;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("statistics", (open) => {
  test("count the time in which a target that refused the credentials is left alone", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 5);
    for (let i = 0; i < 3; i += 1) {
      await m.see("down", 1, { authFailed: true });
      // The next one is the first that is due after five intervals.
      m.clock.advanceMs(5 * MINUTE_MS);
    }
    await m.see("up", 7);
    expect(await m.stats()).toMatchObject({
      uptime_percent: 40,
      up_seconds: 720,
      down_seconds: 1080,
    });
  });

  test("tell uptime by time, in which degraded counts as up", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 30);
    await m.see("degraded", 20);
    await m.see("down", 50);
    expect(await m.stats()).toMatchObject({
      monitor_id: m.id,
      from: "2026-11-14T11:10:00.000000Z",
      until: "2026-11-15T11:10:00.000000Z",
      uptime_percent: 50,
      up_seconds: 1800,
      degraded_seconds: 1200,
      down_seconds: 3000,
      checks: 100,
      up: 30,
      degraded: 20,
      down: 50,
      incidents: 1,
      uptime: { "24h": 50, "7d": 50, "30d": 50, "90d": 50 },
      downtime_seconds: { "24h": 3000, "7d": 3000, "30d": 3000, "90d": 3000 },
      step: "hour",
    });
  });

  test("say nothing before the first result", async () => {
    await using m = await openMonitor(open);
    const stats = await m.stats();
    expect(stats).toMatchObject({
      uptime_percent: null,
      checks: 0,
      uptime: { "24h": null, "7d": null, "30d": null, "90d": null },
      elapsed_ms: { average: null, p50: null, p95: null, p99: null, max: null },
    });
    expect(stats.series.every(({ checks }) => checks === 0)).toBe(true);
  });

  test("leave out the time in which the monitor was paused", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 10);
    await m.see("down", 10);
    await m.api.patch(`/monitors/${m.id}`, { enabled: false });
    m.clock.advanceMs(5 * HOUR_MS);
    await m.api.patch(`/monitors/${m.id}`, { enabled: true });
    m.clock.advanceMs(MINUTE_MS);
    await m.see("up", 20);
    expect(await m.stats()).toMatchObject({
      uptime_percent: 75,
      up_seconds: 1800,
      down_seconds: 600,
    });
  });

  test("leave out the time in which this server did not run", async () => {
    await using m = await openMonitor(open);
    await m.see("down", 5);
    m.clock.advanceMs(10 * HOUR_MS);
    await m.see("up", 5);
    const { down_seconds } = await m.stats();
    // The last result is taken to hold until the next one was overdue.
    expect(down_seconds).toBeGreaterThanOrEqual(300);
    expect(down_seconds).toBeLessThanOrEqual(420);
  });

  test("are about any range", async () => {
    await using m = await openMonitor(open);
    await m.see("up", 60);
    await m.see("down", 60);
    const range = "?since=2026-11-15T10:20:00Z&until=2026-11-15T10:40:00Z";
    expect(await m.stats(range)).toMatchObject({
      uptime_percent: 50,
      up_seconds: 600,
      down_seconds: 600,
      up: 10,
      down: 10,
      step: "minute",
    });
    expect(await m.stats("?until=2026-11-15T10:30:00Z")).toMatchObject({ uptime_percent: 100 });
  });

  test("never round up to 100", async () => {
    await using m = await openMonitor(open, { interval: 2_678_400 });
    await m.see("down");
    await m.see("up");
    m.clock.advanceMs(60 * 24 * HOUR_MS);
    const { uptime_percent } = await m.stats("?since=2026-11-15T09:00:00Z");
    expect(uptime_percent).toBeGreaterThan(99.99);
    expect(uptime_percent).toBeLessThan(100);
  });

  test("tell percentiles of the latencies of what answered", async () => {
    await using m = await openMonitor(open);
    for (let ms = 1; ms <= 100; ms += 1) await m.see("up", 1, { elapsed_ms: ms });
    await m.see("down", 1, { elapsed_ms: 30_000 });
    const { elapsed_ms } = await m.stats();
    expect(elapsed_ms).toMatchObject({ average: 50.5, max: 100 });
    const near = (value: number | null, exact: number) =>
      expect(Math.abs((value ?? 0) - exact) / exact).toBeLessThan(0.05);
    near(elapsed_ms.p50, 50);
    near(elapsed_ms.p95, 95);
    near(elapsed_ms.p99, 99);
  });

  test.each(["minute", "hour", "day"] as const)(
    "have a series by %s whose points add up",
    async (step) => {
      await using m = await openMonitor(open);
      await m.see("up", 45);
      await m.see("down", 15);
      await m.see("up", 30);
      const stats = await m.stats(`?since=2026-11-15T09:00:00Z&step=${step}`);
      const sum = (key: "up_seconds" | "down_seconds" | "up" | "down") =>
        stats.series.reduce((total, point) => total + point[key], 0);
      expect(stats.step).toBe(step);
      expect(sum("up_seconds")).toBe(75 * 60);
      expect(sum("down_seconds")).toBe(15 * 60);
      expect([sum("up"), sum("down")]).toEqual([75, 15]);
      expect(stats.series.map(({ from }) => from)).toEqual(
        stats.series.map(({ from }) => from).toSorted(),
      );
    },
  );

  test.each(["since=2026-11-16T00:00:00Z", "since=2020-01-01T00:00:00Z&step=minute", "step=week"])(
    "refuse %s",
    async (query) => {
      await using m = await openMonitor(open);
      expect((await m.api.get(`/monitors/${m.id}/stats?${query}`)).status).toBe(422);
    },
  );

  test("of an unknown monitor are not found", async () => {
    await using api = await open();
    expect((await api.get(`/monitors/${UNKNOWN_ID}/stats`)).status).toBe(404);
  });
});
