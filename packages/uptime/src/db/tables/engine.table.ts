/**
 * A process that checks monitors, and until when its hold on them is good; on the database's clock.
 */
export interface EngineSessionRow {
  readonly holder: string;
  readonly expires: string;
}

/** A check that somebody waits for, of a monitor that another process holds. */
export interface CheckRequestRow {
  readonly monitor_id: string;
  readonly requested_at: string;
}
