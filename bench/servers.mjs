// Starts the servers under test, each a process in a temporary folder; none of them outlives this process.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqlite } from "./sqlite.mjs";

const CLI = fileURLToPath(new URL("../packages/cli/bin/orchestrator.mjs", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor.mjs", import.meta.url));
const START_MS = 60_000;

const running = new Set();
const folders = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/** The product. It keeps SQLite in `folder` unless a database is given. */
export async function startOurs({ name, folder = temporaryFolder(), databaseUrl, nodeArgs = [] }) {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(ORCHESTRATOR|UPTIME)_/.test(key));
  const env = { ...Object.fromEntries(inherited), ORCHESTRATOR_HOME: folder };
  if (databaseUrl !== undefined) env.ORCHESTRATOR_DATABASE_URL = databaseUrl;
  const child = spawn(process.execPath, [...nodeArgs, CLI, "server", "start", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return server({ name, child, folder, prefix: "/api", port: await portFromBanner(track(child)) });
}

/** The same table in a database of its own, behind bare HTTP. */
export async function startFloor({ name, commits, schema }) {
  const folder = temporaryFolder();
  const child = fork(FLOOR, [join(folder, "floor.db"), schema, commits]);
  const [port] = await started(track(child), once(child, "message"));
  return server({ name, child, folder, prefix: "", port });
}

export const databaseFile = (folder) => join(folder, "orchestrator.db");

/** The table as the product made it, so that the floor never falls behind it. */
export function readSchema(folder) {
  const db = openSqlite(databaseFile(folder));
  const { sql } = db.prepare("select sql from sqlite_master where name = 'variables'").get();
  db.close();
  return sql;
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "orchestrator-bench-"));
  folders.add(folder);
  return folder;
}

export function track(child) {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

function server({ name, child, folder, prefix, port }) {
  const origin = `http://127.0.0.1:${port}`;
  const metrics = async () => (await fetch(`${origin}/metrics`)).text();
  return {
    name,
    port,
    prefix,
    folder,
    metrics,
    async post(path, body) {
      const headers = { "content-type": "application/json" };
      return fetch(`${origin}${prefix}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    },
    get: (path) => fetch(`${origin}${prefix}${path}`),
    async cpuSeconds() {
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(await metrics())[1]);
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function portFromBanner(child) {
  let text = "";
  const found = new Promise((resolve) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  return started(child, found);
}

async function started(child, ready) {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`A server ended with ${code} instead of starting`);
  });
  const late = new AbortController();
  const timeout = once(AbortSignal.any([AbortSignal.timeout(START_MS), late.signal]), "abort").then(() => {
    throw new Error("A server did not start in time");
  });
  timeout.catch(() => {});
  ended.catch(() => {});
  try {
    return await Promise.race([ready, ended, timeout]);
  } finally {
    late.abort();
  }
}
