import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { clearLimit, create, pause, remove, resume, setLimit, update } from "./change.ts";
import { inspect, ls, preview } from "./look.ts";

export function workQueueCommand(): Command {
  return noun("work-queue", "The queues of work pools: which runs go first", [
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
  ]);
}
