/** Bounds on what one client can take from the server. */
export interface HttpLimits {
  readonly bodyBytes: number;
  /** How many requests the whole server works on at once. */
  readonly requestsInFlight: number;
  /** How much of their bodies it holds at once. */
  readonly bytesInFlight: number;
  readonly jsonDepth: number;
  /** For the request line and headers to arrive. */
  readonly headersMs: number;
  /** For the whole request to arrive, body included. */
  readonly requestMs: number;
  /**
   * A connection without a request is kept this long; longer than clients keep theirs, so that they
   * close first.
   */
  readonly keepAliveMs: number;
  /** A connection on which nothing moves in either direction is cut. */
  readonly idleMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 1_048_576,
  requestsInFlight: 1000,
  bytesInFlight: 134_217_728,
  jsonDepth: 200,
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 72_000,
  idleMs: 150_000,
};

/** How often late clients are looked for: often enough that a limit means what it says. */
export function checkIntervalMs(limits: HttpLimits): number {
  return Math.min(5000, Math.max(50, Math.floor(Math.min(limits.headersMs, limits.requestMs) / 4)));
}
