import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function resealSecretsCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server reseal-secrets"))
    .action(async (_: unknown, command: Command) => {
      const { programSettings, resealAllSecrets: resealSecrets } = await import(
        "@orchestrator/server"
      );
      const settings = programSettings.read({ env: process.env });
      const { resealed, problems } = await resealSecrets(settings);
      const messages = problems.map(({ message }) => message);
      printDone(sessionOf(command), `Resealed: ${resealed}`, { resealed, problems: messages });
      for (const message of messages) say(`orchestrator: ${message}`);
      if (messages.length > 0) process.exitCode = 1;
    });
}
