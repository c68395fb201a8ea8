// What is drawn of latencies. A check a minute is 1,440 points a day: closer than a few pixels they
// are a band in which nothing can be read.
import type { MonitorStats } from "@orchestrator/contract";

interface Point {
  /** In seconds, when its stretch begins. */
  readonly at: number;
  readonly half: number | null;
  readonly most: number | null;
}

/**
 * At most so many points, each of as many stretches as it takes: what is usual of the halves, and
 * the worst of the rest, so that no spike is lost.
 */
export function latencyPoints(series: MonitorStats["series"], count: number): Point[] {
  const size = Math.max(1, Math.ceil(series.length / count));
  const points: Point[] = [];
  for (let first = 0; first < series.length; first += size) {
    const stretches = series.slice(first, first + size);
    const halves = known(stretches.map(({ elapsed_ms }) => elapsed_ms.p50)).sort((a, b) => a - b);
    const worst = known(stretches.map(({ elapsed_ms }) => elapsed_ms.p95));
    points.push({
      at: Date.parse(stretches[0]?.from ?? "") / 1000,
      half: halves[Math.floor((halves.length - 1) / 2)] ?? null,
      most: worst.length === 0 ? null : Math.max(...worst),
    });
  }
  return points;
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);
