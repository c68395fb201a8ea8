import { Command } from "commander";
import { examples } from "../../io/command.ts";

export function rotateKeyCommand(): Command {
  return new Command("rotate-key")
    .description("Make a new sealing key; older keys still open what they sealed")
    .addHelpText("after", examples("server rotate-key"))
    .action(async () => {
      const { programSettings, rotateSealingKey } = await import("@orchestrator/server");
      const keyId = await rotateSealingKey(programSettings.read({ env: process.env }));
      process.stdout.write(`New sealing key: ${keyId}\n`);
      process.stdout.write(
        "A server that runs seals everything with it within a minute; without one, run: orchestrator server reseal-secrets\n",
      );
    });
}
