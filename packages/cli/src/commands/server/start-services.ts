import { Command } from "commander";
import { examples } from "../../io/command.ts";
import { print, say } from "../../io/print.ts";

export function startServices(): Command {
  return new Command()
    .option(
      "--services <names>",
      "orchestrator, uptime or both, separated by a comma (default: both)",
    )
    .addHelpText(
      "after",
      `
For PostgreSQL, where any number of servers share the work: what only one may do is taken over when that one ends, checks of monitors
are divided among all. A database that is a file belongs to its server, which does the work itself.
${examples("server services start", "server services start --services uptime")}`,
    )
    .action(async ({ services }: { readonly services?: string }) => {
      const { recordServer: noteServer } = await import("./running-servers.ts");
      const { stopOnSignal } = await import("./stop-on-signal.ts");
      const { programSettings, startBackgroundServices, unknownSettingWarnings, VERSION } =
        await import("@orchestrator/server");
      for (const warning of unknownSettingWarnings(process.env)) say(`orchestrator: ${warning}`);
      const override = services && { flag: "--services", text: services };
      const settings = programSettings.read({
        env: process.env,
        overrides: override ? { "server.services": override } : {},
      });
      const running = await startBackgroundServices(settings, {
        tell: ({ label, text }) => print(`${label}  ${text}`),
      });
      stopOnSignal(running);
      const url = `background-services:${process.pid}`;
      process.once("exit", noteServer(settings.home, { pid: process.pid, url }));
      const names = settings.server.services.join(", ");
      print(
        `Orchestrator ${VERSION} does the background work of ${names}\nDatabase  ${running.database}`,
      );
    });
}
