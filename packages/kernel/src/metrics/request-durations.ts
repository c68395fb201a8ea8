// How long requests took, as a histogram of the registry. The library's own looks its labels up
// anew with every request.

import type { Metric, Registry } from "prom-client";

/** Takes the duration of one answered request of a route. */
export type RequestObserver = (status: number, seconds: number) => void;

const NAME = "http_request_duration_seconds";
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations {
  readonly labels: Readonly<Record<"method" | "route" | "status", string>>;
  /**
   * How many were no longer than each bound and longer than the one before; behind them those that
   * were longer than all.
   */
  readonly counts: number[];
  sum: number;
}

/** Makes the observer of one method of one route. */
export function requestDurations(
  registry: Registry,
): (method: string, route: string) => RequestObserver {
  const all: Durations[] = [];
  const metric = {
    name: NAME,
    get: async () => ({
      name: NAME,
      help: "Time from the arrival of a request to the end of its response",
      type: "histogram",
      aggregator: "sum",
      values: all.flatMap(valuesOf),
    }),
  };
  registry.registerMetric(metric as unknown as Metric);
  return (method, route) => {
    const byStatus: Durations[] = [];
    return (status, seconds) => {
      let durations = byStatus[status];
      if (durations === undefined) {
        const labels = { method, route, status: String(status) };
        durations = { labels, counts: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
        byStatus[status] = durations;
        all.push(durations);
      }
      let bound = 0;
      while (bound < BOUNDS.length && seconds > (BOUNDS[bound] as number)) bound += 1;
      durations.counts[bound] = (durations.counts[bound] ?? 0) + 1;
      durations.sum += seconds;
    };
  };
}

function valuesOf({ labels, counts, sum }: Durations) {
  let value = 0;
  const buckets = counts.map((count, bound) => {
    value += count;
    const le = BOUNDS[bound] ?? "+Inf";
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value },
  ];
}
