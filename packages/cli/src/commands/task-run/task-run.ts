import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const TASK_RUN: readonly Word[] = [
  word("ls", "List task runs, the latest first", async () => (await verbs()).ls()),
  word("inspect", "Show everything about a task run", async () => (await verbs()).inspect()),
  word("logs", "Show the log lines of a task run", async () => (await verbs()).logs()),
];
