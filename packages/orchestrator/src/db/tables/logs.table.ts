import type { Fields } from "@orchestrator/kernel/storage";

/** A line as it is stored. Lines never change, so the moment they were stored is also that of their last change. */
export interface LogRow {
  readonly id: string;
  readonly created: string;
  readonly name: string;
  readonly level: number;
  readonly message: string;
  readonly timestamp: string;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

/** What each line of a batch brings along. */
export const LOG_LINE_FIELDS = {
  id: "id",
  name: "text",
  level: "integer",
  message: "text",
  timestamp: "time",
  flow_run_id: "id",
  task_run_id: "id",
} as const satisfies Fields & Record<Exclude<keyof LogRow, "created">, unknown>;

/** The record on the wire, in this order. */
export const LOG_FIELDS = {
  id: "id",
  created: "time",
  updated: { kind: "time", expression: () => "$.created" },
  name: "text",
  level: "integer",
  message: "text",
  timestamp: "time",
  flow_run_id: "id",
  task_run_id: "id",
} as const satisfies Fields & Record<keyof LogRow, unknown>;

/** A line as it is downloaded. */
export type DownloadedLog = Omit<LogRow, "created" | "name">;
