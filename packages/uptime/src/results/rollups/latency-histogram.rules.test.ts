import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addLatency,
  countOf,
  type Histogram,
  mergeHistograms,
  quantile,
} from "./latency-histogram.rules.ts";

const latencies = fc.array(fc.integer({ min: 0, max: 120_000_000 }), {
  minLength: 1,
  maxLength: 200,
});
const histogramOf = (all: readonly number[]): Histogram => all.reduce(addLatency, {});

test("percentiles are off by a few percent at most", () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95, 0.99, 1), (all, share) => {
      const sorted = all.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(all.length * share) - 1)] ?? 0;
      const told = quantile(histogramOf(all), share) ?? 0;
      expect(Math.abs(told - exact)).toBeLessThanOrEqual(Math.max(10, exact * 0.04));
    }),
  );
});

test("merged histograms are that of all latencies together", () => {
  fc.assert(
    fc.property(fc.array(latencies, { maxLength: 5 }), (parts) => {
      const merged = mergeHistograms(parts.map(histogramOf));
      expect(merged).toEqual(histogramOf(parts.flat()));
      expect(countOf(merged)).toBe(parts.flat().length);
    }),
  );
});

test("there is no percentile of nothing", () => {
  expect(quantile({}, 0.5)).toBeNull();
});
