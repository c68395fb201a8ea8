import { setFlagsFromString } from "node:v8";
import { banner, bannerLine } from "./banner.ts";
import { ensureLocalPool, startLocalWorker } from "./local-worker.ts";
import { recordServer } from "./running-servers.ts";
import { startInBackground } from "./start-in-background.ts";
import { type Companion, stopOnSignal } from "./stop-on-signal.ts";

export interface StartFlags {
  readonly host?: string;
  readonly port?: string;
  readonly services?: string;
  readonly dialect?: string;
  readonly worker?: boolean;
  readonly background?: true;
}

/**
 * Node goes through all objects when there are twice as many as it last kept. By itself it does so
 * for every ten megabytes of answers where few clients ask, which took up to two fifths of the CPU
 * of a list.
 */
const UNHURRIED_COLLECTOR = "--heap-growing-percent=100";

/** Until it is told to stop. */
export async function runForegroundServer(flags: StartFlags): Promise<void> {
  const startedAt = performance.now();
  const {
    programSettings,
    startServerProcess: startServer,
    unknownSettingWarnings,
    VERSION,
  } = await import("@orchestrator/server");
  // One in the background warns itself, and all that it says is shown.
  for (const warning of flags.background ? [] : unknownSettingWarnings(process.env))
    process.stderr.write(`orchestrator: ${warning}\n`);
  const settings = programSettings.read({ env: process.env, overrides: overridesFrom(flags) });
  if (flags.background) return startInBackground(settings.home, wordsOf(flags));
  setFlagsFromString(UNHURRIED_COLLECTOR);
  const server = await startServer(settings, {
    tell: ({ label, text }) => process.stdout.write(`${bannerLine(label, text)}\n`),
  });
  const hasWorker = flags.worker === true && settings.server.services.includes("orchestrator");
  const credentials = hasWorker ? await server.workerCredentials() : {};
  const beside: Companion = { worker: null };
  stopOnSignal(server, beside);
  if (hasWorker) await ensureLocalPool(server.url, credentials);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(banner({ version: VERSION, seconds, server, settings, hasWorker }));
  process.once("exit", recordServer(settings.home, { pid: process.pid, url: server.url }));
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
