// Prefect 3's own client, unchanged, at our server. Where it is not installed nothing is tested,
// and that is said.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { findPrefect } from "./find-prefect.ts";
import { runScript } from "./run-script.ts";

const SCRIPTS = [
  ["tasks.py", "runs flows with tasks, retries, mapping and failures"],
  ["subflows.py", "runs flows within flows"],
  ["caching.py", "takes kept results again instead of repeating tasks"],
  ["pausing.py", "pauses a run, asks a question and goes on with the answer"],
  ["background.py", "hands tasks to another process that serves them"],
  ["serving.py", "serves deployments, and resumes and cancels their runs"],
  ["deploying.py", "creates a pool, deploys to it, and has a worker run, fail and cancel runs"],
  ["yaml_project.py", "deploys a project file with schedules"],
  ["limits.py", "keeps to global limits, rates and limits of tags"],
  ["stored.py", "stores blocks, variables and artifacts"],
  ["happenings.py", "sends and hears events, has automations act on them, and keeps logs"],
] as const;

/** Each command of that client takes seconds to begin. */
const SCRIPT_MS = 900_000;

const found = findPrefect();
if (found.python === null) {
  process.stderr.write(
    `\n  NOT TESTED: Prefect's own client against this server (${SCRIPTS.length} scripts). ${found.reason}\n\n`,
  );
}

describe.skipIf(found.python === null)("Prefect's own client", () => {
  let home: TemporaryFolder;
  let server: ServerProcess;
  beforeAll(async () => {
    home = await temporaryFolder();
    server = await startReadyServer({ home: home.path, flags: ["--dialect", "prefect"] });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  test.each(SCRIPTS)("%s: %s", { timeout: SCRIPT_MS }, async (script) => {
    const { code, output } = await runScript(found.python ?? "", script, `${server.url}/api`);
    expect(code, output).toBe(0);
    expect(output).not.toContain("server is running an older version");
  });
});
