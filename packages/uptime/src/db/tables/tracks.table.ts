import type { CheckStatus } from "./results.table.ts";

/**
 * What is known of a monitor beyond its settings: which status holds since when, until when that
 * was counted, and for how long it may be taken to hold without another result.
 */
export interface TrackRow {
  readonly monitor_id: string;
  /** Null while nothing is known: never checked, paused, or cut off. */
  readonly status: CheckStatus | null;
  /** When the present span of `status` began. */
  readonly since: string | null;
  /**
   * Up to here the span is in the rollups; where nothing is known, up to here the spans before are.
   */
  readonly counted_until: string | null;
  readonly valid_until: string | null;
  /** The results of the last minute that had any, as JSON text: they are in no rollup yet. */
  readonly open_minute: string | null;
  /** When the first of the results that disagree with the confirmed status came. */
  readonly streak_since: string | null;
  /** When the first of the results that confirmed the confirmed status came. */
  readonly confirmed_since: string | null;
  /** The status that events have told of last; also the first `up`, of which none tells. */
  readonly told_status: CheckStatus | null;
  /** The incident that is open. */
  readonly incident_id: string | null;
  /** The end of the certificate that was last warned of. */
  readonly certificate_told: string | null;
  /** When the target refused the credentials, and until when it is left alone. */
  readonly held_back_from: string | null;
  readonly held_back_until: string | null;
}

/**
 * One status that held without a break. Spans that have ended are rows; the present one is in the
 * track.
 */
export interface SpanRow {
  readonly monitor_id: string;
  readonly started: string;
  readonly ended: string;
  readonly status: CheckStatus;
}
