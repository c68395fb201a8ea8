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
import { type RequestObserver, requestDurations } from "./request-durations.ts";

export type { RequestObserver };

export interface Metrics {
  readonly counter: <T extends string>(definition: CounterConfiguration<T>) => Counter<T>;
  readonly gauge: <T extends string>(definition: GaugeConfiguration<T>) => Gauge<T>;
  readonly histogram: <T extends string>(definition: HistogramConfiguration<T>) => Histogram<T>;
  /**
   * The observer of one method of one route; made once, so that observing costs no label lookups.
   */
  readonly requestObserver: (method: string, route: string) => RequestObserver;
  /** Everything in the Prometheus text format. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly close: () => void;
}

/** A registry of its own: two servers in one process do not share numbers. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const stopProcessMetrics = installProcessMetrics(registry);

  return {
    counter: (definition) => new Counter({ ...definition, registers }),
    gauge: (definition) => new Gauge({ ...definition, registers }),
    histogram: (definition) => new Histogram({ ...definition, registers }),
    requestObserver: requestDurations(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: stopProcessMetrics,
  };
}
