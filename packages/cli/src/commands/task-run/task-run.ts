import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const TASK_RUN: readonly Word[] = [
  word("ls", "List task runs, the latest first", async () => (await verbs()).listTaskRunsCommand()),
  word("inspect", "Show everything about a task run", async () =>
    (await verbs()).inspectTaskRunCommand(),
  ),
  word("logs", "Show the log lines of a task run", async () =>
    (await verbs()).taskRunLogsCommand(),
  ),
];
