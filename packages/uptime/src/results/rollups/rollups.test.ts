import type { CheckResult, MonitorStats } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import { ROLLUP_SIZES, type RollupSize } from "../../db/tables/rollups.table.ts";
import { validUntil } from "../../monitors/due-times.rules.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";
import { recordResult } from "../record-result.service.ts";
import { addLatency, type Histogram } from "./latency-histogram.rules.ts";
import { openMinuteOf } from "./open-minute.rules.ts";
import {
  addTo,
  emptyRollup,
  incrementsOf,
  type Rollup,
  rollupStart,
  SIZE_MICROS,
  type StatusSpan,
} from "./rollup.rules.ts";
import { listRollups } from "./rollups.store.ts";
import { currentSpanOf, uncounted } from "./track.rules.ts";
import { findTrack } from "./tracks.store.ts";

const LONG_AGO = "2000-01-01T00:00:00.000000Z";
const FAR_OFF = "2100-01-01T00:00:00.000000Z";

/** What happens after how many milliseconds: a result, or the monitor is paused and resumed. */
const happening = fc.record({
  afterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 150_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 100_000_000 }) },
  ),
  status: fc.constantFrom<CheckStatus>("up", "degraded", "down"),
  elapsedMs: fc.integer({ min: 0, max: 100_000 }).map((tenths) => tenths / 10),
  kind: fc.constantFrom("result", "result", "result", "result", "inconclusive", "pause"),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

interface Seen {
  readonly at: number;
  /** Null from when on nothing is known. */
  readonly status: CheckStatus | null;
}

async function live(
  api: UptimeApi,
  clock: ReturnType<typeof manualClock>,
  all: readonly Happening[],
) {
  const created = await api.post("/monitors", { name: "shop", url: "shop.example.com" });
  const { id } = created.body as { readonly id: string };
  const seen: Seen[] = [];
  const raw: { at: number; status: CheckStatus; elapsedMs: number; inconclusive: boolean }[] = [];
  for (const { afterMs, status, elapsedMs, kind } of all) {
    clock.advanceMs(afterMs);
    const at = clock.nowMicros();
    if (kind === "pause") {
      await api.patch(`/monitors/${id}`, { enabled: false });
      await api.patch(`/monitors/${id}`, { enabled: true });
      seen.push({ at, status: null });
      continue;
    }
    const inconclusive = kind === "inconclusive";
    await recordResult(api.ctx, {
      workspaceId: api.workspaceId,
      monitorId: id,
      outcome: anOutcome(status, { elapsed_ms: elapsedMs, inconclusive }),
      checkedAt: clock.now(),
      trigger: "schedule",
    });
    raw.push({ at, status, elapsedMs, inconclusive });
    seen.push({ at, status: inconclusive ? null : status });
  }
  return { id, seen, raw };
}

/** Which status held when, worked out plainly. */
function heldTimes(id: string, seen: readonly Seen[], now: number): StatusSpan[] {
  const timing = { id, interval: 60, schedule: null, timezone: "UTC" };
  return seen.flatMap(({ at, status }, i) => {
    if (status === null) return [];
    const until = Math.min(seen[i + 1]?.at ?? now, validUntil(timing, at));
    return until > at ? [{ status, from: at, until }] : [];
  });
}

function sumWithin(held: readonly StatusSpan[], from: number, until: number) {
  const sums = { up: 0, degraded: 0, down: 0 };
  for (const span of held)
    sums[span.status] += Math.max(0, Math.min(span.until, until) - Math.max(span.from, from));
  return sums;
}

type Life = Awaited<ReturnType<typeof live>>;

function recomputed(size: RollupSize, { id, seen, raw }: Life): Rollup[] {
  const lastSeen = seen.at(-1)?.at ?? 0;
  const held = size === "minute" ? [] : heldTimes(id, seen, lastSeen);
  const starts = new Set(raw.map(({ at }) => rollupStart(size, at)));
  for (const { from, until } of held)
    for (let at = rollupStart(size, from); at < until; at += SIZE_MICROS[size]) starts.add(at);
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => {
      const inside = raw.filter(({ at }) => rollupStart(size, at) === start);
      const conclusive = inside.filter(({ inconclusive }) => !inconclusive);
      const count = (status: CheckStatus) =>
        conclusive.filter((one) => one.status === status).length;
      const latencies = conclusive
        .filter(({ status }) => status !== "down")
        .map(({ elapsedMs }) => Math.round(elapsedMs * 1000));
      const times = sumWithin(held, start, start + SIZE_MICROS[size]);
      return {
        ...emptyRollup({ monitor_id: id, size, start: formatMicros(start) }),
        up_count: count("up"),
        degraded_count: count("degraded"),
        down_count: count("down"),
        inconclusive_count: inside.length - conclusive.length,
        up_us: times.up,
        degraded_us: times.degraded,
        down_us: times.down,
        latency_us: latencies.reduce((sum, one) => sum + one, 0),
        latency_min_us: latencies.length === 0 ? null : Math.min(...latencies),
        latency_max_us: latencies.length === 0 ? null : Math.max(...latencies),
        latency: latencies.reduce<Histogram>(addLatency, {}),
      };
    });
}

/** The rollups, and what is to go into them with the first result of another minute. */
async function stored(queries: Queries, size: RollupSize, { id, seen }: Life): Promise<Rollup[]> {
  const range = { monitor_id: id, size, from: LONG_AGO, until: FAR_OFF };
  const rows = new Map((await listRollups(queries, range)).map((row) => [row.start, row]));
  const track = await findTrack(queries, id);
  const holding = currentSpanOf(track);
  const held = holding === null ? null : uncounted(holding, seen.at(-1)?.at ?? 0);
  for (const addition of incrementsOf(openMinuteOf(track), held)) {
    if (addition.size !== size) continue;
    const { start } = addition;
    const row = rows.get(start) ?? emptyRollup({ monitor_id: id, size, start });
    addTo(row, addition);
    rows.set(start, row);
  }
  return [...rows.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
}

describeEachUptimeApi("rollups", (open) => {
  test("are what a plain recomputation from all results gives", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const queries = api.ctx.db.in(api.workspaceId);
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (all) => {
        const life = await live(api, clock, all);
        for (const size of ROLLUP_SIZES)
          expect(await stored(queries, size, life)).toEqual(recomputed(size, life));
      }),
      { numRuns: rounds(4, 15) },
    );
  });

  test("and spans together give the uptime of any range to the microsecond", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const shares = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 1, maxLength: 25 }),
        shares,
        async (all, cut) => {
          const begin = clock.nowMicros();
          const { id, seen } = await live(api, clock, all);
          clock.advanceMs(45_000);
          const now = clock.nowMicros();
          const [from = begin, until = now] = cut
            .map((share) => Math.floor(begin + share * (now - begin)))
            .sort((a, b) => a - b);
          if (from === until) return;
          const range = `since=${formatMicros(from)}&until=${formatMicros(until)}&step=day`;
          const answer = await api.get(`/monitors/${id}/stats?${range}`);
          expect(answer.status).toBe(200);
          const stats = answer.body as MonitorStats;
          const expected = sumWithin(heldTimes(id, seen, now), from, until);
          const micros = (seconds: number) => Math.round(seconds * 1e6);
          expect({
            up: micros(stats.up_seconds),
            degraded: micros(stats.degraded_seconds),
            down: micros(stats.down_seconds),
          }).toEqual(expected);
        },
      ),
      { numRuns: rounds(4, 15) },
    );
  });

  test("of the present minute are told before it is over, once, at every width of a series", async () => {
    const clock = manualClock("2026-11-15T09:59:50Z");
    await using api = await open({ clock });
    const result = (afterMs: number, elapsedMs: number) =>
      ({ afterMs, status: "up", elapsedMs, kind: "result" }) as const;
    const four = [result(1000, 10), result(4000, 20), result(6000, 40), result(5000, 50)];
    const { id } = await live(api, clock, four);
    for (const step of ["minute", "hour", "day"]) {
      const { body } = await api.get(`/monitors/${id}/stats?step=${step}`);
      const { checks, elapsed_ms, up_seconds, series } = body as MonitorStats;
      expect({ checks, up_seconds, average: elapsed_ms.average }).toEqual({
        checks: 4,
        up_seconds: 15,
        average: 30,
      });
      expect(series.reduce((sum, point) => sum + point.checks, 0)).toBe(4);
      expect(series.reduce((sum, point) => sum + point.up_seconds, 0)).toBe(15);
    }
  });

  test("count a result that comes late, and leave the time as it was", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const result = (afterMs: number, status: CheckStatus) =>
      ({ afterMs, status, elapsedMs: 1, kind: "result" }) as const;
    const { id } = await live(api, clock, [result(1000, "up"), result(60_000, "up")]);
    const early = formatMicros(parseMicros("2026-11-15T09:00:30.000000Z"));
    const finding = { workspaceId: api.workspaceId, monitorId: id, trigger: "manual" } as const;
    await recordResult(api.ctx, { ...finding, outcome: anOutcome("down"), checkedAt: early });
    const { body } = await api.get(`/monitors/${id}/stats`);
    expect(body).toMatchObject({ up: 2, down: 1, checks: 3, up_seconds: 60, down_seconds: 0 });
    expect((await api.get(`/monitors/${id}/results`)).body as CheckResult[]).toHaveLength(3);
  });
});
