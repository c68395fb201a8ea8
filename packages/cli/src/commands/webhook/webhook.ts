import { type Word, word } from "../../word.ts";

const create = () => import("./create.ts");
const verbs = () => import("./verbs.ts");

export const WEBHOOK: readonly Word[] = [
  word("ls", "List webhooks", async () => (await verbs()).listWebhooksCommand()),
  word("inspect", "Show a webhook; its address is shown only when it is made", async () =>
    (await verbs()).inspectWebhookCommand(),
  ),
  word("create", "Create a webhook and show its address, this once", async () =>
    (await create()).createWebhookCommand(),
  ),
  word("rotate", "Give a webhook a new address; the old one ends", async () =>
    (await verbs()).rotateWebhookTokenCommand(),
  ),
  word("delete", "Delete a webhook", async () => (await verbs()).deleteWebhookCommand()),
];
