import type { RunningServer } from "@orchestrator/server";
import { Command } from "commander";
import { examples } from "../../io/command.ts";
import { banner } from "./banner.ts";
import { ensureLocalPool, LOCAL_POOL, type LocalWorker, startLocalWorker } from "./local-worker.ts";
import { noteServer } from "./running-servers.ts";
import { startInBackground } from "./start-in-background.ts";

interface StartFlags {
  readonly host?: string;
  readonly port?: string;
  readonly services?: string;
  readonly dialect?: string;
  readonly worker?: boolean;
  readonly background?: true;
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
    .option("-b, --background", "return once it is ready; `server stop` stops it")
    .addHelpText(
      "after",
      examples(
        "server start",
        "server start --background --worker",
        "server start --port 8080 --services uptime",
      ),
    )
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
  if (flags.background) return startInBackground(settings.home, wordsOf(flags));
  const server = await startServer(settings);
  const hasWorker = flags.worker === true && settings.server.services.includes("orchestrator");
  const credentials = hasWorker ? await server.workerCredentials() : {};
  const beside: { worker: LocalWorker | null } = { worker: null };
  stopOnSignal(server, beside);
  if (hasWorker) await ensureLocalPool(server.url, credentials);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(banner({ version: VERSION, seconds, server, settings, hasWorker }));
  process.once("exit", noteServer(settings.home, { pid: process.pid, url: server.url }));
  if (hasWorker) beside.worker = startLocalWorker(server.url, credentials);
}

/** The same flags once more, for the one that goes on in the background. */
const wordsOf = ({ host, port, services, dialect, worker }: StartFlags): string[] => [
  ...Object.entries({ host, port, services, dialect }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  ),
  ...(worker === true ? ["--worker"] : []),
];

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
