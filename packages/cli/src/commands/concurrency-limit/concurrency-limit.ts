import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const CONCURRENCY_LIMIT: readonly Word[] = [
  word("ls", "List the limits of tags", async () => (await verbs()).listTagLimitsCommand()),
  word("inspect", "Show the limit of a tag and the task runs that have its slots", async () =>
    (await verbs()).inspectTagLimitCommand(),
  ),
  word("create", "Set the limit of a tag", async () => (await verbs()).createTagLimitCommand()),
  word("reset", "Take all slots of a tag away from those that have them", async () =>
    (await verbs()).resetTagLimitCommand(),
  ),
  word("delete", "Take the limit of a tag away", async () =>
    (await verbs()).deleteTagLimitCommand(),
  ),
];
