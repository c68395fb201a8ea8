import type { MonitorStats, SlaReport } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { ServiceContext } from "../../create-context.ts";
import type { MonitorsOverview } from "../../models.ts";
import { readOverview } from "../../statistics/overview/overview.service.ts";
import { readSlaReport } from "../../statistics/reports/reports.service.ts";
import { readStats } from "../../statistics/stats/stats.service.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";
import { recordResult } from "../record-result.service.ts";

const MINUTE_MS = 60_000;

async function openMonitor(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:30:05Z");
  const api = await open({ clock });
  const body = { name: "shop", url: "shop.example.com", interval: 60 };
  const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
  const see = async (status: "up" | "down"): Promise<void> => {
    await recordResult(api.ctx, {
      workspaceId: api.workspaceId,
      monitorId: id,
      outcome: anOutcome(status),
      checkedAt: clock.now(),
      trigger: "schedule",
    });
  };
  for (const status of ["up", "up", "down", "down"] as const) {
    await see(status);
    clock.advanceMs(MINUTE_MS);
  }
  return {
    ctx: api.ctx,
    id,
    scope: { workspaceId: api.workspaceId, caller: {} } as Parameters<typeof readStats>[1],
    /**
     * The context, in which a result of the next minute comes right after the first look at the
     * tracks.
     */
    interrupted: interrupting(api.ctx, () => see("up")),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

function interrupting(ctx: ServiceContext, work: () => Promise<void>): ServiceContext {
  let isDone = false;
  const watch = (queries: Queries): Queries => ({
    workspaceId: queries.workspaceId,
    dialect: queries.dialect,
    get: (statement, parameters) => queries.get(statement, parameters),
    select: (query) => queries.select(query),
    all: async (statement, parameters) => {
      const rows = await queries.all(statement, parameters);
      const isTrack = (rows as readonly object[]).some((row) => "counted_until" in row);
      if (isTrack && !isDone) {
        isDone = true;
        await work();
      }
      return rows;
    },
  });
  return { ...ctx, db: { ...ctx.db, in: (workspaceId) => watch(ctx.db.in(workspaceId)) } };
}

const HALF_UP = { up_seconds: 120, down_seconds: 120, uptime_percent: 50 };

describeEachUptimeApi("a result that comes while figures are read", (open) => {
  test("is counted once in the statistics, with the minute that it ends", async () => {
    await using m = await openMonitor(open);
    const stats: MonitorStats = await readStats(m.interrupted, m.scope, { monitorId: m.id });
    expect(stats).toMatchObject({ checks: 5, up: 3, down: 2, ...HALF_UP });
    const sum = stats.series.reduce((total, { checks }) => total + checks, 0);
    expect(sum).toBe(5);
  });

  test("leaves the uptime in the list of monitors right", async () => {
    await using m = await openMonitor(open);
    const { monitors }: MonitorsOverview = await readOverview(m.interrupted, m.scope, {
      limit: 10,
      offset: 0,
    });
    expect(monitors.map(({ uptime }) => uptime)).toEqual([{ "24h": 50, "30d": 50 }]);
  });

  test("is counted once in a report", async () => {
    await using m = await openMonitor(open);
    const { records } = readSlaReport(m.interrupted, m.scope, { target: 99 });
    const found: SlaReport["monitors"] = [];
    for await (const record of records) found.push(record);
    expect(found).toMatchObject([{ checks: 5, ...HALF_UP }]);
  });
});
