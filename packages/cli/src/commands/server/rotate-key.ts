import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function rotateKeyCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server rotate-key"))
    .action(async (_: unknown, command: Command) => {
      const { programSettings, rotateSealingKey } = await import("@orchestrator/server");
      const keyId = await rotateSealingKey(programSettings.read({ env: process.env }));
      printDone(sessionOf(command), `New sealing key: ${keyId}`, { key_id: keyId });
      say(
        "A server that runs seals everything with it within a minute; without one, run: orchestrator server reseal-secrets",
      );
    });
}
