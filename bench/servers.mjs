// Starts the servers under test, each a process in a temporary folder; none of them outlives this
// process.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBenchSqlite } from "./sqlite.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor.mjs", import.meta.url));
const RUNS_FLOOR = fileURLToPath(new URL("runs-floor.mjs", import.meta.url));
const OWN_SETTINGS = /^(ORCHESTRATOR|UPTIME)_/;

const STOP_MS = 30_000;

/** What `npm start` tells Node. Floors are told the same. */
function nodeFlags(checkout) {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

const running = new Set();
const folders = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/**
 * The product. It keeps SQLite in `folder` unless a database is given; `checkout` is the folder of
 * another version, which is built.
 */
export async function startOurs({ name, folder = temporaryFolder(), databaseUrl, ...options }) {
  const { settings = {}, checkout = ROOT } = options;
  const inherited = Object.entries(process.env).filter(([key]) => !OWN_SETTINGS.test(key));
  const env = { ...Object.fromEntries(inherited), ...settings, ORCHESTRATOR_HOME: folder };
  if (databaseUrl !== undefined) env.ORCHESTRATOR_DATABASE_URL = databaseUrl;
  const cli = join(checkout, "packages", "cli", "bin", "orchestrator.mjs");
  const child = endWithUs(
    spawn(process.execPath, [...nodeFlags(checkout), cli, "server", "start", "--port", "0"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  child.stderr.pipe(process.stderr);
  const banner = fromBanner(child);
  const port = await portOf(child, banner.port);
  const ownerKey =
    settings.ORCHESTRATOR_SERVER_AUTH_MODE === "accounts" ? await banner.ownerKey : undefined;
  return asServer({ name, child, folder, port, ownerKey });
}

/** The same table in a database of its own, behind bare HTTP. */
export function startFloor({ name, commits, schema }) {
  const folder = temporaryFolder();
  return startBare({
    name,
    folder,
    program: FLOOR,
    args: [join(folder, "floor.db"), schema, commits],
  });
}

/**
 * Runs on a copy of the product's database, which nobody has open; `record` is a run as the product
 * answers it.
 */
export function startRunsFloor({ name, original, record }) {
  const folder = temporaryFolder();
  copyFileSync(databaseFile(original), databaseFile(folder));
  return startBare({ name, folder, program: RUNS_FLOOR, args: [databaseFile(folder), record] });
}

async function startBare({ name, folder, program, args }) {
  const child = endWithUs(fork(program, args, { execArgv: nodeFlags(ROOT) }));
  const port = await portOf(child, once(child, "message"));
  return asServer({ name, child, folder, port });
}

export const databaseFile = (folder) => join(folder, "orchestrator.db");

/** The table as the product made it, so that the floor never falls behind it. */
export function readSchema(folder) {
  const db = openBenchSqlite(databaseFile(folder));
  const { sql } = db.prepare("select sql from sqlite_master where name = 'variables'").get();
  db.close();
  return sql;
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "orchestrator-bench-"));
  folders.add(folder);
  return folder;
}

export function endWithUs(child) {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/**
 * `cpuSeconds` is for a server without our metrics, `ownerKey` for one that shows them to its owner
 * alone.
 */
export function asServer({ name, child, folder, port, cpuSeconds, ownerKey }) {
  const origin = `http://127.0.0.1:${port}`;
  const headers = ownerKey === undefined ? {} : { authorization: `Bearer ${ownerKey}` };
  const metrics = async () => (await fetch(`${origin}/metrics`, { headers })).text();
  return {
    name,
    port,
    ownerKey,
    pid: child.pid,
    folder,
    metrics,
    get: (path) => fetch(`${origin}${path}`),
    post: (path, body) => fetch(`${origin}${path}`, jsonRequest(body)),
    cpuSeconds:
      cpuSeconds ??
      (async () => Number(/^process_cpu_seconds_total (\S+)$/m.exec(await metrics())?.[1])),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      // What it says about stopping is of no interest here.
      child.stderr?.unpipe().resume();
      child.kill("SIGTERM");
      const patience = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(patience);
    },
  };
}

function jsonRequest(body) {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/** The port, and the key that a server with accounts tells at its first start. */
function fromBanner(child) {
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const told = (pattern) =>
    new Promise((resolve) => {
      child.stdout.on("data", () => {
        const [, found] = pattern.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
  return {
    port: told(/http:\/\/127\.0\.0\.1:(\d+)/).then((port) => [port]),
    ownerKey: told(/(orc_[\w-]{43})/),
  };
}

async function portOf(child, told) {
  const ended = once(child, "exit").then(([code]) => [undefined, code]);
  const [port, code] = await Promise.race([told, ended]);
  if (port === undefined) throw new Error(`A server ended with ${code} instead of starting`);
  return Number(port);
}
