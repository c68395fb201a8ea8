import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const look = () => import("./look.ts");

export const WORK_QUEUE: readonly Word[] = [
  word("create", "Create a work queue", async () => (await change()).create()),
  word("ls", "List work queues", async () => (await look()).ls()),
  word("inspect", "Show everything about a work queue", async () => (await look()).inspect()),
  word("pause", "Let a work queue give out no more runs", async () => (await change()).pause()),
  word("resume", "Let a paused work queue give out runs again", async () =>
    (await change()).resume(),
  ),
  word("update", "Change a work queue", async () => (await change()).update()),
  word("delete", "Delete a work queue", async () => (await change()).remove()),
  word("preview", "Show the runs that wait in a work queue", async () => (await look()).preview()),
  word("set-concurrency-limit", "Limit how many runs of a work queue run at once", async () =>
    (await change()).setLimit(),
  ),
  word("clear-concurrency-limit", "Let any number of runs of a work queue run at once", async () =>
    (await change()).clearLimit(),
  ),
];
