// Workers: what a poll costs while many of them ask, how fast runs are claimed and completed, and
// how long a slot of a limit stays empty between two runs.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { startOurs } from "./servers.mjs";

const WORKERS = 200;
const CLAIMERS = 16;
const BACKLOG = 10_000;
const AT_ONCE = 100;
const POLL = { limit: 10 };
const LIMITED = { runs: 500, limit: 5, workers: 10, workMs: 20 };
const WARM_UP_SECONDS = 2;
const IDLE_SECONDS = 3;
const LATE_AFTER_MS = 20_000;

export async function measureWorkers({ seconds, postgres, onProgress }) {
  const engines = [];
  for (const engine of ["SQLite", ...(postgres ? ["PostgreSQL"] : [])]) {
    const database = engine === "PostgreSQL" ? await startDatabase() : undefined;
    const server = await startOurs({ name: engine, databaseUrl: database?.url });
    try {
      engines.push({ engine, ...(await measureServer(server, { seconds, onProgress })) });
    } finally {
      await server.stop();
      await database?.stop();
    }
  }
  return { engines };
}

async function measureServer(server, { seconds, onProgress }) {
  const client = clientOf(server.port);
  const done = (what) => onProgress(`${server.name}: ${what}`);
  const flow_id = (await client.post("/flows/", { name: "etl" })).id;
  await client.post("/work_pools/", { name: "empty", type: "process" });
  const { runs } = await fill(client, { name: "backlog", flow_id, count: BACKLOG });
  done(`${BACKLOG} runs wait`);
  await settle(server);
  const idle = await idleCpu(server);
  const polls = [];
  for (const pool of ["empty", "backlog"]) {
    const options = { pool, seconds: seconds * 4, idle };
    polls.push({ pool, ...(await measurePolls(server, client, options)) });
    done(`polls of the pool ${pool}`);
  }
  const claims = await measureClaims(server, client, { runs, seconds: seconds * 4, idle });
  done("claims");
  const limits = [];
  for (const kind of ["pool", "deployment"]) {
    limits.push({ kind, ...(await measureLimit(client, { kind, flow_id })) });
    done(`the limit of a ${kind}`);
  }
  client.close();
  return { polls, claims, limits };
}

/** A pool with a deployment and runs of it that are due. */
async function fill(client, { name, flow_id, count, pool = {}, deployment = {} }) {
  await client.post("/work_pools/", { name, type: "process", ...pool });
  const given = { name, flow_id, work_pool_name: name, ...deployment };
  const { id } = await client.post("/deployments/", given);
  const runs = [];
  const bodies = Array.from({ length: Math.min(count, AT_ONCE) }, () => ({}));
  while (runs.length < count) {
    const { results } = await client.post(`/deployments/${id}/create_flow_run/bulk`, bodies);
    for (const { flow_run_id, error } of results) {
      assert.equal(error, null);
      runs.push(flow_run_id);
    }
  }
  return { runs };
}

/** Every worker asks once a second, each at a moment of its own. */
async function measurePolls(server, client, { pool, seconds, idle }) {
  const path = `/work_pools/${pool}/get_scheduled_flow_runs`;
  const poll = async () => {
    const offered = await client.post(path, POLL);
    assert.equal(offered.length, pool === "empty" ? 0 : POLL.limit);
  };
  const everySecond = async (worker, until, note) => {
    await sleep((worker / WORKERS) * 1000);
    while (performance.now() < until) {
      const started = performance.now();
      await poll();
      note(performance.now() - started);
      await sleep(Math.max(0, 1000 - (performance.now() - started)));
    }
  };
  const run = async (length) => {
    const ms = [];
    const until = performance.now() + length * 1000;
    const workers = Array.from({ length: WORKERS }, (_, n) =>
      everySecond(n, until, (took) => ms.push(took)),
    );
    await Promise.all(workers);
    return ms;
  };
  await run(WARM_UP_SECONDS);
  const { result: ms, cpu, took } = await withCpu(server, idle, () => run(seconds));
  return {
    polls: ms.length,
    perSecond: ms.length / took,
    cpuMicros: (cpu / ms.length) * 1e6,
    cores: cpu / took,
    ms: spread(ms),
  };
}

/** PENDING, RUNNING, COMPLETED: three requests for each run. */
async function measureClaims(server, client, { runs, seconds, idle }) {
  const waiting = [...runs];
  const work = async (until) => {
    let count = 0;
    while (performance.now() < until) {
      const id = waiting.shift();
      if (id === undefined) break;
      for (const type of ["PENDING", "RUNNING", "COMPLETED"])
        assert.equal(await setState(client, id, type), "ACCEPT");
      count += 1;
    }
    return count;
  };
  const all = async (length) => {
    const until = performance.now() + length * 1000;
    const counts = await Promise.all(Array.from({ length: CLAIMERS }, () => work(until)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await all(WARM_UP_SECONDS);
  const { result: count, cpu, took } = await withCpu(server, idle, () => all(seconds));
  return { runs: count, perSecond: count / took, cpuMicros: (cpu / count) * 1e6 };
}

/**
 * Workers that wait for work share a limit. A slot is empty from the answer to an end to the answer
 * to the next claim.
 */
async function measureLimit(client, { kind, flow_id }) {
  const name = `limited-${kind}`;
  const limit = { concurrency_limit: LIMITED.limit };
  await fill(client, { name, flow_id, count: LIMITED.runs, [kind]: limit });
  const free = [];
  const empty = [];
  let [running, most, left, refused] = [0, 0, LIMITED.runs, 0];
  const work = async () => {
    while (left > 0) {
      const poll = { limit: 1, wait_seconds: 1 };
      const offered = await client.post(`/work_pools/${name}/get_scheduled_flow_runs`, poll);
      const id = offered[0]?.flow_run.id;
      if (id === undefined) continue;
      if ((await setState(client, id, "PENDING")) !== "ACCEPT") {
        refused += 1;
        continue;
      }
      running += 1;
      most = Math.max(most, running);
      const since = free.shift();
      if (since !== undefined) empty.push(performance.now() - since);
      await setState(client, id, "RUNNING");
      await sleep(LIMITED.workMs);
      // It may be taken by the next one before we hear of its end.
      running -= 1;
      const status = await setState(client, id, "COMPLETED");
      assert.equal(status, "ACCEPT");
      free.push(performance.now());
      left -= 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: LIMITED.workers }, work));
  const took = (performance.now() - started) / 1000;
  assert.ok(most <= LIMITED.limit, `${most} runs at once, and ${LIMITED.limit} are allowed`);
  return { ...LIMITED, most, refused, seconds: took, emptyMs: spread(empty) };
}

async function setState(client, id, type) {
  return (await client.post(`/flow_runs/${id}/set_state`, { state: { type } })).status;
}

/**
 * Runs that nobody claims are called late after a while, and all that was made is read from the
 * log.
 */
async function settle(server) {
  await sleep(LATE_AFTER_MS);
  for (let tries = 0; tries < 30; tries += 1) {
    const before = await server.cpuSeconds();
    await sleep(2000);
    if ((await server.cpuSeconds()) - before < 0.1) return;
  }
}

async function idleCpu(server) {
  const before = await server.cpuSeconds();
  await sleep(IDLE_SECONDS * 1000);
  return ((await server.cpuSeconds()) - before) / IDLE_SECONDS;
}

async function withCpu(server, idle, task) {
  const [before, started] = [await server.cpuSeconds(), performance.now()];
  const result = await task();
  const took = (performance.now() - started) / 1000;
  return { result, took, cpu: (await server.cpuSeconds()) - before - idle * took };
}

function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: median(values), most99: sorted[Math.floor(sorted.length * 0.99)] };
}

function clientOf(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });
  const post = (path, body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const options = { port, host: "127.0.0.1", path: `/api${path}`, method: "POST" };
      const sent = request({ ...options, agent, headers }, (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode < 300) resolve(text === "" ? null : JSON.parse(text));
          else reject(new Error(`POST ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
        });
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
  return { post, close: () => agent.destroy() };
}

export function workersText({ engines }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  return engines
    .map(({ engine, polls, claims, limits }) =>
      [
        `${engine}, CPU of the server's process`,
        ...polls.map(
          (each) =>
            `  ${WORKERS} workers poll the pool ${each.pool} once a second: ${Math.round(each.cpuMicros)} µs per poll, ` +
            `${each.cores.toFixed(2)} of a core, answered within ${ms(each.ms.median)} (median), ${ms(each.ms.most99)} (99 %)`,
        ),
        `  claim, run, complete: ${Math.round(claims.cpuMicros)} µs per run, ${Math.round(claims.perSecond)} runs/s`,
        ...limits.map(
          (each) =>
            `  ${each.runs} runs of ${each.workMs} ms, the ${each.kind} limited to ${each.limit}: at most ${each.most} at once, ${each.seconds.toFixed(1)} s, ` +
            `a slot is empty for ${ms(each.emptyMs.median)} (median), ${ms(each.emptyMs.most99)} (99 %), ${each.refused} claims refused`,
        ),
      ].join("\n"),
    )
    .join("\n\n");
}
