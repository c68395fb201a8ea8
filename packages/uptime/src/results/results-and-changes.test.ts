// Results come from anywhere at any time: also while somebody else is at the same monitor.

import { manualClock, untilBlockedOnRow } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { changeMonitor } from "../configuration/monitors.service.ts";
import { lockMonitor } from "../monitors/monitors.store.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi } from "../testing.ts";
import { recordResult } from "./record-result.service.ts";

describeEachUptimeApi("a result that waits for a pause of its monitor", (open) => {
  test("goes by what the pause has left, and counts no time a second time", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const { ctx, workspaceId } = api;
    const body = { name: "shop", url: "https://shop.example.com" };
    const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
    const see = (checkedAt: string) =>
      recordResult(ctx, {
        workspaceId,
        monitorId: id,
        outcome: anOutcome("down"),
        checkedAt,
        trigger: "manual",
      });
    await see(clock.now());
    clock.advanceMs(60_000);

    const now = clock.now();
    const late: Promise<unknown>[] = [];
    await ctx.db.write(workspaceId, async (tx) => {
      const before = await lockMonitor(tx, id);
      if (before === null) throw new Error("The monitor is gone");
      late.push(see(now));
      await untilBlockedOnRow(api.ctx.db);
      await changeMonitor(ctx, tx, {
        before,
        after: { ...before, enabled: false, updated_at: now },
      });
    });
    await Promise.all(late);
    const { body: stats } = await api.get(`/monitors/${id}/stats?step=hour`);
    const { series } = stats as { readonly series: readonly { readonly down_seconds: number }[] };
    expect(series.at(-1)).toMatchObject({ down_seconds: 60 });

    await api.put(`/monitors/${id}`, { enabled: true });
    clock.advanceMs(60_000);
    await see(clock.now());
    expect((await api.get(`/monitors/${id}/incidents`)).body).toMatchObject([
      { ended_by: null },
      { ended_by: "paused" },
    ]);
  });
});
