import type { MonitorRow } from "../db/tables/monitors.table.ts";

/** What a result is judged by. */
export type MonitorState = Pick<
  MonitorRow,
  | "id"
  | "name"
  | "url"
  | "tags"
  | "interval"
  | "schedule"
  | "timezone"
  | "enabled"
  | "confirm_down"
  | "confirm_up"
  | "last_check"
  | "last_status"
  | "confirmed_status"
  | "streak"
  | "next_run"
  | "run_holder"
>;
