// Three durable steps, here and in packages that do the same on PostgreSQL: each with a database of
// one server, in turn.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cpuOfTree } from "./cpu-time.mjs";
import { median } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { backlog, deployThree, paceRuns, startWorker } from "./runners.mjs";
import { endWithUs, startOurs, temporaryFolder } from "./servers.mjs";

const PACKAGES = { "@dbos-inc/dbos-sdk": "5.3.0", "graphile-worker": "0.18.0" };
const AT_ONCE = 10;
const PER_SECOND = 20;
const WARM_UP = 100;

/** `seconds` says how much work there is. */
export async function measurePeers({ seconds, rounds, onProgress }) {
  onProgress("installing the peers into a folder of their own");
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: PACKAGES }));
  await install(folder);
  const postgres = await startDatabase();
  const subjects = [];
  try {
    const databases = await Promise.all([1, 2, 3, 4].map(() => startDatabase(postgres.url)));
    const [first, second, third, fourth] = databases.map(({ url }) => url);
    subjects.push(
      await startServed(first),
      await startWarm(second),
      await startPeer("DBOS", {
        program: new URL("peers/dbos.mjs", import.meta.url),
        folder,
        url: third,
      }),
      await startPeer("graphile-worker, a job without steps", {
        program: new URL("peers/graphile.mjs", import.meta.url),
        folder,
        url: fourth,
      }),
    );
    const count = Math.ceil(150 * seconds);
    const measured = subjects.map(() => []);
    for (const subject of subjects) await subject.backlog(WARM_UP);
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, subject] of subjects.entries()) {
        onProgress(`round ${round + 1} of ${rounds}: ${subject.name}`);
        measured[place].push(await measureSubject(subject, { count, postgres }));
      }
    }
    const results = subjects.map(({ name }, place) => ({ name, ...medians(measured[place]) }));
    for (const subject of subjects.splice(0)) await subject.stop();
    for (const database of databases) await database.stop();
    return { count, results };
  } finally {
    for (const subject of subjects) await subject.stop();
    await postgres.stop();
  }
}

async function install(cwd) {
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = endWithUs(spawn("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] }));
  const [code] = await once(npm, "exit");
  if (code !== 0) throw new Error("npm could not install the peers");
}

async function measureSubject(subject, { count, postgres }) {
  const before = [subject.cpuSeconds(), await postgres.cpuSeconds?.()];
  const { rate } = await subject.backlog(count);
  const after = [subject.cpuSeconds(), await postgres.cpuSeconds?.()];
  const [cpu, postgresCpu] = after.map((seconds, n) => ((seconds - before[n]) * 1000) / count);
  const { toRunning } = await subject.paced(PER_SECOND * 3, PER_SECOND);
  return { rate, cpu, postgresCpu, p50: toRunning.p50, p99: toRunning.p99 };
}

const medians = (rounds) =>
  Object.fromEntries(
    Object.keys(rounds[0]).map((name) => [name, median(rounds.map((round) => round[name]))]),
  );

async function startServed(databaseUrl) {
  const server = await startOurs({ name: "PostgreSQL", databaseUrl, settings: QUIET });
  const api = `http://127.0.0.1:${server.port}/api`;
  const env = { ...process.env, ORCHESTRATOR_API_URL: api, ORCHESTRATOR_HOME: temporaryFolder() };
  const program = fileURLToPath(new URL("peers/served.mjs", import.meta.url));
  const stdio = ["ignore", "pipe", "ignore"];
  const child = endWithUs(spawn(process.execPath, [program], { env, stdio }));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return ours("ours, served", { api, server, child, id: line.trim() });
}

async function startWarm(databaseUrl) {
  const server = await startOurs({ name: "PostgreSQL", databaseUrl, settings: QUIET });
  const api = `http://127.0.0.1:${server.port}/api`;
  const child = await startWorker(api);
  return ours("ours, warm runners", { api, server, child, id: await deployThree(api, "runner") });
}

const QUIET = { ORCHESTRATOR_LOG_LEVEL: "error" };

function ours(name, { api, server, child, id }) {
  return {
    name,
    backlog: async (count) => ({ rate: await backlog(api, id, count) }),
    paced: (count, perSecond) => paceRuns(api, { id, perSecond, count }),
    cpuSeconds: () => cpuOfTree(server.pid) + cpuOfTree(child.pid),
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
      await server.stop();
    },
  };
}

async function startPeer(name, { program, folder, url }) {
  const path = fileURLToPath(program);
  const env = { ...process.env, PEERS: folder, DATABASE_URL: url };
  const stdio = ["pipe", "pipe", "inherit"];
  const child = endWithUs(spawn(process.execPath, [path], { env, stdio }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended before its time`);
      if (value.startsWith("{")) return JSON.parse(value);
    }
  };
  await answer();
  const ask = (order) => {
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return answer();
  };
  return {
    name,
    backlog: (count) => ask({ order: "backlog", count, atOnce: AT_ONCE }),
    paced: (count, perSecond) => ask({ order: "paced", count, perSecond }),
    cpuSeconds: () => cpuOfTree(child.pid),
    async stop() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

export function peersText({ count, results }) {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map(({ name, rate, cpu, postgresCpu, p50, p99 }) => {
    const shown = [rate.toFixed(0), cpu.toFixed(1), postgresCpu?.toFixed(1) ?? "–"];
    const cells = [...shown, p50.toFixed(1), p99.toFixed(1)].map((cell) => cell.padStart(12));
    return `  ${name.padEnd(width)}${cells.join("")}`;
  });
  const titles = ["runs a s", "CPU ms", "PG CPU ms", "start p50", "start p99"];
  return [
    `Runs of three durable steps on PostgreSQL, ${count} at once, ${AT_ONCE} under way; the time from`,
    `creation to the start in ms, at ${PER_SECOND} a second. CPU is of client and server, for a run.`,
    "",
    `  ${" ".repeat(width)}${titles.map((title) => title.padStart(12)).join("")}`,
    ...lines,
  ].join("\n");
}
