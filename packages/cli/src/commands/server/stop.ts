import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { parseDuration, parseWholeNumber } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import type { ServerRecord } from "./running-servers.ts";

interface Options {
  readonly port?: number;
  readonly timeout: number;
}

/** A worker beside it has its time to let jobs end, and then the server has its own. */
const TIMEOUT_SECONDS = 60;
const LOOK_MS = 100;

export function stopCommand(): Command {
  return leaf()
    .option("--port <number>", "only the one that listens there", parseWholeNumber(1))
    .option("--timeout <time>", "how long to wait", parseDuration, TIMEOUT_SECONDS)
    .addHelpText("after", examples("server stop", "server stop --port 8080"))
    .action(async ({ port, timeout }: Options, command: Command) => {
      const session = sessionOf(command);
      const { runningServers } = await import("./running-servers.ts");
      const { programSettings } = await import("@orchestrator/server");
      const { home } = programSettings.read({ env: process.env });
      const running = runningServers(home).filter(
        ({ url }) => port === undefined || new URL(url).port === String(port),
      );
      if (running.length === 0) {
        const where = port === undefined ? "" : ` at port ${port}`;
        throw new UsageError(
          `No server of the data folder ${home} runs${where}. ORCHESTRATOR_HOME names another folder`,
        );
      }
      for (const { pid } of running) process.kill(pid, "SIGTERM");
      if (!session.json) say(`Stopping ${running.map(({ url }) => url).join(", ")}`);
      const left = await untilGone(running, timeout);
      if (left.length > 0) {
        const pids = left.map(({ pid }) => pid).join(" ");
        throw new UsageError(
          `Still running after ${timeout} s: \`kill -9 ${pids}\` ends it at once`,
        );
      }
      const urls = running.map(({ url }) => url);
      printDone(session, `Stopped ${urls.join(", ")}`, { stopped: urls });
    });
}

async function untilGone(
  servers: readonly ServerRecord[],
  seconds: number,
): Promise<ServerRecord[]> {
  const { isProcessAlive: isAlive } = await import("./running-servers.ts");
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const left = servers.filter(({ pid }) => isAlive(pid));
    if (left.length === 0 || Date.now() >= end) return left;
    await sleep(LOOK_MS);
  }
}
