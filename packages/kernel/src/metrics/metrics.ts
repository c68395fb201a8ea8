import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from "prom-client";
import { installProcessMetrics } from "./process-metrics.ts";

/** Takes the duration of one answered request of a route. */
export type RequestObserver = (status: number, seconds: number) => void;

export interface Metrics {
  readonly counter: <T extends string>(definition: CounterConfiguration<T>) => Counter<T>;
  readonly gauge: <T extends string>(definition: GaugeConfiguration<T>) => Gauge<T>;
  readonly histogram: <T extends string>(definition: HistogramConfiguration<T>) => Histogram<T>;
  /** The observer of one method of one route; made once, so that observing costs no label lookups. */
  readonly requestObserver: (method: string, route: string) => RequestObserver;
  /** Everything in the Prometheus text format. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly close: () => void;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own: two servers in one process do not share numbers. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const stopProcessMetrics = installProcessMetrics(registry);
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its response",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS,
    registers,
  });

  return {
    counter: (definition) => new Counter({ ...definition, registers }),
    gauge: (definition) => new Gauge({ ...definition, registers }),
    histogram: (definition) => new Histogram({ ...definition, registers }),
    requestObserver: (method, route) => {
      const byStatus: Histogram.Internal<"method" | "route" | "status">[] = [];
      return (status, seconds) => {
        byStatus[status] ??= durations.labels(method, route, String(status));
        byStatus[status].observe(seconds);
      };
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: stopProcessMetrics,
  };
}
