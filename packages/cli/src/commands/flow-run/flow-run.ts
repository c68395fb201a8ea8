import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { cancel, resume, retry } from "./change.ts";
import { deleteRuns } from "./delete.ts";
import { execute } from "./execute.ts";
import { explain } from "./explain.ts";
import { inspect } from "./inspect.ts";
import { logs } from "./logs.ts";
import { ls } from "./ls.ts";
import { watch } from "./watch.ts";

export function flowRunCommand(): Command {
  return noun("flow-run", "Look at runs of flows, follow and control them", [
    ls(),
    inspect(),
    explain(),
    logs(),
    watch(),
    cancel(),
    resume(),
    retry(),
    deleteRuns(),
    execute(),
  ]);
}
