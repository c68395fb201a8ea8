import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const verbs = () => import("./verbs.ts");

export const GLOBAL_CONCURRENCY_LIMIT: readonly Word[] = [
  word("ls", "List limits and how much of them is in use", async () => (await verbs()).ls()),
  word("inspect", "Show a limit", async () => (await verbs()).inspect()),
  word("holders", "Show who has slots of a limit, the longest first", async () =>
    (await verbs()).holders(),
  ),
  word("create", "Create a limit", async () => (await change()).create()),
  word("update", "Change a limit", async () => (await change()).update()),
  word("enable", "Let a limit hold again", async () => (await change()).switchTo(true)),
  word("disable", "Let everybody pass a limit", async () => (await change()).switchTo(false)),
  word("delete", "Delete a limit; it no longer blocks anything", async () =>
    (await verbs()).remove(),
  ),
];
