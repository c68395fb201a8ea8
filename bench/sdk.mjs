// What flows and tasks of the SDK cost, beside the server's share: `node bench/sdk.mjs [rounds]`.
import { pathToFileURL } from "node:url";
import { median } from "./measure.mjs";
import { startOurs, temporaryFolder } from "./servers.mjs";

const ROUNDS = 5;
const SHAPES = [
  { title: "40 no-op tasks in sequence", tasks: 40, isMapped: false },
  { title: "1,000 no-op tasks in sequence", tasks: 1000, isMapped: false },
  { title: "1,000 no-op tasks mapped", tasks: 1000, isMapped: true },
];

/** Times are of whole flow runs, from the call until the server has everything, divided by the tasks. */
export async function measureSdk({ rounds = ROUNDS, onProgress = () => {} }) {
  const server = await startOurs({ name: "SQLite" });
  process.env.ORCHESTRATOR_API_URL = `http://127.0.0.1:${server.port}/api`;
  process.env.ORCHESTRATOR_HOME = temporaryFolder();
  try {
    const { flow, task } = await import("../packages/sdk/dist/index.js");
    const noop = task({ name: "noop" }, async (n) => n);
    const run = flow({ name: "bench" }, async ({ tasks, isMapped }) => {
      const numbers = Array.from({ length: tasks }, (_, n) => n);
      if (isMapped) await noop.map(numbers).results();
      else for (const n of numbers) await noop(n);
    });
    await run(SHAPES[0]);
    const taken = SHAPES.map((shape) => ({ ...shape, rounds: [] }));
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`round ${round + 1} of ${rounds}`);
      for (const shape of taken) shape.rounds.push(await measureRun(server, () => run(shape)));
    }
    return { shapes: taken.map(perTask) };
  } finally {
    await server.stop();
  }
}

async function measureRun(server, run) {
  const serverBefore = await server.cpuSeconds();
  const before = process.cpuUsage();
  const start = performance.now();
  await run();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return {
    ms,
    cpuMicros: user + system,
    serverMicros: ((await server.cpuSeconds()) - serverBefore) * 1e6,
  };
}

function perTask({ title, tasks, rounds }) {
  const each = (name) => median(rounds.map((round) => round[name])) / tasks;
  return {
    title,
    tasks,
    ms: each("ms"),
    cpuMicros: each("cpuMicros"),
    serverMicros: each("serverMicros"),
  };
}

export function sdkText({ shapes }) {
  return [
    "SQLite; per task, with the flow run around them",
    ...shapes.map(
      ({ title, ms, cpuMicros, serverMicros }) =>
        `  ${title}: ${ms.toFixed(2)} ms, ${Math.round(cpuMicros)} µs of CPU, and ${Math.round(serverMicros)} µs of the server's`,
    ),
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rounds = Number(process.argv[2] ?? ROUNDS);
  process.stdout.write(`${sdkText(await measureSdk({ rounds }))}\n`);
}
