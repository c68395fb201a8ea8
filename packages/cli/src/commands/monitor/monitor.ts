import type { Command } from "commander";
import { noun } from "../../io/command.ts";
import { alert } from "./alert.ts";
import { apply } from "./apply.ts";
import { create, remove, switchTo, update } from "./change.ts";
import { check, test } from "./check.ts";
import { exportCommand } from "./export.ts";
import { acknowledge, incidents, results, stats } from "./history.ts";
import { inspect, ls } from "./look.ts";

export function monitorCommand(): Command {
  return noun("monitor", "Watch services and see how they have been", [
    ls(),
    inspect(),
    create(),
    update(),
    switchTo(false),
    switchTo(true),
    check(),
    test(),
    results(),
    incidents(),
    acknowledge(),
    stats(),
    alert(),
    exportCommand(),
    apply(),
    remove(),
  ]);
}
