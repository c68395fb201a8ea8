import type { MonitorStats } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import type { MonitorsOverview } from "../../models.ts";
import { recordResult } from "../../results/record-result.service.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";

const MINUTE_MS = 60_000;

async function openMonitors(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:30:20Z");
  const api = await open({ clock });
  return {
    api,
    clock,
    async add(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const body = { name, url: `https://${name}.example.com`, ...more };
      return ((await api.post("/monitors", body)).body as { readonly id: string }).id;
    },
    /** A result a minute, for so many minutes. */
    async see(id: string, status: CheckStatus, minutes = 1): Promise<void> {
      for (let i = 0; i < minutes; i += 1) {
        await recordResult(api.ctx, {
          workspaceId: api.workspaceId,
          monitorId: id,
          outcome: anOutcome(status),
          checkedAt: clock.now(),
          trigger: "schedule",
        });
        clock.advanceMs(MINUTE_MS);
      }
    },
    async overview(query = ""): Promise<MonitorsOverview> {
      const answer = await api.get(`/monitors/overview${query}`);
      expect(answer.status).toBe(200);
      return answer.body as MonitorsOverview;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const namesOf = ({ monitors }: MonitorsOverview): string[] => monitors.map(({ name }) => name);

describeEachUptimeApi("the overview", (open) => {
  test("is empty where there are no monitors", async () => {
    await using m = await openMonitors(open);
    expect(await m.overview()).toEqual({
      counts: { down: 0, degraded: 0, unknown: 0, up: 0, paused: 0 },
      count: 0,
      monitors: [],
    });
  });

  test("tells of no status that it begins in the future, also when the clock was ahead", async () => {
    await using m = await openMonitors(open);
    const id = await m.add("shop");
    m.clock.advanceMs(1440 * MINUTE_MS);
    await m.see(id, "up");
    m.clock.advanceMs(-1440 * MINUTE_MS);
    await m.see(id, "down");
    const now = m.clock.now();
    expect((await m.overview()).monitors).toMatchObject([{ status_since: now }]);
  });

  test("has what is wrong first, then the rest by name, and counts every state", async () => {
    await using m = await openMonitors(open);
    for (const [name, status] of [
      ["b-up", "up"],
      ["a-up", "up"],
      ["slow", "degraded"],
      ["broken", "down"],
    ] as const)
      await m.see(await m.add(name), status);
    await m.add("new");
    await m.add("asleep", { enabled: false });
    const all = await m.overview();
    expect(namesOf(all)).toEqual(["broken", "slow", "new", "a-up", "b-up", "asleep"]);
    expect(all.counts).toEqual({ down: 1, degraded: 1, unknown: 1, up: 2, paused: 1 });
    expect(all.count).toBe(6);
    const some = await m.overview("?state=up&state=paused&limit=2&offset=1");
    expect(namesOf(some)).toEqual(["b-up", "asleep"]);
    expect([some.count, some.counts.down]).toEqual([3, 1]);
  });

  test("is narrowed by text, tags and ids", async () => {
    await using m = await openMonitors(open);
    const shop = await m.add("shop", { tags: ["web", "prod"] });
    await m.add("blog", { tags: ["web"] });
    expect(namesOf(await m.overview("?q=SHO"))).toEqual(["shop"]);
    expect(namesOf(await m.overview("?tag=web&tag=prod"))).toEqual(["shop"]);
    expect(namesOf(await m.overview(`?id=${shop}`))).toEqual(["shop"]);
  });

  test("has the last forty results of each monitor, with words where something was wrong", async () => {
    await using m = await openMonitors(open);
    const id = await m.add("shop");
    await m.see(id, "up", 45);
    await m.see(id, "down");
    const { monitors } = await m.overview();
    const results = monitors[0]?.results ?? [];
    expect(results).toHaveLength(40);
    expect(results[0]).toMatchObject({ status: "down", message: "http: down", elapsed_ms: 12.5 });
    expect(results[1]).toMatchObject({ status: "up", message: null, maintenance: false });
  });

  test("tells the uptime that the statistics of each monitor tell, and since when its status holds", async () => {
    await using m = await openMonitors(open);
    const shop = await m.add("shop");
    const blog = await m.add("blog");
    await m.see(blog, "up", 50);
    await m.see(shop, "up", 90);
    await m.see(shop, "down", 17);
    const since = m.clock.now();
    await m.see(shop, "up", 40);
    m.clock.advanceMs(23 * 3_600_000);
    await m.see(shop, "degraded", 3);
    await m.see(shop, "down", 4);
    for (const monitor of (await m.overview()).monitors) {
      const stats = (await m.api.get(`/monitors/${monitor.id}/stats`)).body as MonitorStats;
      expect(monitor.uptime).toEqual({ "24h": stats.uptime["24h"], "30d": stats.uptime["30d"] });
      expect(monitor.uptime["30d"]).not.toBeNull();
    }
    const [first] = (await m.overview(`?id=${shop}`)).monitors;
    expect(first?.uptime["30d"]).toBeLessThan(100);
    expect((first?.status_since ?? "") > since).toBe(true);
  });

  test("says which monitors are under maintenance", async () => {
    await using m = await openMonitors(open);
    const shop = await m.add("shop");
    await m.add("blog");
    const window = {
      name: "move",
      monitor_ids: [shop],
      starts_at: "2026-11-15T09:00:00Z",
      ends_at: "2026-11-15T11:00:00Z",
    };
    expect((await m.api.post("/maintenance", window)).status).toBe(201);
    const { monitors } = await m.overview();
    expect(monitors.map(({ name, in_maintenance }) => [name, in_maintenance])).toEqual([
      ["blog", false],
      ["shop", true],
    ]);
  });
});
