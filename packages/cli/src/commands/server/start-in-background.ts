// A server that outlives the terminal it was started from. What it says goes to a file of the data
// folder.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder } from "@orchestrator/client/settings";
import { print, say } from "../../io/print.ts";
import { UsageError } from "../../output/fail.ts";
import { OWN_FOLDER } from "../../own-folder.ts";
import { runningServers } from "./running-servers.ts";

const COMMAND = join(OWN_FOLDER, "bin", "orchestrator.mjs");
const PRIVATE = 0o600;
const LOOK_MS = 50;

/** Ends once the server is ready, or has failed to start. */
export async function startInBackground(home: string, flags: readonly string[]): Promise<void> {
  makePrivateFolder(home);
  const path = join(home, "server.log");
  const output = openSync(path, "a", PRIVATE);
  const from = statSync(path).size;
  const child = spawn(
    process.execPath,
    [...process.execArgv, COMMAND, "server", "start", ...flags],
    {
      detached: true,
      stdio: ["ignore", output, output],
    },
  );
  closeSync(output);
  const ended: string[] = [];
  child.once("exit", (code, signal) => ended.push(String(code ?? signal)));
  child.once("error", (error) => ended.push(error.message));
  const said = (): string => readFileSync(path).subarray(from).toString("utf8").trim();
  while (!runningServers(home).some(({ pid }) => pid === child.pid)) {
    if (ended.length > 0) {
      throw new UsageError(`The server did not start (${ended.join(", ")}):\n${said()}`);
    }
    await sleep(LOOK_MS);
  }
  child.unref();
  print(`\n${said()}\n`);
  say(`It goes on in the background and writes to ${path}; \`orchestrator server stop\` stops it`);
}
