import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const create = () => import("./create.ts");
const look = () => import("./look.ts");
const preview = () => import("./preview.ts");
const template = () => import("./template.ts");

export const WORK_POOL: readonly Word[] = [
  word("create", "Create a work pool", async () => (await create()).create()),
  word("ls", "List work pools", async () => (await look()).ls()),
  word("inspect", "Show everything about a work pool", async () => (await look()).inspect()),
  word("pause", "Let a work pool give out no more runs", async () => (await change()).pause()),
  word("resume", "Let a paused work pool give out runs again", async () =>
    (await change()).resume(),
  ),
  word("update", "Change a work pool", async () => (await change()).update()),
  word("delete", "Delete a work pool with its queues", async () => (await change()).remove()),
  word("preview", "Show the runs that a work pool is going to give out", async () =>
    (await preview()).preview(),
  ),
  word("set-concurrency-limit", "Limit how many runs of a work pool run at once", async () =>
    (await change()).setLimit(),
  ),
  word("clear-concurrency-limit", "Let any number of runs of a work pool run at once", async () =>
    (await change()).clearLimit(),
  ),
  word(
    "get-default-base-job-template",
    "Print the template that pools of a type begin with",
    async () => (await template()).templateCommand(),
  ),
];
