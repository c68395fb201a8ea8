// Checks: what one costs the server beside the least it could cost, and how late it is. A target in
// a process of its own writes down who came when.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { phaseOf } from "../packages/uptime/dist/monitors/due-times.rules.js";
import { startDatabase } from "./postgres.mjs";
import { databaseFile, endWithUs, startOurs, temporaryFolder } from "./servers.mjs";
import { openBenchSqlite, requireFromKernel } from "./sqlite.mjs";
import { measureHistory } from "./uptime-history.mjs";

const PASSWORD = "bench password";
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;
const CREATE_AT_ONCE = 16;
const LOOK_MS = 50;
const FIRST_ROUND_PATIENCE_MS = 120_000;
const WARM_UP_MS = 3000;
const HANG_TIMEOUT_MS = 5000;

const LOADS = [
  { title: "1,000 × 1 s", monitors: 1000, interval: 1 },
  { title: "10,000 × 10 s", monitors: 10_000, interval: 10 },
  { title: "1,000 × 1 s, 5 % hang", monitors: 1000, interval: 1, hanging: 0.05 },
];

const SETTINGS = {
  ORCHESTRATOR_SERVER_SERVICES: "uptime",
  UPTIME_PASSWORD: PASSWORD,
  UPTIME_MIN_INTERVAL: "1s",
};

export async function measureUptime({ sizes, seconds, postgres, only, onProgress }) {
  if (sizes !== undefined) return measureHistory({ sizes, postgres, onProgress, ...CLIENT });
  const target = await startTarget();
  const rows = [];
  try {
    for (const load of LOADS.filter(({ title }) => only === undefined || title.includes(only)))
      for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])]) {
        const row = await measureLoad({ ...load, engine, windowMs: seconds * 10_000 }, target);
        onProgress(`${engine}, ${load.title}`);
        rows.push(row);
      }
    return { rows };
  } finally {
    target.stop();
  }
}

async function measureLoad(load, target) {
  const database = load.engine === "PostgreSQL" ? await startDatabase() : undefined;
  const folder = temporaryFolder();
  const options = { name: load.title, folder, databaseUrl: database?.url, settings: SETTINGS };
  try {
    const first = await startOurs(options);
    const ids = await createMonitors(first, load, target.port);
    await first.stop();
    await enableAll(folder, database?.url);
    await target.take();

    const startedAt = performance.now();
    const server = await startOurs(options);
    const firstRoundMs = await untilAllCame(target, load, startedAt);
    await sleep(WARM_UP_MS);
    const ours = await watch(server, target, { ...load, ids });
    await server.stop();
    const schema = database === undefined ? readTable(folder) : null;
    const floor = schema === null ? null : await measureFloor(schema, target, load);
    return { ...load, firstRoundMs, ...ours, floor };
  } finally {
    await database?.stop();
  }
}

/** CPU of the server for each check, and how late each came; only of targets that answer. */
async function watch(server, target, { ids, interval, windowMs, monitors, hanging = 0 }) {
  await target.take();
  const [cpuBefore, began] = [cpuSeconds(server), performance.now()];
  await sleep(windowMs);
  const { arrivals, overlaps } = await target.take();
  const [cpuAfter, elapsedMs] = [cpuSeconds(server), performance.now() - began];
  const every = interval * 1000;
  const lateness = [];
  let checks = 0;
  for (let i = 0; i < arrivals.length; i += 2) {
    checks += 1;
    if (arrivals[i] < monitors * hanging) continue;
    const phase = phaseOf(ids[arrivals[i]]) * every;
    lateness.push((((arrivals[i + 1] - phase) % every) + every) % every);
  }
  const offered = monitors * (1 - hanging) * (elapsedMs / every);
  return {
    cpuMicros: ((cpuAfter - cpuBefore) / checks) * 1e6,
    perSecond: (checks / elapsedMs) * 1000,
    doneShare: lateness.length / offered,
    overlaps,
    lateness: percentiles(lateness),
    rss: residentBytes(server),
  };
}

const TICKS_PER_SECOND = 100;

/**
 * From the system: to ask the server for its metrics, with thousands of monitors, is work of its
 * own.
 */
function cpuSeconds({ pid }) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentBytes({ pid }) {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}

async function measureFloor(schema, target, { monitors, interval, windowMs }) {
  const folder = temporaryFolder();
  const args = [join(folder, "floor.db"), JSON.stringify(schema), target.port, monitors, interval];
  const child = endWithUs(
    fork(fileURLToPath(new URL("uptime-floor.mjs", import.meta.url)), args.map(String)),
  );
  await once(child, "message");
  await sleep(WARM_UP_MS);
  const before = await ask(child, "figures");
  await sleep(windowMs / 2);
  const after = await ask(child, "figures");
  child.disconnect();
  await target.take();
  const checks = after.done - before.done;
  return { cpuMicros: ((after.cpuSeconds - before.cpuSeconds) / checks) * 1e6, checks };
}

async function startTarget() {
  const child = endWithUs(fork(fileURLToPath(new URL("uptime-target.mjs", import.meta.url))));
  const [{ port }] = await once(child, "message");
  return {
    port,
    take: () => ask(child, "take"),
    seen: async () => (await ask(child, "count")).seen,
    stop: () => child.disconnect(),
  };
}

async function ask(child, command) {
  child.send({ command });
  const [answer] = await once(child, "message");
  return answer;
}

/** From the start of the process until every monitor was checked once. */
async function untilAllCame(target, { monitors }, startedAt) {
  while (performance.now() - startedAt < FIRST_ROUND_PATIENCE_MS) {
    if ((await target.seen()) >= monitors) return performance.now() - startedAt;
    await sleep(LOOK_MS);
  }
  return Number.NaN;
}

async function createMonitors(server, { monitors, interval, hanging = 0 }, port) {
  const ids = new Array(monitors);
  const left = ids.keys();
  const create = async () => {
    for (const n of left) {
      const hangs = n < monitors * hanging;
      ids[n] = await createMonitor(server, {
        name: `monitor ${n}`,
        url: `http://127.0.0.1:${port}/${n}${hangs ? "?hang" : ""}`,
        interval,
        // Enabled later: while they are made, none is checked.
        enabled: false,
        ...(hangs && { pipeline: [{ type: "http", timeout_ms: HANG_TIMEOUT_MS, retries: 0 }] }),
      });
    }
  };
  await Promise.all(Array.from({ length: CREATE_AT_ONCE }, create));
  return ids;
}

async function enableAll(folder, databaseUrl) {
  if (databaseUrl === undefined) {
    const db = openBenchSqlite(databaseFile(folder));
    db.exec("update monitors set enabled = 1");
    db.close();
    return;
  }
  const { Client } = requireFromKernel("pg");
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query("update monitors set enabled = true");
  await client.end();
}

async function createMonitor({ port }, monitor) {
  const answer = await fetch(`http://127.0.0.1:${port}/uptime/api/monitors`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: AUTHORIZATION },
    body: JSON.stringify(monitor),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text).id;
}

const CLIENT = { settings: SETTINGS, authorization: AUTHORIZATION, createMonitor };

/** The table and its indexes as the product made them, so that the floor never falls behind it. */
function readTable(folder) {
  const db = openBenchSqlite(databaseFile(folder));
  const rows = db
    .prepare(
      "select sql from sqlite_master where tbl_name = 'check_results' and sql is not null order by type desc",
    )
    .all();
  db.close();
  return rows.map(({ sql }) => sql);
}

function percentiles(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) };
}
