import type { Migration } from "@orchestrator/kernel/storage";
import { FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS } from "../trigram-indexes.ts";

// Runs that are there already are taken in piece by piece while the server runs (`run-letters`
// among the loops): a start waits for none of them.

export const runLettersMigration: Migration = {
  name: "run-letters",
  up: (t) => [FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS].map(t.letterIndex).join(""),
};
