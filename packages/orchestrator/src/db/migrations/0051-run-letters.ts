import type { Migration } from "@orchestrator/kernel/storage";
import { FLOW_RUN_LETTERS, TASK_RUN_LETTERS } from "../letter-indexes.ts";

// Runs that are there already are taken in piece by piece while the server runs (`run-letters` among the loops): a start waits for none of them.

export const runLetters: Migration = {
  name: "run-letters",
  up: (t) => [FLOW_RUN_LETTERS, TASK_RUN_LETTERS].map(t.letterIndex).join(""),
};
