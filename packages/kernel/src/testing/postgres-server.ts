// A real PostgreSQL server of our own for tests: one data folder, one port, started and stopped at
// will.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { access, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { giveTo, makeDataFolder } from "./postgres-data.ts";

export interface TestPostgresOptions {
  /**
   * An existing folder to keep the data in; it is left alone at the end. Default: a temporary one.
   */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly port?: number;
  /**
   * Acknowledged commits survive the death of the machine, at the price of speed. Default: false.
   */
  readonly durable?: boolean;
  /** The superuser's name. Default: postgres. */
  readonly user?: string;
}

/** `fast` breaks off connections and shuts down in order, `immediate` is a crash. */
export type StopMode = "fast" | "immediate";

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly start: () => Promise<void>;
  readonly stop: (mode: StopMode) => Promise<void>;
}

interface Installation {
  readonly binaries: PostgresBinaries;
  readonly folder: string;
  readonly dataDir: string;
  readonly port: number;
  readonly user: string;
  readonly durable: boolean;
}

interface Running {
  readonly server: ChildProcess;
  readonly guard: ChildProcess;
}

const STOP_SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;
const START_DEADLINE_MS = 60_000;

// Its standard input ends with the process that started it.
const GUARD = `
read -r _
kill -QUIT "$1"
for attempt in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || break; sleep 0.2; done
rm -rf "$2"
`;

export async function startPostgres(options: TestPostgresOptions = {}): Promise<PostgresServer> {
  const installation = await install(options);
  let running: Running | undefined;

  async function start(): Promise<void> {
    if (running !== undefined) throw new Error(`PostgreSQL on ${installation.port} already runs`);
    running = await launch(installation);
  }
  async function stop(mode: StopMode): Promise<void> {
    const { server, guard } = running ?? {};
    running = undefined;
    if (server === undefined || guard === undefined) return;
    await endProcess(server, STOP_SIGNALS[mode]);
    dismiss(guard);
  }
  async function dispose(): Promise<void> {
    await stop("immediate");
    await rm(installation.folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url: `postgres://${installation.user}@127.0.0.1:${installation.port}/postgres`,
    port: installation.port,
    dataDir: installation.dataDir,
    start,
    stop,
    [Symbol.asyncDispose]: dispose,
  };
}

async function install(options: TestPostgresOptions): Promise<Installation> {
  const binaries = await findPostgresBinaries();
  const port = options.port ?? (await findFreePort());
  const folder = await mkdtemp(join(tmpdir(), "orchestrator-postgres-run-"));
  const installation = {
    binaries,
    folder,
    dataDir: options.dataDir ?? join(folder, "data"),
    port,
    user: options.user ?? "postgres",
    durable: options.durable ?? false,
  };
  await giveTo(binaries, folder);
  if (options.dataDir !== undefined) await giveTo(binaries, options.dataDir);
  if (await exists(join(installation.dataDir, "PG_VERSION"))) return installation;
  try {
    await makeDataFolder(binaries, installation.dataDir, installation.user);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return installation;
}

async function launch(installation: Installation): Promise<Running> {
  const { binaries, folder, dataDir } = installation;
  const args = ["-D", dataDir, ...settings(installation).flatMap((setting) => ["-c", setting])];
  const server = await run(binaries, { folder, command: binaries.postgres, args });
  const guard = await guardAgainstOrphaning(server, folder);
  try {
    await untilReady(server, dataDir);
  } catch (error) {
    await endProcess(server, "SIGQUIT");
    dismiss(guard);
    throw new Error(`PostgreSQL did not start:\n${await readLog(folder)}`, { cause: error });
  }
  // A caller that forgot to stop it can still end; the guard cleans up.
  server.unref();
  return { server, guard };
}

function settings({ port, durable }: Installation): string[] {
  const always = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=300",
    "log_checkpoints=off",
  ];
  return durable
    ? always
    : [
        ...always,
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        // Nothing lives long enough to need it, and plans do not depend on when it last came by.
        "autovacuum=off",
      ];
}

interface Command {
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
}

async function run(binaries: PostgresBinaries, { folder, command, args }: Command) {
  await using log = await open(logFile(folder), "a");
  const child = spawn(command, args, {
    ...binaries.account,
    cwd: folder,
    // Nothing else, so that no PG… variable of the caller changes what is started.
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    // Its own process group: an interrupt typed at the terminal is for the tests, which then stop
    // it.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  await once(child, "spawn");
  return child;
}

/**
 * Waits for the end of this process, however it comes, and then ends the server and removes its
 * folder.
 */
async function guardAgainstOrphaning(server: ChildProcess, folder: string): Promise<ChildProcess> {
  const guard = spawn("/bin/sh", ["-c", GUARD, "sh", String(server.pid), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(guard, "spawn");
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

function dismiss(guard: ChildProcess): void {
  guard.kill("SIGKILL");
  guard.stdin?.destroy();
}

/**
 * The server writes its condition into the last line of this file, as its own control program
 * expects.
 */
async function untilReady(server: ChildProcess, dataDir: string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (hasEnded(server) === false) {
    const content = await readFile(join(dataDir, "postmaster.pid"), "utf8").catch(() => "");
    const [pid, , , , , , , status] = content.split("\n");
    if (Number(pid) === server.pid && status?.trim() === "ready") return;
    if (Date.now() > deadline) throw new Error(`not ready after ${START_DEADLINE_MS} ms`);
    await sleep(10);
  }
  throw new Error(`ended with ${server.exitCode ?? server.signalCode}`);
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.ref();
  child.kill(signal);
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Below the range from which systems hand out ports for outgoing connections: while the server is
 * stopped, a client that keeps trying could otherwise be given its port, or connect to itself.
 */
async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error("no free port between 20000 and 32000");
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    const listening = once(probe, "listening");
    probe.listen(port, "127.0.0.1");
    await listening;
    return true;
  } catch {
    return false; // in use
  } finally {
    probe.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function logFile(folder: string): string {
  return join(folder, "postgres.log");
}

async function readLog(folder: string): Promise<string> {
  const log = await readFile(logFile(folder), "utf8").catch(() => "");
  return log.split("\n").slice(-30).join("\n").trim();
}
