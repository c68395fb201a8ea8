import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const verbs = () => import("./verbs.ts");

export const GLOBAL_CONCURRENCY_LIMIT: readonly Word[] = [
  word("ls", "List limits and how much of them is in use", async () =>
    (await verbs()).listGlobalLimitsCommand(),
  ),
  word("inspect", "Show a limit", async () => (await verbs()).inspectGlobalLimitCommand()),
  word("holders", "Show who has slots of a limit, the longest first", async () =>
    (await verbs()).listSlotHoldersCommand(),
  ),
  word("create", "Create a limit", async () => (await change()).createGlobalLimitCommand()),
  word("update", "Change a limit", async () => (await change()).updateGlobalLimitCommand()),
  word("enable", "Let a limit hold again", async () =>
    (await change()).switchGlobalLimitCommand(true),
  ),
  word("disable", "Let everybody pass a limit", async () =>
    (await change()).switchGlobalLimitCommand(false),
  ),
  word("delete", "Delete a limit; it no longer blocks anything", async () =>
    (await verbs()).deleteGlobalLimitCommand(),
  ),
];
