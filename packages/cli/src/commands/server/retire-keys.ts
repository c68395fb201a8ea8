import { Command } from "commander";
import { examples } from "../../io/command.ts";

export function retireKeysCommand(): Command {
  return new Command("retire-keys")
    .description("Remove older sealing keys, once nothing is sealed with them any more")
    .addHelpText("after", examples("server retire-keys"))
    .action(async () => {
      const { programSettings, retireSealingKeys } = await import("@orchestrator/server");
      const settings = programSettings.read({ env: process.env });
      const { unused, areRemoved } = await retireSealingKeys(settings);
      if (unused.length === 0) process.stdout.write("There is no older key\n");
      else if (areRemoved) process.stdout.write(`Removed: ${unused.join(", ")}\n`);
      else
        process.stdout.write(
          `Nothing needs these any more: ${unused.join(", ")}. Take all keys but the first out of ORCHESTRATOR_SECRET_KEY and restart.\n`,
        );
    });
}
