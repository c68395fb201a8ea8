import type { MonitorStats } from "@orchestrator/contract";
import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckStatus } from "../db/tables/results.table.ts";
import { validUntil } from "../monitors/due-times.rules.ts";
import { recordResult } from "../results/record-result.service.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi } from "../testing.ts";

const MINUTE = 60_000_000;
/** Four minutes of every twenty. */
const EVERY = 20 * MINUTE;
const LENGTH = 4 * MINUTE;
const WINDOW = { name: "often", all_monitors: true, schedule: "*/20 * * * *", duration: 240 };

const happening = fc.record({
  afterMs: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 150_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000_000 }) },
  ),
  status: fc.constantFrom<CheckStatus>("up", "degraded", "down"),
  elapsedMs: fc.integer({ min: 0, max: 90_000 }),
});

interface Seen {
  readonly at: number;
  readonly until: number;
  readonly status: CheckStatus;
}

const isExcused = ({ at, until }: Seen): boolean =>
  at % EVERY < LENGTH || Math.floor(at / EVERY) < Math.floor(until / EVERY);

/** How long each status held outside of the window, worked out plainly. */
function plainTimes(id: string, seen: readonly Seen[], now: number) {
  const times = { up: 0, degraded: 0, down: 0 };
  const timing = { id, interval: 60, schedule: null, timezone: "UTC" };
  for (const [i, one] of seen.entries()) {
    if (isExcused(one)) continue;
    const nextWindow = (Math.floor(one.at / EVERY) + 1) * EVERY;
    const next = seen[i + 1]?.at ?? now;
    times[one.status] += Math.min(next, nextWindow, validUntil(timing, one.at)) - one.at;
  }
  return times;
}

describeEachUptimeApi("the time of a maintenance", (open) => {
  test("is outside of all figures to the microsecond, whenever results come", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    expect((await api.post("/maintenance", WINDOW)).status).toBe(201);
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 20 }), async (all) => {
        const begin = clock.now();
        const created = await api.post("/monitors", { name: "shop", url: "shop.example.com" });
        const { id } = created.body as { readonly id: string };
        const seen: Seen[] = [];
        for (const { afterMs, status, elapsedMs } of all) {
          clock.advanceMs(afterMs);
          const at = clock.nowMicros();
          seen.push({ at, until: at + elapsedMs * 1000, status });
          await recordResult(api.ctx, {
            workspaceId: api.workspaceId,
            monitorId: id,
            outcome: anOutcome(status, { elapsed_ms: elapsedMs }),
            checkedAt: clock.now(),
            trigger: "schedule",
          });
        }
        clock.advanceMs(50_000);
        const answer = await api.get(`/monitors/${id}/stats?since=${begin}`);
        const stats = answer.body as MonitorStats;
        const expected = plainTimes(id, seen, clock.nowMicros());
        expect({
          up: Math.round(stats.up_seconds * 1e6),
          degraded: Math.round(stats.degraded_seconds * 1e6),
          down: Math.round(stats.down_seconds * 1e6),
          maintenance: stats.maintenance,
          checks: stats.checks,
        }).toEqual({
          ...expected,
          maintenance: seen.filter(isExcused).length,
          checks: seen.length,
        });
      }),
      { numRuns: rounds(5, 20) },
    );
  });
});
