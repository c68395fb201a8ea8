import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, integer, text, time } = column;

/** Lines never change, so the moment they were stored is also that of their last change. */
export const LOGS = defineTable("logs", {
  id: id(),
  created: time(),
  updated: { kind: "time", expression: ({ text }) => text("$.created") },
  name: text(),
  level: integer(),
  message: text(),
  timestamp: time(),
  flow_run_id: id().orNull(),
  task_run_id: id().orNull(),
});
export type LogRow = RowOf<typeof LOGS>;

/** A line as it is downloaded. */
export type DownloadedLog = Omit<LogRow, "created" | "name">;
