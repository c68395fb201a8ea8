import { Command } from "commander";
import { examples } from "../../io/command.ts";

export function settingsCommand(): Command {
  return new Command("settings")
    .description("Show every setting with its value in force, secrets masked")
    .option("--json", "as JSON")
    .addHelpText("after", examples("server settings", "server settings --json"))
    .action(async ({ json }: { readonly json?: true }) => {
      const { settingsInForce } = await import("@orchestrator/server");
      const rows = settingsInForce(process.env);
      if (json) {
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
        return;
      }
      const width = Math.max(...rows.map(({ name }) => name.length));
      for (const { name, value, summary } of rows) {
        process.stdout.write(`${name.padEnd(width)}  ${value}\n${" ".repeat(width)}  ${summary}\n`);
      }
    });
}
