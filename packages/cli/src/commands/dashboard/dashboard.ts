import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const DASHBOARD: readonly Word[] = [
  word("open", "Open the server's pages in a browser, or print where they are", async () =>
    (await verbs()).openDashboardCommand(),
  ),
];
