import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const simulate = () => import("./simulate.ts");
const verbs = () => import("./verbs.ts");

export const AUTOMATION: readonly Word[] = [
  word("ls", "List automations", async () => (await verbs()).ls()),
  word("inspect", "Show an automation", async () => (await verbs()).inspect()),
  word("create", "Create automations from a file, which holds one or a list", async () =>
    (await change()).create(),
  ),
  word("update", "Change an automation to what a file says", async () => (await change()).update()),
  word("pause", "Keep an automation from acting", async () => (await change()).switchTo(false)),
  word("resume", "Let an automation act again", async () => (await change()).switchTo(true)),
  word(
    "simulate",
    "Show what a trigger would have done with past or given events; nothing is done",
    async () => (await simulate()).simulate(),
  ),
  word("trace", "Show when an automation fired lately, and when it nearly did", async () =>
    (await simulate()).trace(),
  ),
  word("delete", "Delete an automation", async () => (await verbs()).remove()),
];
