/**
 * A row as it is stored: `monitor_ids` and `tags` are JSON text. It comes once or recurs, and has
 * the columns of the one or the other.
 */
export interface MaintenanceRow {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string;
  readonly description: string | null;
  readonly monitor_ids: string;
  readonly tags: string;
  readonly all_monitors: boolean;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly schedule: string | null;
  readonly timezone: string;
  /** Seconds. */
  readonly duration: number | null;
  readonly enabled: boolean;
  /** Periods of a recurring window that began before this ended then at the latest. */
  readonly finished_at: string | null;
  /** The start of the period that an event has told of, as long as none has told of its end. */
  readonly told_start: string | null;
}
