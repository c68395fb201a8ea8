export const ROLLUP_SIZES = ["minute", "hour", "day"] as const;
export type RollupSize = (typeof ROLLUP_SIZES)[number];

/**
 * What the results that began in one minute, hour or day (UTC) add up to. Times are microseconds.
 */
export interface RollupRow {
  readonly monitor_id: string;
  readonly size: RollupSize;
  readonly start: string;
  readonly up_count: number;
  readonly degraded_count: number;
  readonly down_count: number;
  readonly inconclusive_count: number;
  readonly maintenance_count: number;
  /**
   * How long each status held within it. Minutes do not say: a long gap would need thousands of
   * them.
   */
  readonly up_us: number;
  readonly degraded_us: number;
  readonly down_us: number;
  /** The sum of the latencies in the histogram. */
  readonly latency_us: number;
  readonly latency_min_us: number | null;
  readonly latency_max_us: number | null;
  /** JSON text of a histogram. */
  readonly latency: string;
}
