// The same flows on Prefect's own client, at its own server, where both are installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findPeer, startPeer } from "./peer.mjs";
import { endWithUs, temporaryFolder } from "./servers.mjs";

const SCRIPT = fileURLToPath(new URL("sdk_peer.py", import.meta.url));
const OWN_SETTINGS = /^(PREFECT|FASTAPI)_/;

// It writes tasks down after its answers, one writer at a time: what comes meanwhile must wait
// longer than is usual with it, or it answers 503 and the flow has failed.
const PATIENT_SERVER = { PREFECT_SERVER_DATABASE_TIMEOUT: "120" };
const PATIENT_CLIENT = { PREFECT_CLIENT_MAX_RETRIES: "20" };
const LOOK_MS = 2000;
const LOOKS = 150;

/** A client that runs a shape when it is told to, or `absence`: why there is none. */
export async function startPeerClient(given) {
  const { command, absence } = findPeer(given);
  if (absence !== undefined) return { absence };
  const python = pythonBeside(command);
  if (python === undefined)
    return { absence: `No other client is measured: ${command} has no Python beside it.` };
  const server = await startPeer({ command, settings: PATIENT_SERVER });
  const inherited = Object.entries(process.env).filter(([key]) => !OWN_SETTINGS.test(key));
  const env = {
    ...Object.fromEntries(inherited),
    ...PATIENT_CLIENT,
    PREFECT_API_URL: `http://127.0.0.1:${server.port}/api`,
    PREFECT_HOME: temporaryFolder(),
    PREFECT_LOGGING_LEVEL: "ERROR",
    DO_NOT_TRACK: "1",
  };
  const child = endWithUs(spawn(python, [SCRIPT], { env, stdio: ["pipe", "pipe", "inherit"] }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let told = 0;
  return {
    name: server.name,
    async run({ tasks, isMapped }) {
      told += tasks;
      child.stdin.write(`${JSON.stringify({ tasks, mapped: isMapped })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("The other client ended before its time");
      const { ms, cpu_micros: cpuMicros } = JSON.parse(value);
      return { ms, cpuMicros };
    },
    cpuSeconds: server.cpuSeconds,
    async quiet() {
      await untilWritten(server, told);
      await server.quiet();
    },
    async stop() {
      child.stdin.end();
      await server.stop();
    },
  };
}

/** Until all tasks that a server has been told of stand in its database as completed. */
export async function untilWritten(server, tasks) {
  const completed = { task_runs: { state: { type: { any_: ["COMPLETED"] } } } };
  let written;
  for (let look = 0; look < LOOKS; look += 1) {
    const answer = await server.post("/api/task_runs/count", completed);
    written = answer.ok ? await answer.json() : undefined;
    if (written >= tasks) return;
    await sleep(LOOK_MS);
  }
  throw new Error(
    `The server has ${written} of ${tasks} tasks after ${(LOOKS * LOOK_MS) / 1000} s`,
  );
}

function pythonBeside(command) {
  if (basename(command).startsWith("python")) return command;
  const python = join(dirname(command), "python");
  if (!existsSync(python)) return undefined;
  return spawnSync(python, ["-c", "import prefect"]).status === 0 ? python : undefined;
}
