import type { LetterIndex } from "@orchestrator/kernel/storage";

/** What finds runs by some letters of their names. */
export const FLOW_RUN_LETTERS: LetterIndex = {
  name: "flow_run_letters",
  table: "flow_runs",
  column: "name",
};
export const TASK_RUN_LETTERS: LetterIndex = {
  name: "task_run_letters",
  table: "task_runs",
  column: "name",
};
