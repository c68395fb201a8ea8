import type { MonitorStats } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { latencyPoints } from "./latency-points.ts";

const seriesOf = (values: readonly (number | null)[]) =>
  values.map((value, minute) => ({
    from: new Date(minute * 60_000).toISOString(),
    elapsed_ms: { p50: value, p95: value },
  })) as unknown as MonitorStats["series"];

test("few stretches are drawn as they are, with gaps where nothing was measured", () => {
  expect(latencyPoints(seriesOf([5, null, 7]), 10)).toEqual([
    { at: 0, half: 5, most: 5 },
    { at: 60, half: null, most: null },
    { at: 120, half: 7, most: 7 },
  ]);
});

test("many are drawn together: what is usual, and the worst, so that a spike stays in sight", () => {
  const values = [10, 12, 900, 11, 10, null, 13, 12, null, null, null, null];
  expect(latencyPoints(seriesOf(values), 3)).toEqual([
    { at: 0, half: 11, most: 900 },
    { at: 240, half: 12, most: 13 },
    { at: 480, half: null, most: null },
  ]);
});

test("nothing is drawn of nothing", () => {
  expect(latencyPoints([], 10)).toEqual([]);
});
