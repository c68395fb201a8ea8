// What it takes from the creation of a run to its job and to its end, through a worker in a process
// of its own, and what a worker holds while it waits: `node bench/jobs.mjs [seconds]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { endWithUs, startOurs, temporaryFolder } from "./servers.mjs";

const PER_SECOND = 10;
const SECONDS = 20;
const AT_ONCE = 20;
const IDLE_SECONDS = 5;
const MS_PER_TICK = 10;
// On a busy machine a line for each slow request would be part of what is measured.
const QUIET = { ORCHESTRATOR_LOG_LEVEL: "error" };
const CLI = fileURLToPath(new URL("../packages/cli/bin/orchestrator.mjs", import.meta.url));
const SDK = new URL("../packages/sdk/dist/bundle/index.js", import.meta.url);
const ENDS = new Set(["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]);

/** Times are those that the server wrote down. */
async function measureJobs({ seconds = SECONDS, onProgress = () => {} }) {
  const folder = temporaryFolder();
  const flow = `import { flow } from ${JSON.stringify(SDK.href)};\nexport const noop = flow({ name: "noop" }, async () => {});\n`;
  writeFileSync(join(folder, "noop.mjs"), flow);
  const server = await startOurs({ name: "SQLite", settings: QUIET });
  const api = `http://127.0.0.1:${server.port}/api`;
  const worker = await startWorker(api);
  try {
    await sleep(IDLE_SECONDS * 1000);
    const idleBytes = residentBytes(worker.pid);
    onProgress("idle");
    const { id: flow_id } = await post(api, "/flows/", { name: "noop" });
    const kinds = [
      { title: "a shell job (`true`)", job_variables: { command: "true" } },
      { title: "a flow without tasks", entrypoint: "noop.mjs:noop", path: folder },
    ];
    const shapes = [];
    for (const [i, { title, ...given }] of kinds.entries()) {
      const deployment = { name: `d${i}`, flow_id, work_pool_name: "bench", ...given };
      const { id } = await post(api, "/deployments/", deployment);
      const before = await cpuMillis(server, worker.pid);
      const measured = await measureDeployment(api, id, seconds);
      const after = await cpuMillis(server, worker.pid);
      const cpu = after.map((ms, part) => (ms - before[part]) / measured.runs);
      shapes.push({ title, cpu, ...measured });
      onProgress(title);
    }
    return { idleBytes, shapes };
  } finally {
    worker.kill("SIGTERM");
    await once(worker, "exit");
    await server.stop();
  }
}

async function startWorker(api) {
  const args = ["worker", "start", "--pool", "bench", "--limit", String(AT_ONCE)];
  const child = endWithUs(
    spawn(process.execPath, [CLI, ...args], {
      env: { ...process.env, ORCHESTRATOR_API_URL: api, ORCHESTRATOR_HOME: temporaryFolder() },
      stdio: ["ignore", "ignore", "pipe"],
    }),
  );
  await new Promise((resolve) => {
    child.stderr.on("data", (text) => {
      if (String(text).includes("asks for runs")) resolve();
    });
  });
  return child;
}

async function measureDeployment(api, id, seconds) {
  const begin = performance.now();
  const created = [];
  for (let n = 0; n < seconds * PER_SECOND; n += 1) {
    await sleep(Math.max(0, begin + (n * 1000) / PER_SECOND - performance.now()));
    created.push(post(api, `/deployments/${id}/create_flow_run`, {}));
  }
  const runs = [];
  for (const { id: run } of await Promise.all(created)) runs.push(await untilEnded(api, run));
  const failed = runs.filter(({ state_type }) => state_type !== "COMPLETED").length;
  const times = (from, to) => runs.map((run) => Date.parse(run[to]) - Date.parse(run[from]));
  return {
    runs: runs.length,
    failed,
    toRunning: spread(times("created", "start_time")),
    toEnd: spread(times("created", "end_time")),
  };
}

async function untilEnded(api, id) {
  for (;;) {
    const answer = await fetch(`${api}/flow_runs/${id}`);
    const run = await answer.json();
    if (ENDS.has(run.state_type)) return run;
    await sleep(50);
  }
}

async function post(api, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(api + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

/** CPU ms of the server, of the worker, and of the worker's jobs that have ended; Linux only. */
async function cpuMillis(server, workerPid) {
  const text = readFileSync(`/proc/${workerPid}/stat`, "utf8");
  const [user, system, jobsUser, jobsSystem] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map((ticks) => Number(ticks) * MS_PER_TICK);
  return [(await server.cpuSeconds()) * 1000, user + system, jobsUser + jobsSystem];
}

/** What the process holds in memory; Linux only. */
function residentBytes(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}

function jobsText({ idleBytes, shapes }) {
  const rows = shapes.map(
    ({ title, runs, failed, toRunning, toEnd, cpu }) =>
      `| ${title} | ${runs} | ${failed} | ${toRunning.p50} / ${toRunning.p99} | ${toEnd.p50} / ${toEnd.p99} | ${cpu.map((ms) => ms.toFixed(1)).join(" / ")} |`,
  );
  return [
    `| ${PER_SECOND} runs a second | runs | not completed | created → RUNNING, p50 / p99 ms | created → end, p50 / p99 ms | CPU ms per run: server / worker / job |`,
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    `A worker that waits holds ${(idleBytes / 2 ** 20).toFixed(0)} MiB.`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const seconds = Number(process.argv[2] ?? SECONDS);
  const result = await measureJobs({ seconds, onProgress: (text) => console.error(`  ${text}`) });
  console.log(jobsText(result));
}
