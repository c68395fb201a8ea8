import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const read = () => import("./read.ts");

export const WORK_QUEUE: readonly Word[] = [
  word("create", "Create a work queue", async () => (await change()).createWorkQueueCommand()),
  word("ls", "List work queues", async () => (await read()).listWorkQueuesCommand()),
  word("inspect", "Show everything about a work queue", async () =>
    (await read()).inspectWorkQueueCommand(),
  ),
  word("pause", "Let a work queue give out no more runs", async () =>
    (await change()).pauseWorkQueueCommand(),
  ),
  word("resume", "Let a paused work queue give out runs again", async () =>
    (await change()).resumeWorkQueueCommand(),
  ),
  word("update", "Change a work queue", async () => (await change()).updateWorkQueueCommand()),
  word("delete", "Delete a work queue", async () => (await change()).deleteWorkQueueCommand()),
  word("preview", "Show the runs that wait in a work queue", async () =>
    (await read()).previewWorkQueueCommand(),
  ),
  word("set-concurrency-limit", "Limit how many runs of a work queue run at once", async () =>
    (await change()).setWorkQueueLimitCommand(),
  ),
  word("clear-concurrency-limit", "Let any number of runs of a work queue run at once", async () =>
    (await change()).clearWorkQueueLimitCommand(),
  ),
];
