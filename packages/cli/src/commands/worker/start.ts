import type { RunningWorker, WorkerOptions } from "@orchestrator/sdk/worker";
import { Command } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { examples } from "../../io/command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { print, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError, UsageError } from "../../output/fail.ts";
import { dim } from "../../output/style.ts";

interface StartFlags {
  readonly pool: string;
  readonly type?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly workQueue: readonly string[];
  readonly grace?: number;
  readonly drain?: number;
  readonly reschedule?: true;
  readonly withHealthcheck?: true;
}

const HEALTH_PORT = 8080;

export function startWorkerCommand(): Command {
  return new Command()
    .requiredOption("-p, --pool <name>", "whose runs; a pool that is missing is made")
    .option("--type <type>", "of the pool: process, docker or kubernetes (default: the pool's)")
    .option("-n, --name <name>", "what the worker is called")
    .option("--limit <count>", "how many runs at once (default: 10)", parseWholeNumber(1))
    .option(
      "-q, --work-queue <name>",
      "only from this queue; may be given several times",
      (queue, queues: string[]) => [...queues, queue],
      [],
    )
    .option(
      "--grace <seconds>",
      "how long a cancelled job may take to end before it is killed (default: 30)",
      count("--grace", 0),
    )
    .option(
      "--drain <seconds>",
      "how long jobs may go on when the worker is stopped (default: 30)",
      count("--drain", 0),
    )
    .option("--reschedule", "schedule runs again whose jobs a stop had to end")
    .option(
      "--with-healthcheck",
      "answer GET /health on ORCHESTRATOR_WORKER_HEALTH_HOST:ORCHESTRATOR_WORKER_HEALTH_PORT (0.0.0.0:8080)",
    )
    .addHelpText(
      "after",
      examples(
        "worker start --pool local",
        "worker start --pool local --limit 4 --work-queue urgent --name worker-1",
        "worker start --pool containers --type docker --with-healthcheck",
      ),
    )
    .action(async (flags: StartFlags, command: Command) => {
      useProfile(command);
      await startUntilStopped(sessionOf(command), flags);
    });
}

const count =
  (flag: string, least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= least) return value;
    throw new MisuseError(`${flag} must be a number from ${least} on, not ${text}`);
  };

/** The worker and its jobs speak to the server that the profile names. */
function useProfile(command: Command): void {
  const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
  const { settings } = clientLibrary().resolveConfig({ profile });
  process.env["ORCHESTRATOR_API_URL"] = settings.ORCHESTRATOR_API_URL.value;
  for (const name of ["ORCHESTRATOR_API_KEY", "ORCHESTRATOR_API_AUTH_STRING"] as const) {
    const secret = settings[name]?.value;
    if (secret !== undefined) process.env[name] = secret;
  }
}

async function startUntilStopped(session: CliSession, flags: StartFlags): Promise<void> {
  const { runnerOf, serveHealth, startWorker, WORKER_TYPES } = await import(
    "@orchestrator/sdk/worker"
  );
  const type = await typeOf(session, flags);
  const runner = runnerOf(type);
  if (runner === undefined) {
    throw new UsageError(
      `The pool ${flags.pool} is of type ${type}; this worker can do ${WORKER_TYPES.join(", ")}`,
    );
  }
  const stop = stopOnSignals();
  const worker = await startWorker(runner, optionsFrom(flags));
  stop.watch(worker);
  const health = flags.withHealthcheck ? await serveHealth(worker, healthAddress()) : null;
  say(`Worker ${worker.name} asks for runs of the work pool ${flags.pool} (${type})`);
  await stop.finished;
  health?.close();
  process.exit(0);
}

function optionsFrom(flags: StartFlags): WorkerOptions {
  const { pool, name, limit, workQueue, grace, drain, reschedule } = flags;
  return {
    pool,
    ...(name !== undefined && { name }),
    ...(limit !== undefined && { limit }),
    queues: workQueue,
    ...(grace !== undefined && { graceSeconds: grace }),
    ...(drain !== undefined && { drainSeconds: drain }),
    reschedules: reschedule === true,
    tell: say,
    show: (run, text) => print(`${dim(`${run} |`)} ${text}`),
  };
}

/**
 * Asked once; a server that is away is waited for later, and a pool that is missing is made for
 * processes.
 */
async function typeOf({ client }: CliSession, { pool, type }: StartFlags): Promise<string> {
  const found = await client.workPools.read(pool, { retries: 0 }).catch(() => null);
  if (found !== null && type !== undefined && found.type !== type) {
    throw new UsageError(`The work pool ${pool} is of type ${found.type}, not ${type}`);
  }
  return found?.type ?? type ?? "process";
}

function healthAddress(): { readonly host: string; readonly port: number } {
  const port = process.env["ORCHESTRATOR_WORKER_HEALTH_PORT"];
  return {
    host: process.env["ORCHESTRATOR_WORKER_HEALTH_HOST"] ?? "0.0.0.0",
    port: port === undefined ? HEALTH_PORT : count("ORCHESTRATOR_WORKER_HEALTH_PORT", 0)(port),
  };
}

interface Stop {
  readonly watch: (worker: RunningWorker) => void;
  readonly finished: Promise<void>;
}

/**
 * The first signal lets jobs end; a second one kills them. So does the end of whoever started the
 * worker beside itself.
 */
function stopOnSignals(): Stop {
  let worker: RunningWorker | null = null;
  let isStopping = false;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const onSignal = (signal: NodeJS.Signals): void => {
    if (worker === null) process.exit(0);
    if (isStopping) {
      void worker.kill().finally(() => process.exit(signal === "SIGINT" ? 130 : 143));
      return;
    }
    isStopping = true;
    say(`${signal}: no more runs are taken; once more kills the jobs`);
    void worker.stop().then(finish);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // Who started it may be gone before this is read; `send` stays when the channel is broken.
  if (process.connected) process.once("disconnect", () => onSignal("SIGTERM"));
  else if (process.send !== undefined) onSignal("SIGTERM");
  return {
    finished,
    watch(running) {
      worker = running;
    },
  };
}
