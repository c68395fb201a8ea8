import type { IncidentRow } from "../db/tables/incidents.table.ts";
import type { RollupRow } from "../db/tables/rollups.table.ts";
import type { TrackRow } from "../db/tables/tracks.table.ts";

// What a page is made of: parts of rows, without anything that is nobody else's business.

export type DayRow = Pick<RollupRow, "monitor_id" | "start" | "up_us" | "degraded_us" | "down_us">;

/** What the latencies of some hours add up to. */
export interface LatencyRow {
  readonly monitor_id: string;
  readonly total_us: number;
  readonly count: number;
}

export type CurrentStatusRow = Pick<
  TrackRow,
  "monitor_id" | "status" | "since" | "counted_until" | "valid_until" | "open_minute"
>;

export type PageIncidentRow = Pick<
  IncidentRow,
  "id" | "monitor_id" | "status" | "started_at" | "ended_at" | "ended_by"
>;
