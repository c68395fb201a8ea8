import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function retireKeysCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server retire-keys"))
    .action(async (_: unknown, command: Command) => {
      const { programSettings, retireSealingKeys } = await import("@orchestrator/server");
      const settings = programSettings.read({ env: process.env });
      const { unused, areRemoved } = await retireSealingKeys(settings);
      printDone(sessionOf(command), textOf(unused, areRemoved), { unused, removed: areRemoved });
    });
}

function textOf(unused: readonly string[], areRemoved: boolean): string {
  if (unused.length === 0) return "There is no older key";
  if (areRemoved) return `Removed: ${unused.join(", ")}`;
  return `Nothing needs these any more: ${unused.join(", ")}. Take all keys but the first out of ORCHESTRATOR_SECRET_KEY and restart.`;
}
