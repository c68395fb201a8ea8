// What flows and tasks of the SDK cost, beside the server's share, and beside another client at its
// own server.

import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./measure.mjs";
import { startPeerClient, untilWritten } from "./sdk-peer.mjs";
import { startOurs, temporaryFolder } from "./servers.mjs";

const SHAPES = [
  { title: "40 no-op tasks in sequence", tasks: 40, isMapped: false },
  { title: "1,000 no-op tasks in sequence", tasks: 1000, isMapped: false },
  { title: "1,000 no-op tasks mapped", tasks: 1000, isMapped: true },
];
const IDLE_SECONDS = 10;

/**
 * Times are of whole flow runs, from the call until the server has everything, divided by the
 * tasks.
 */
export async function measureSdk({ rounds, peer, onProgress }) {
  const other = await startPeerClient(peer);
  const clients = [await startOurClient(), ...(other.absence === undefined ? [other] : [])];
  try {
    const measured = clients.map(({ name }) => ({ name, shapes: SHAPES.map(() => []) }));
    for (const client of clients) {
      await measureRun({ ...client, idleShare: 0 }, SHAPES[0]);
      client.idleShare = await measureIdle(client);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, client] of clients.entries()) {
        onProgress(`round ${round + 1} of ${rounds}, ${client.name}`);
        for (const [number, shape] of SHAPES.entries()) {
          measured[place].shapes[number].push(await measureRun(client, shape));
        }
      }
    }
    const subjects = measured.map(({ name, shapes }, place) => ({
      name,
      idleShare: clients[place].idleShare,
      shapes: shapes.map((taken, number) => perTask(SHAPES[number], taken)),
    }));
    return { subjects, absence: other.absence };
  } finally {
    for (const client of clients) await client.stop();
  }
}

async function startOurClient() {
  const server = await startOurs({ name: "SQLite" });
  process.env.ORCHESTRATOR_API_URL = `http://127.0.0.1:${server.port}/api`;
  process.env.ORCHESTRATOR_HOME = temporaryFolder();
  const { flow, task } = await import("../packages/sdk/dist/bundle/index.js");
  const noop = task({ name: "noop" }, async (n) => n);
  const bench = flow({ name: "bench" }, async ({ tasks, isMapped }) => {
    const numbers = Array.from({ length: tasks }, (_, n) => n);
    if (isMapped) await noop.map(numbers).results();
    else for (const n of numbers) await noop(n);
  });
  let told = 0;
  return {
    name: "ours",
    async run(shape) {
      told += shape.tasks;
      const before = process.cpuUsage();
      const start = performance.now();
      await bench(shape);
      const ms = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      return { ms, cpuMicros: user + system };
    },
    cpuSeconds: server.cpuSeconds,
    quiet: () => untilWritten(server, told),
    stop: () => server.stop(),
  };
}

/**
 * What the server does with nothing to do is not counted: one of them takes a minute to write down
 * what it was told.
 */
async function measureRun({ run, cpuSeconds, idleShare, quiet }, shape) {
  const before = await cpuSeconds();
  const start = performance.now();
  const taken = await run(shape);
  await quiet();
  const idle = (idleShare * (performance.now() - start)) / 1000;
  return { ...taken, serverMicros: ((await cpuSeconds()) - before - idle) * 1e6 };
}

/** CPU seconds a second of a server that nobody asks anything. */
async function measureIdle({ cpuSeconds }) {
  const before = await cpuSeconds();
  await sleep(IDLE_SECONDS * 1000);
  return ((await cpuSeconds()) - before) / IDLE_SECONDS;
}

function perTask({ title, tasks }, rounds) {
  const each = (name) => median(rounds.map((round) => round[name])) / tasks;
  return {
    title,
    tasks,
    ms: each("ms"),
    cpuMicros: each("cpuMicros"),
    serverMicros: each("serverMicros"),
  };
}

export function sdkText({ subjects, absence }) {
  return [
    "SQLite; per task, with the flow run around them",
    ...subjects.flatMap(({ name, idleShare, shapes }) => [
      "",
      `${name}; its server takes ${(idleShare * 100).toFixed(1)} % of a core when nobody asks anything`,
      ...shapes.map(
        ({ title, ms, cpuMicros, serverMicros }) =>
          `  ${title}: ${ms.toFixed(2)} ms, ${Math.round(cpuMicros)} µs of CPU, and ${Math.round(serverMicros)} µs of the server's`,
      ),
    ]),
    ...(absence === undefined ? [] : ["", absence]),
  ].join("\n");
}
