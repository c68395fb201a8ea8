/**
 * A version that a check of a monitor has seen, from its first result on; the row after it says
 * until when.
 */
export interface VersionRow {
  readonly monitor_id: string;
  /** As in the details of a result: `instance`, `instance#2`. */
  readonly check_name: string;
  readonly since: string;
  readonly version: string;
  /** Empty where the target does not tell. */
  readonly revision: string;
  readonly build_time: string;
}
