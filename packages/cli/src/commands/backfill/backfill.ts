import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const look = () => import("./look.ts");

export const BACKFILL: readonly Word[] = [
  word("ls", "List backfills, the latest first", async () => (await look()).ls()),
  word("inspect", "Show everything about a backfill and how far it has come", async () =>
    (await look()).inspect(),
  ),
  word("cancel", "Let a backfill make no more runs", async () => (await change()).cancel()),
  word("resume", "Let a cancelled backfill go on with the times that have no run yet", async () =>
    (await change()).resume(),
  ),
];
