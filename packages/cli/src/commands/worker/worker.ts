import { type Word, word } from "../../word.ts";

const ls = () => import("./ls.ts");
const start = () => import("./start.ts");

export const WORKER: readonly Word[] = [
  word("start", "Carry out the runs of a work pool, until it is stopped", async () =>
    (await start()).startWorkerCommand(),
  ),
  word("ls", "List workers", async () => (await ls()).listWorkersCommand()),
];
