import type { TrigramIndex } from "@orchestrator/kernel/storage";

/** What finds runs by some letters of their names. */
export const FLOW_RUN_NAME_TRIGRAMS: TrigramIndex = {
  name: "flow_run_letters",
  table: "flow_runs",
  column: "name",
};
export const TASK_RUN_NAME_TRIGRAMS: TrigramIndex = {
  name: "task_run_letters",
  table: "task_runs",
  column: "name",
};
