// The same flows on Prefect's own client, at its own server, where both are installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findPeer, startPeer } from "./peer.mjs";
import { endWithUs, temporaryFolder } from "./servers.mjs";

const SCRIPT = fileURLToPath(new URL("sdk_peer.py", import.meta.url));
const OWN_SETTINGS = /^(PREFECT|FASTAPI)_/;

/** A client that runs a shape when it is told to, or `absence`: why there is none. */
export async function startPeerClient(given) {
  const { command, absence } = findPeer(given);
  if (absence !== undefined) return { absence };
  const python = pythonBeside(command);
  if (python === undefined)
    return { absence: `No other client is measured: ${command} has no Python beside it.` };
  const server = await startPeer({ command });
  const inherited = Object.entries(process.env).filter(([key]) => !OWN_SETTINGS.test(key));
  const env = {
    ...Object.fromEntries(inherited),
    PREFECT_API_URL: `http://127.0.0.1:${server.port}/api`,
    PREFECT_HOME: temporaryFolder(),
    PREFECT_LOGGING_LEVEL: "ERROR",
    DO_NOT_TRACK: "1",
  };
  const child = endWithUs(spawn(python, [SCRIPT], { env, stdio: ["pipe", "pipe", "inherit"] }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: server.name,
    async run({ tasks, isMapped }) {
      child.stdin.write(`${JSON.stringify({ tasks, mapped: isMapped })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("The other client ended before its time");
      const { ms, cpu_micros: cpuMicros } = JSON.parse(value);
      return { ms, cpuMicros };
    },
    cpuSeconds: server.cpuSeconds,
    quiet: server.quiet,
    async stop() {
      child.stdin.end();
      await server.stop();
    },
  };
}

function pythonBeside(command) {
  if (basename(command).startsWith("python")) return command;
  const python = join(dirname(command), "python");
  if (!existsSync(python)) return undefined;
  return spawnSync(python, ["-c", "import prefect"]).status === 0 ? python : undefined;
}
