import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { clearLimit, pause, remove, resume, setLimit, update } from "./change.ts";
import { create } from "./create.ts";
import { inspect, ls } from "./look.ts";
import { preview } from "./preview.ts";
import { templateCommand } from "./template.ts";

export function workPoolCommand(): Command {
  return noun("work-pool", "Where runs are carried out, and how many at once", [
    create(),
    ls(),
    inspect(),
    pause(),
    resume(),
    update(),
    remove(),
    preview(),
    setLimit(),
    clearLimit(),
    templateCommand(),
  ]);
}
