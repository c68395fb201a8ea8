import { type Word, word } from "../../word.ts";

const create = () => import("./create.ts");
const verbs = () => import("./verbs.ts");

export const MAINTENANCE: readonly Word[] = [
  word("ls", "List maintenance", async () => (await verbs()).listMaintenanceWindowsCommand()),
  word("inspect", "Show a maintenance", async () =>
    (await verbs()).inspectMaintenanceWindowCommand(),
  ),
  word("create", "Plan a maintenance, or begin one now", async () =>
    (await create()).createMaintenanceWindowCommand(),
  ),
  word("finish", "End a maintenance that takes place now", async () =>
    (await verbs()).finishMaintenanceWindowCommand(),
  ),
  word("delete", "Delete a maintenance", async () =>
    (await verbs()).deleteMaintenanceWindowCommand(),
  ),
];
