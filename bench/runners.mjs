// Runs of a deployment through a worker: throughput, and how long one waits until it is RUNNING.
// Through warm runners, and with a process for each run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startDatabase } from "./postgres.mjs";
import { endWithUs, startOurs, temporaryFolder } from "./servers.mjs";

const CLI = fileURLToPath(new URL("../packages/cli/bin/orchestrator.mjs", import.meta.url));
const SDK = new URL("../packages/sdk/dist/bundle/index.js", import.meta.url);
const FLOW = `import { flow, task } from ${JSON.stringify(SDK.href)};
const step = task({ name: "step" }, async (n) => n);
export const three = flow({ name: "three" }, async () => {
  for (const n of [1, 2, 3]) await step(n);
});
`;
const AT_ONCE = 8;
const AT_ONCE_CREATED = 100;
const PAGE = 200;
const MS_PER_TICK = 10;
const KINDS = [
  { title: "warm runners", isolation: "runner", perSecond: 20, backlogPerSecond: 150 },
  { title: "a process for each run", isolation: "process", perSecond: 1, backlogPerSecond: 3 },
];

/** `seconds` says how much work there is. */
export async function measureRunners({ seconds, postgres, onProgress }) {
  const engines = [];
  for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])]) {
    const database = engine === "PostgreSQL" ? await startDatabase() : undefined;
    const settings = { ORCHESTRATOR_LOG_LEVEL: "error" };
    const server = await startOurs({ name: engine, databaseUrl: database?.url, settings });
    const api = `http://127.0.0.1:${server.port}/api`;
    const worker = await startWorker(api);
    try {
      const kinds = [];
      for (const kind of KINDS) {
        kinds.push({ ...kind, ...(await measureKind({ api, server, worker, seconds }, kind)) });
        onProgress(`${engine}: ${kind.title}`);
      }
      engines.push({ engine, kinds });
    } finally {
      worker.kill("SIGTERM");
      await once(worker, "exit");
      await server.stop();
      await database?.stop();
    }
  }
  return { engines };
}

export async function startWorker(api) {
  const args = ["worker", "start", "--pool", "bench", "--limit", String(AT_ONCE)];
  const env = { ...process.env, ORCHESTRATOR_API_URL: api, ORCHESTRATOR_HOME: temporaryFolder() };
  const stdio = ["ignore", "ignore", "pipe"];
  const child = endWithUs(spawn(process.execPath, [CLI, ...args], { env, stdio }));
  await new Promise((resolve) => {
    child.stderr.on("data", (text) => {
      if (String(text).includes("asks for runs")) resolve();
    });
  });
  return child;
}

async function measureKind({ api, server, worker, seconds }, kind) {
  const { isolation, perSecond, backlogPerSecond } = kind;
  const id = await deployThree(api, isolation);
  await backlog(api, id, perSecond * 4);
  const count = Math.ceil(backlogPerSecond * seconds * 4);
  const before = await cpuMillis(server, worker.pid);
  const rate = await backlog(api, id, count);
  const after = await cpuMillis(server, worker.pid);
  const paced = await paceRuns(api, { id, perSecond, count: Math.ceil(perSecond * seconds * 4) });
  return { runs: count, rate, cpu: after.map((ms, part) => (ms - before[part]) / count), ...paced };
}

/** A deployment of a flow of three tasks for the worker. */
export async function deployThree(api, isolation) {
  const path = temporaryFolder();
  writeFileSync(join(path, "three.mjs"), FLOW);
  const { id: flow_id } = await post(api, "/flows/", { name: "three" });
  const deployment = { name: isolation, flow_id, work_pool_name: "bench", path };
  const more = { entrypoint: "three.mjs:three", job_variables: { isolation } };
  return (await post(api, "/deployments/", { ...deployment, ...more })).id;
}

/** Runs a second, of many that are created at once. */
export async function backlog(api, id, count) {
  const bodies = Array.from({ length: AT_ONCE_CREATED }, () => ({}));
  const ids = [];
  while (ids.length < count) {
    const part = bodies.slice(0, count - ids.length);
    const { results } = await post(api, `/deployments/${id}/create_flow_run/bulk`, part);
    ids.push(...results.map(({ flow_run_id }) => flow_run_id));
  }
  const runs = await untilEnded(api, ids);
  const begin = Math.min(...runs.map(({ start_time }) => Date.parse(start_time)));
  const end = Math.max(...runs.map(({ end_time }) => Date.parse(end_time)));
  return (count * 1000) / (end - begin);
}

export async function paceRuns(api, { id, perSecond, count }) {
  const begin = performance.now();
  const created = [];
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, begin + (n * 1000) / perSecond - performance.now()));
    created.push(post(api, `/deployments/${id}/create_flow_run`, {}));
  }
  const ids = (await Promise.all(created)).map((run) => run.id);
  const runs = await untilEnded(api, ids);
  const waits = runs.map((run) => Date.parse(run.start_time) - Date.parse(run.created));
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { paced: count, toRunning: { p50: at(0.5), p99: at(0.99) } };
}

async function untilEnded(api, ids) {
  // A count is cheap; reading the runs while they are executed would be most of the server's work.
  const ended = { state: { type: { any_: ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"] } } };
  for (let from = 0; from < ids.length; ) {
    const id = { any_: ids.slice(from, from + PAGE) };
    const count = await post(api, "/flow_runs/count", { flow_runs: { id, ...ended } });
    if (count === id.any_.length) from += PAGE;
    else await sleep(100);
  }
  const runs = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const filter = { flow_runs: { id: { any_: ids.slice(from, from + PAGE) } }, limit: PAGE };
    runs.push(...(await post(api, "/flow_runs/filter", filter)));
  }
  const bad = runs.find(({ state_type }) => state_type !== "COMPLETED");
  if (bad !== undefined) throw new Error(`A run is ${bad.state_type}: ${bad.state.message}`);
  return runs;
}

async function post(api, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(api + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** CPU ms of the server, the worker, and the jobs of the worker, ended or not; Linux only. */
async function cpuMillis(server, workerPid) {
  const { own, ended } = ticksOf(workerPid);
  const living = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const jobs = living.flatMap((pid) => {
    const ticks = ticksOf(pid);
    return ticks?.parent === workerPid ? [ticks.own] : [];
  });
  const ofJobs = jobs.reduce((sum, ticks) => sum + ticks, ended);
  return [(await server.cpuSeconds()) * 1000, own * MS_PER_TICK, ofJobs * MS_PER_TICK];
}

function ticksOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return { parent: fields[1], own: fields[11] + fields[12], ended: fields[13] + fields[14] };
  } catch {
    return null; // it has just ended
  }
}

export function runnersText({ engines }) {
  return engines
    .flatMap(({ engine, kinds }) => [
      `${engine}; a flow of three tasks, ${AT_ONCE} at once`,
      ...kinds.map(({ title, runs, rate, cpu, perSecond, toRunning }) => {
        const [server, worker, jobs] = cpu.map((ms) => ms.toFixed(1));
        return (
          `  ${title}: ${rate.toFixed(1)} runs/s of ${runs}, CPU ms per run: server ${server}, worker ${worker}, jobs ${jobs}; ` +
          `at ${perSecond} a second created → RUNNING ${toRunning.p50} ms (p50), ${toRunning.p99} ms (p99)`
        );
      }),
    ])
    .join("\n");
}
