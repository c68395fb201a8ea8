import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const read = () => import("./read.ts");

export const BACKFILL: readonly Word[] = [
  word("ls", "List backfills, the latest first", async () => (await read()).listBackfillsCommand()),
  word("inspect", "Show everything about a backfill and how far it has come", async () =>
    (await read()).inspectBackfillCommand(),
  ),
  word("cancel", "Let a backfill make no more runs", async () =>
    (await change()).cancelBackfillCommand(),
  ),
  word("resume", "Let a cancelled backfill go on with the times that have no run yet", async () =>
    (await change()).resumeBackfillCommand(),
  ),
];
