import type { RunningServer } from "@orchestrator/server";
import { Command } from "commander";
import { banner } from "./banner.ts";

interface StartFlags {
  readonly host?: string;
  readonly port?: string;
  readonly services?: string;
  readonly dialect?: string;
}

export function startCommand(): Command {
  return new Command("start")
    .description("Start the server; settings come from the environment, flags win")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "port to listen on (default: 4200)")
    .option(
      "--services <names>",
      "orchestrator, uptime or both, separated by a comma (default: both)",
    )
    .option("--dialect <name>", "orchestrator or prefect (default: orchestrator)")
    .action(start);
}

async function start(flags: StartFlags): Promise<void> {
  const startedAt = performance.now();
  const { programSettings, startServer, unknownSettingWarnings, VERSION } = await import(
    "@orchestrator/server"
  );
  for (const warning of unknownSettingWarnings(process.env))
    process.stderr.write(`orchestrator: ${warning}\n`);
  const settings = programSettings.read({ env: process.env, overrides: overridesFrom(flags) });
  const server = await startServer(settings);
  stopOnSignal(server);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(banner({ version: VERSION, seconds, server, settings }));
}

function overridesFrom({ host, port, services, dialect }: StartFlags) {
  const override = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : { flag, text };
  return {
    "server.host": override("--host", host),
    "server.port": override("--port", port),
    "server.services": override("--services", services),
    "server.dialect": override("--dialect", dialect),
  };
}

/** The first signal stops in order; a second one means now. */
function stopOnSignal(server: RunningServer): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(signal === "SIGINT" ? 130 : 143);
    isStopping = true;
    process.stderr.write(`${signal}: finishing what is in flight; once more stops at once\n`);
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`orchestrator: could not stop in order: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
