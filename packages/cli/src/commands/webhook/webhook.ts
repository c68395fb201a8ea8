import { type Word, word } from "../../word.ts";

const create = () => import("./create.ts");
const verbs = () => import("./verbs.ts");

export const WEBHOOK: readonly Word[] = [
  word("ls", "List webhooks", async () => (await verbs()).ls()),
  word("inspect", "Show a webhook; its address is shown only when it is made", async () =>
    (await verbs()).inspect(),
  ),
  word("create", "Create a webhook and show its address, this once", async () =>
    (await create()).create(),
  ),
  word("rotate", "Give a webhook a new address; the old one ends", async () =>
    (await verbs()).rotate(),
  ),
  word("delete", "Delete a webhook", async () => (await verbs()).remove()),
];
