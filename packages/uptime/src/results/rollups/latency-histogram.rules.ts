// Latencies as counts in buckets whose bounds grow by a constant factor: small, exact to some
// percent at any size, and two of them are merged by adding.

/** Bucket number → how many; the buckets without any are left out. */
export type Histogram = Readonly<Record<string, number>>;

const GROWTH = 1.08;
const LOG_GROWTH = Math.log(GROWTH);
/** Everything below is as fast as can be told. */
const SMALLEST_US = 10;

function bucketOf(micros: number): number {
  return micros <= SMALLEST_US ? 0 : Math.ceil(Math.log(micros / SMALLEST_US) / LOG_GROWTH);
}

/** The value in the middle of a bucket: off by less than half of the growth. */
function valueOf(bucket: number): number {
  return bucket === 0 ? SMALLEST_US : (SMALLEST_US * GROWTH ** bucket * 2) / (GROWTH + 1);
}

export function addLatency(histogram: Histogram, micros: number): Histogram {
  const grown = { ...histogram };
  countLatency(grown, micros);
  return grown;
}

/** The same in place. */
export function countLatency(histogram: Record<string, number>, micros: number): void {
  const bucket = bucketOf(micros);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const merged: Record<string, number> = {};
  for (const histogram of histograms)
    for (const [bucket, count] of Object.entries(histogram))
      merged[bucket] = (merged[bucket] ?? 0) + count;
  return merged;
}

export function countOf(histogram: Histogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/**
 * The latency in microseconds that the given share (0 to 1) of all does not exceed; null where
 * there is none.
 */
export function quantile(histogram: Histogram, share: number): number | null {
  const rank = Math.max(1, Math.ceil(countOf(histogram) * share));
  let seen = 0;
  const buckets = Object.keys(histogram).map(Number);
  for (const bucket of buckets.toSorted((a, b) => a - b)) {
    seen += histogram[bucket] ?? 0;
    if (seen >= rank) return valueOf(bucket);
  }
  return null;
}
