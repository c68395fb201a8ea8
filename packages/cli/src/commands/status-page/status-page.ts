import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const STATUS_PAGE: readonly Word[] = [
  word("ls", "List status pages", async () => (await verbs()).listStatusPagesCommand()),
  word("inspect", "Show a status page", async () => (await verbs()).inspectStatusPageCommand()),
  word("create", "Create a status page with one group of monitors", async () =>
    (await verbs()).createStatusPageCommand(),
  ),
  word("publish", "Show a page to everybody", async () =>
    (await verbs()).publishStatusPageCommand(true),
  ),
  word("unpublish", "Hide a page from everybody", async () =>
    (await verbs()).publishStatusPageCommand(false),
  ),
  word("delete", "Delete a status page with its reports", async () =>
    (await verbs()).deleteStatusPageCommand(),
  ),
];
