// The program as a user runs it: the built command in a process of its own.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { retryUntil } from "./until.ts";

export type ServerEnv = Readonly<Record<string, string>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A run of the command, whether or not it becomes a server. */
export interface CommandProcess extends AsyncDisposable {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves when the process is gone and all it printed has arrived. */
  readonly exited: Promise<Exit>;
}

export interface ServerProcess extends CommandProcess {
  /** Without a slash at the end. */
  readonly url: string;
}

export interface FinishedCommand extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServerOptions {
  readonly home: string;
  /** Default: the file in the data folder. */
  readonly databaseUrl?: string;
  readonly flags?: readonly string[];
  readonly env?: ServerEnv;
}

/** A server with accounts; the links that it makes lead nowhere. */
export const ACCOUNTS_MODE_ENV: ServerEnv = {
  ORCHESTRATOR_SERVER_AUTH_MODE: "accounts",
  ORCHESTRATOR_AUTH_PUBLIC_URL: "https://orchestrator.example",
};

type Child = ChildProcessByStdio<null, Readable, Readable>;

const COMMAND = new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url);
const BUILT = new URL("../../packages/cli/dist/bundle/main.js", import.meta.url);
const BANNER = /is ready[^]*^ {2}UI +(?<url>\S+)\/\n[^]*^ {2}Database [^]*\n\n/m;

const running = new Set<Child>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Nothing of the caller's environment but the path, so that no setting of theirs changes what is
 * tested.
 */
function launch(
  args: readonly string[],
  env: ServerEnv,
  nodeFlags: readonly string[] = [],
): CommandProcess {
  if (!existsSync(BUILT)) {
    throw new Error(
      "packages/cli/dist/bundle/main.js is missing: run `npm run build` before the tests that start processes, or `npm test`, which builds first",
    );
  }
  const child = spawn(process.execPath, [...nodeFlags, fileURLToPath(COMMAND), ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw new Error("The command could not be started");
  running.add(child);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exited = untilClosed(child);
  return {
    pid: child.pid,
    stdout,
    stderr,
    exited,
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Runs the command to its end; it must not become a server. */
export async function runCommand(
  args: readonly string[],
  env: ServerEnv,
): Promise<FinishedCommand> {
  await using command = launch(args, env);
  const end = await untilReadyOrEnded(command);
  if (end.url !== null) throw new Error(`It became a server:\n${command.stdout()}`);
  return { ...end.exit, stdout: command.stdout(), stderr: command.stderr() };
}

/** Runs the command for as long as it wants. */
export function launchCommand(
  args: readonly string[],
  env: ServerEnv,
  nodeFlags?: readonly string[],
): CommandProcess {
  return launch(args, env, nodeFlags);
}

export function launchServer(options: ServerOptions): CommandProcess {
  const { flags = [], env = {} } = options;
  return launch(["server", "start", "--port", "0", ...flags], { ...settingsOf(options), ...env });
}

/** Starts a server on a free port; resolves once it has said where it is. */
export async function startReadyServer(options: ServerOptions): Promise<ServerProcess> {
  return untilReady(launchServer(options));
}

export async function untilReady(command: CommandProcess): Promise<ServerProcess> {
  const end = await untilReadyOrEnded(command);
  if (end.url !== null) return { ...command, url: end.url };
  const { code, signal } = end.exit;
  throw new Error(
    `The server did not start (${code ?? signal}):\n${command.stdout()}${command.stderr()}`,
  );
}

type End = { readonly url: string } | { readonly url: null; readonly exit: Exit };

async function untilReadyOrEnded(command: CommandProcess): Promise<End> {
  let exit: Exit | undefined;
  void command.exited.then((seen) => {
    exit = seen;
  });
  try {
    return await retryUntil((): End => {
      const url = BANNER.exec(command.stdout())?.groups?.["url"];
      if (url !== undefined) return { url };
      if (exit !== undefined) return { url: null, exit };
      const printed = command.stdout() + command.stderr();
      throw new Error(`It has neither said that it is ready nor ended:\n${printed}`);
    });
  } catch (error) {
    await command[Symbol.asyncDispose]();
    throw error;
  }
}

export function settingsOf({ home, databaseUrl }: ServerOptions): ServerEnv {
  const settings = { ORCHESTRATOR_HOME: home };
  return databaseUrl === undefined
    ? settings
    : { ...settings, ORCHESTRATOR_DATABASE_URL: databaseUrl };
}

async function untilClosed(child: Child): Promise<Exit> {
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  running.delete(child);
  return { code, signal };
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
