import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const create = () => import("./create.ts");
const read = () => import("./read.ts");
const preview = () => import("./preview.ts");
const template = () => import("./template.ts");

export const WORK_POOL: readonly Word[] = [
  word("create", "Create a work pool", async () => (await create()).createWorkPoolCommand()),
  word("ls", "List work pools", async () => (await read()).listWorkPoolsCommand()),
  word("inspect", "Show everything about a work pool", async () =>
    (await read()).inspectWorkPoolCommand(),
  ),
  word("pause", "Let a work pool give out no more runs", async () =>
    (await change()).pauseWorkPoolCommand(),
  ),
  word("resume", "Let a paused work pool give out runs again", async () =>
    (await change()).resumeWorkPoolCommand(),
  ),
  word("update", "Change a work pool", async () => (await change()).updateWorkPoolCommand()),
  word("delete", "Delete a work pool with its queues", async () =>
    (await change()).deleteWorkPoolCommand(),
  ),
  word("preview", "Show the runs that a work pool is going to give out", async () =>
    (await preview()).previewWorkPoolCommand(),
  ),
  word("set-concurrency-limit", "Limit how many runs of a work pool run at once", async () =>
    (await change()).setWorkPoolLimitCommand(),
  ),
  word("clear-concurrency-limit", "Let any number of runs of a work pool run at once", async () =>
    (await change()).clearWorkPoolLimitCommand(),
  ),
  word(
    "get-default-base-job-template",
    "Print the template that pools of a type begin with",
    async () => (await template()).workPoolTemplateCommand(),
  ),
];
