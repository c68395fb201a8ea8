import type { RunningServer } from "@orchestrator/server";
import { Command } from "commander";
import { examples } from "../../io/command.ts";
import { say } from "../../io/print.ts";
import { banner } from "./banner.ts";
import { ensureLocalPool, LOCAL_POOL, type LocalWorker, startLocalWorker } from "./local-worker.ts";

interface StartFlags {
  readonly host?: string;
  readonly port?: string;
  readonly services?: string;
  readonly dialect?: string;
  readonly worker?: boolean;
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
    .option("--worker", `also start a worker for the work pool ${LOCAL_POOL}, as npm start does`)
    .option("--no-worker", "do not")
    .addHelpText("after", examples("server start", "server start --port 8080 --services uptime"))
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
  const { services, authMode } = settings.server;
  const isWanted = flags.worker === true && services.includes("orchestrator");
  // Where everybody has to say who they are, a worker needs a key of its own.
  const hasWorker = isWanted && authMode === "open";
  if (isWanted && !hasWorker)
    say(
      "No local worker: it would need credentials. Start one with them: orchestrator worker start",
    );
  const beside: { worker: LocalWorker | null } = { worker: null };
  stopOnSignal(server, beside);
  if (hasWorker) await ensureLocalPool(server.url);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(banner({ version: VERSION, seconds, server, settings, hasWorker }));
  if (hasWorker) beside.worker = startLocalWorker(server.url);
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
function stopOnSignal(
  server: RunningServer,
  beside: { readonly worker: LocalWorker | null },
): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    // Its last words are for the server.
    await beside.worker?.stop();
    await server.stop();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      beside.worker?.hurry();
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
    isStopping = true;
    process.stderr.write(`${signal}: finishing what is in flight; once more stops at once\n`);
    stop().then(
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
