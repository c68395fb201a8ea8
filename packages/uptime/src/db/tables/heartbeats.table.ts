/** The calls of a monitor's target. */
export interface HeartbeatRow {
  readonly monitor_id: string;
  /** What the target shows; who copies a monitor may leave the same one in several. */
  readonly token: string;
  /** Since when calls are awaited: the check was added, or the monitor resumed. */
  readonly awaited_since: string;
  readonly last_call_at: string | null;
  /** Whether the last call told of a failure. */
  readonly has_failed: boolean;
}
