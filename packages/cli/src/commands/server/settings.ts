import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { print, printJson } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function settingsCommand(): Command {
  return leaf()
    .addHelpText("after", examples("server settings", "server settings --json"))
    .action(async (_: unknown, command: Command) => {
      const { settingsInForce } = await import("@orchestrator/server");
      const rows = settingsInForce(process.env);
      if (sessionOf(command).json) return printJson(rows);
      const width = Math.max(...rows.map(({ name }) => name.length));
      for (const { name, value, summary } of rows)
        print(`${name.padEnd(width)}  ${value}\n${" ".repeat(width)}  ${summary}`);
    });
}
