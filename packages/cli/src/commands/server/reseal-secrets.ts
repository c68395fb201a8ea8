import { Command } from "commander";
import { examples } from "../../io/command.ts";

export function resealSecretsCommand(): Command {
  return new Command("reseal-secrets")
    .description(
      "Seal everything with the newest key at once; a server that runs does it by itself within a minute",
    )
    .addHelpText("after", examples("server reseal-secrets"))
    .action(async () => {
      const { programSettings, resealSecrets } = await import("@orchestrator/server");
      const settings = programSettings.read({ env: process.env });
      const { resealed, problems } = await resealSecrets(settings);
      process.stdout.write(`Resealed: ${resealed}\n`);
      for (const problem of problems) process.stderr.write(`orchestrator: ${problem.message}\n`);
      if (problems.length > 0) process.exitCode = 1;
    });
}
