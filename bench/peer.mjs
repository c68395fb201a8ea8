// Another server that takes the same requests, where one is installed: started in a folder of its
// own, never needed.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createServer } from "node:net";
import { basename, delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOfTree } from "./cpu-time.mjs";
import { asServer, endWithUs, temporaryFolder } from "./servers.mjs";

const START_SECONDS = 180;
const QUIET_LOOK_MS = 300;
const QUIET_LOOKS = 10;
const OWN_SETTINGS = /^(PREFECT|FASTAPI)_/;

/** The executable to start, or why there is none. */
export function findPeer(given) {
  if (given === "none") return { absence: "No other server was asked for." };
  const places = given === undefined ? namesOnPath("prefect") : [given];
  const command = places.find(isExecutable);
  if (command !== undefined) return { command };
  const place = given ?? "prefect on the PATH";
  return { absence: `No other server is measured: ${place} is not an executable file.` };
}

/**
 * Starts it on SQLite in a temporary folder, or on the PostgreSQL database at `databaseUrl`;
 * `settings` are variables of its own.
 */
export async function startPeer({ command, databaseUrl, settings = {} }) {
  const folder = temporaryFolder();
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([key]) => !OWN_SETTINGS.test(key));
  const env = {
    ...Object.fromEntries(inherited),
    PREFECT_HOME: folder,
    PREFECT_SERVER_ANALYTICS_ENABLED: "false",
    ...settings,
  };
  if (databaseUrl !== undefined) {
    const url = databaseUrl.replace(/^postgres(ql)?:/, "postgresql+asyncpg:");
    env.PREFECT_API_DATABASE_CONNECTION_URL = url;
  }
  const program = basename(command).startsWith("python") ? ["-m", "prefect"] : [];
  const args = [...program, "server", "start", "--port", String(port)];
  const child = endWithUs(spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] }));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said = (said + chunk).slice(-2000);
    });
  }
  const cpuSeconds = async () => cpuOfTree(child.pid);
  const server = asServer({ name: "peer", child, folder, port, cpuSeconds });
  await untilHealthy(server, child, () => said);
  const version = await (await server.get("/api/admin/version")).json();
  return {
    ...server,
    name: `Prefect ${version}`,
    // Its SQLite takes one writer at a time, and it is slow: fewer requests at once, and longer
    // looks.
    connections: databaseUrl === undefined ? 1 : 4,
    patience: 2,
    mostWarmUps: 1,
    quiet: () => untilQuiet(server),
  };
}

async function untilHealthy(server, child, lastWords) {
  for (let second = 0; second < START_SECONDS; second += 1) {
    if (child.exitCode !== null) break;
    const answer = await server.get("/api/health").catch(() => undefined);
    if (answer?.ok) return;
    await sleep(1000);
  }
  throw new Error(`The other server did not start; it said:\n${lastWords()}`);
}

/**
 * What it does after an answer must not be counted against the next request: waits until it is
 * done, or a while.
 */
async function untilQuiet(server) {
  let before = await server.cpuSeconds();
  for (let look = 0; look < QUIET_LOOKS; look += 1) {
    await sleep(QUIET_LOOK_MS);
    const after = await server.cpuSeconds();
    if (after - before < QUIET_LOOK_MS / 20_000) return;
    before = after;
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const namesOnPath = (name) =>
  (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
