import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { backfill } from "./backfill.ts";
import { pause, remove, resume } from "./change.ts";
import { inspect, ls } from "./look.ts";
import { run } from "./run.ts";
import { scheduleCommand } from "./schedule/schedule.ts";

export function deploymentCommand(): Command {
  return noun("deployment", "Run deployments and look after them", [
    ls(),
    inspect(),
    run(),
    pause(),
    resume(),
    remove(),
    backfill(),
    scheduleCommand(),
  ]);
}
