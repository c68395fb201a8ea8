// Kills workers with all their processes and their home folders, as when a machine is lost, while
// they execute flows: every run ends, and no finished task is repeated.

import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import { rounds, startPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { freshSeed, seededRandom } from "../support/random.ts";
import {
  type CommandProcess,
  launchCommand,
  type ServerOptions,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil, untilTrue } from "../support/until.ts";

const ROUNDS = Number(process.env["LOST_MACHINE_ROUNDS"] ?? rounds(4, 250));
const SEED = Number(process.env["CRASH_SEED"] ?? freshSeed());
const TIMEOUT_MS = 240_000 + ROUNDS * 20_000;
const MACHINES = 3;
const RUNS_A_ROUND = 2;
const SDK = new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url);
const POOL = "local";

/** Each task notes that it begins, and its flow that it has the result. */
const FLOW = (ledger: string): string => `
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { flow, getRunContext, task } from ${JSON.stringify(SDK.href)};
const note = (...words) => appendFileSync(${JSON.stringify(ledger)}, words.join(" ") + "\\n");
const step = task({ name: "step" }, async (run, what) => {
  note(run, "begins", what);
  await sleep(50);
  return what;
});
const mapped = task({ name: "mapped" }, (what, run) => step(run, what));
const seen = async (run, results) => {
  for (const what of [await results].flat()) note(run, "has", what);
};
const inner = flow({ name: "inner" }, async ({ run }) => {
  await seen(run, step(run, "in-inner"));
  return "inner";
});
export const work = flow({ name: "work" }, async () => {
  const run = getRunContext().flowRun.id;
  await seen(run, step(run, "first"));
  await seen(run, mapped.map(["a", "b", "c"], run).results());
  await seen(run, inner({ run }));
  await seen(run, step(run, "last"));
});
`;

interface Machine {
  readonly home: string;
  readonly worker: CommandProcess;
}

/** Every process whose home is that folder. */
function processesOf(home: string): number[] {
  const mark = `ORCHESTRATOR_HOME=${home}\0`;
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(mark) ? [Number(name)] : [];
    } catch {
      return []; // it has ended, or belongs to somebody else
    }
  });
}

async function lose({ home, worker }: Machine): Promise<void> {
  worker.kill("SIGKILL");
  for (let pids = processesOf(home); pids.length > 0; pids = processesOf(home)) {
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    }
    await sleep(5);
  }
  await worker.exited;
  await rm(home, { recursive: true, force: true });
}

async function startMachine(url: string, folder: string): Promise<Machine> {
  const home = await mkdtemp(join(folder, "machine-"));
  const worker = launchCommand(["worker", "start", "--pool", POOL, "--limit", "3"], {
    ORCHESTRATOR_API_URL: url,
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_SDK_HEARTBEAT_SECONDS: "1",
  });
  return { home, worker };
}

async function deploy(client: OrchestratorClient, folder: string): Promise<string> {
  const ledger = join(folder, "ledger");
  appendFileSync(ledger, "");
  await writeFile(join(folder, "work.mjs"), FLOW(ledger));
  await client.workPools.create({ name: POOL, type: "process" });
  const { id: flow_id } = await client.flows.create({ name: "work" });
  const deployment = await client.deployments.create({
    name: "d",
    flow_id,
    work_pool_name: POOL,
    entrypoint: "work.mjs:work",
    path: folder,
    labels: { "orchestrator.on-crash": "resume" },
  });
  return deployment.id;
}

/** What began again although its flow had the result. */
function repetitions(lines: readonly string[]): string[] {
  const had = new Set<string>();
  return lines.filter((line) => {
    const [run, verb, what] = line.split(" ");
    if (verb === "has") had.add(`${run} ${what}`);
    return verb === "begins" && had.has(`${run} ${what}`);
  });
}

async function loseMachines(options: ServerOptions, folder: string): Promise<void> {
  const random = seededRandom(SEED);
  await using server = await startReadyServer({
    ...options,
    env: { ORCHESTRATOR_RUNS_CLAIM_TIMEOUT: "10s" },
  });
  const url = `${server.url}/api`;
  const client = createClient({ url });
  const deploymentId = await deploy(client, folder);
  const ledger = (): string[] => readFileSync(join(folder, "ledger"), "utf8").trim().split("\n");
  const machines = await Promise.all(
    Array.from({ length: MACHINES }, () => startMachine(url, folder)),
  );
  const runs: string[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = ledger().length;
      for (let n = 0; n < RUNS_A_ROUND; n += 1)
        runs.push((await client.deployments.createFlowRun(deploymentId)).id);
      await untilTrue("a task begins", () => ledger().length > before);
      await sleep(random.integer(0, 500));
      const index = random.integer(0, MACHINES - 1);
      await lose(machines[index] as Machine);
      machines[index] = await startMachine(url, folder);
    }
    await retryUntil(async () => {
      const left = await client.flowRuns.list({
        flow_runs: {
          state: { type: { not_any_: ["COMPLETED"] } },
          parent_task_run_id: { is_null_: true },
        },
      });
      expect(left.map(({ state_name, state }) => `${state_name}: ${state?.message}`)).toEqual([]);
    }, 180_000);
  } catch (error) {
    const said = machines.map(({ worker }) => worker.stderr()).join("\n");
    throw new Error(`CRASH_SEED=${SEED}; the workers say:\n${said}`, { cause: error });
  } finally {
    for (const machine of machines) await lose(machine);
  }
  const message = `CRASH_SEED=${SEED}`;
  expect(repetitions(ledger()), message).toEqual([]);
  expect(await client.flowRuns.count({ flow_runs: { id: { any_: runs } } }), message).toBe(
    runs.length,
  );
  const begun = ledger().filter((line) => line.includes(" begins "));
  console.log(
    `${message}: ${ROUNDS} machines lost, ${runs.length} runs, ${begun.length - new Set(begun).size} tasks in flight repeated`,
  );
}

const isLinux = process.platform === "linux";

test.runIf(isLinux)(
  "every run ends and no finished task is repeated when machines are lost [sqlite]",
  { timeout: TIMEOUT_MS },
  async () => {
    await using home = await temporaryFolder();
    await using folder = await temporaryFolder();
    await loseMachines({ home: home.path }, folder.path);
  },
);

test.runIf(isLinux)(
  "every run ends and no finished task is repeated when machines are lost [postgres]",
  { timeout: TIMEOUT_MS },
  async () => {
    await using home = await temporaryFolder();
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres();
    await loseMachines({ home: home.path, databaseUrl: postgres.url }, folder.path);
  },
);
