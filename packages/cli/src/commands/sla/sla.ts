import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const SLA: readonly Word[] = [
  word("ls", "List promises and whether they are kept", async () =>
    (await verbs()).listSlasCommand(),
  ),
  word("inspect", "Show a promise", async () => (await verbs()).inspectSlaCommand()),
  word("create", "Promise something of a deployment", async () =>
    (await verbs()).createSlaCommand(),
  ),
  word("pause", "Stop watching a promise", async () => (await verbs()).switchSlaCommand(false)),
  word("resume", "Watch a promise again", async () => (await verbs()).switchSlaCommand(true)),
  word("delete", "Delete a promise", async () => (await verbs()).deleteSlaCommand()),
];
