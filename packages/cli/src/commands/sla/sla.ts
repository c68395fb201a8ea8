import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const SLA: readonly Word[] = [
  word("ls", "List promises and whether they are kept", async () => (await verbs()).ls()),
  word("inspect", "Show a promise", async () => (await verbs()).inspect()),
  word("create", "Promise something of a deployment", async () => (await verbs()).create()),
  word("pause", "Stop watching a promise", async () => (await verbs()).switchTo(false)),
  word("resume", "Watch a promise again", async () => (await verbs()).switchTo(true)),
  word("delete", "Delete a promise", async () => (await verbs()).remove()),
];
