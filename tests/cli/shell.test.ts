// Commands of the shell as flow runs.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { isProcessRunning } from "../worker/support.ts";
import { type CliWorld, openCli } from "./support.ts";

let cli: CliWorld;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const runNamed = async (name: string) => {
  const [run] = await cli.client.flowRuns.list({ flow_runs: { name: { any_: [name] } } });
  if (run === undefined) throw new Error(`There is no run ${name}`);
  return run;
};

/** The system takes a moment to forget a process that has ended. */
const untilGone = (pid: number): Promise<void> =>
  retryUntil(() => expect(isProcessRunning(pid)).toBe(false));

const linesOf = async (flowRunId: string): Promise<[number, string][]> => {
  const logs = await cli.client.logs.list({
    logs: { flow_run_id: { any_: [flowRunId] } },
    sort: "TIMESTAMP_ASC",
  });
  return logs.map(({ level, message }) => [level, message]);
};

test("what a command prints is printed, and kept with its run", async () => {
  const watched = await cli.run(
    "shell",
    "watch",
    "echo 'to 100%d'; echo careful >&2",
    "--flow-name",
    "backup",
    "--flow-run-name",
    "by hand",
    "--tag",
    "nightly",
  );
  expect(watched).toMatchObject({ code: 0, stdout: "to 100%d\n" });
  expect(watched.stderr).toContain("careful");
  const run = await runNamed("by hand");
  expect(run).toMatchObject({ state_type: "COMPLETED", tags: ["nightly"] });
  const lines = await linesOf(run.id);
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(
    expect.arrayContaining([
      [20, "to 100%d"],
      [30, "careful"],
    ]),
  );
});

test("the exit code of a command that fails becomes ours, and the run says what it was", async () => {
  const watched = await cli.run(
    "shell",
    "watch",
    "echo half way; exit 7",
    "--flow-run-name",
    "broken",
    "--no-log-output",
  );
  expect(watched).toMatchObject({ code: 7, stdout: "half way\n" });
  const run = await runNamed("broken");
  expect(run.state).toMatchObject({
    type: "FAILED",
    message: expect.stringMatching(/exited with code 7$/),
  });
  const messages = (await linesOf(run.id)).map(([, message]) => message);
  expect(messages).not.toContain("half way");
  await cli.run("shell", "watch", "echo all the way; exit 8", "--flow-run-name", "told");
  expect((await runNamed("told")).state).toMatchObject({
    message: expect.stringMatching(/exited with code 8; its last lines:\nall the way/),
  });
});

test("a command is tried again as often as was said", async () => {
  await using folder = await temporaryFolder();
  const place = join(realpathSync(folder.path), "tried");
  const command = `test -e ${place} || { touch ${place}; exit 1; }`;
  const run = await cli.json<{ run_count: number; state_type: string }>(
    "shell",
    "watch",
    `echo no JSON; ${command}`,
    "--retries",
    "2",
  );
  expect(run).toMatchObject({ run_count: 2, state_type: "COMPLETED" });
});

test("a command that takes too long is ended with all that it started", async () => {
  const watched = await cli.run(
    "shell",
    "watch",
    "sleep 300 & echo $!; wait",
    "--timeout",
    "1s",
    "--flow-run-name",
    "slow",
  );
  expect(watched).toMatchObject({ code: 1, stderr: expect.stringContaining("longer than 1 s") });
  expect(await runNamed("slow")).toMatchObject({ state_name: "TimedOut" });
  await untilGone(Number(watched.stdout));
});

test("Ctrl-C ends the command, and its run does not stay behind as running", async () => {
  await using watched = cli.start(
    "shell",
    "watch",
    "sleep 300 & echo $!; wait",
    "--flow-run-name",
    "interrupted",
  );
  const pid = await retryUntil(() => {
    if (!/^\d+\n/.test(watched.stdout())) throw new Error("It has not begun");
    return Number(watched.stdout());
  });
  watched.kill("SIGINT");
  expect(await watched.exited).toMatchObject({ signal: "SIGINT" });
  await untilGone(pid);
  expect(await runNamed("interrupted")).toMatchObject({ state_type: "CRASHED" });
});

test("without a server the next step is said, and nothing is run", async () => {
  const env = { ...cli.env, ORCHESTRATOR_API_URL: "http://127.0.0.1:2/api" };
  expect(await runCommand(["shell", "watch", "echo run"], env)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^orchestrator: No server at .*orchestrator server start.*\n$/),
  });
});

test("a served command is run on demand and by its schedule, and paused when it is stopped", async () => {
  await using served = cli.start(
    "shell",
    "serve",
    "echo $ORCHESTRATOR_FLOW_RUN_NAME",
    "--flow-name",
    "disk",
    "--name",
    "hourly",
    "--interval",
    "1h",
    "--tag",
    "ops",
  );
  await retryUntil(() => {
    if (!served.stderr().includes("until Ctrl-C")) throw new Error(served.stderr());
  });
  const watched = await cli.run("deployment", "run", "disk/hourly", "--watch");
  expect(watched).toMatchObject({ code: 0, stdout: expect.stringContaining("Completed") });
  const deployment = await cli.client.deployments.readByName("disk", "hourly");
  expect(deployment).toMatchObject({
    tags: ["ops"],
    description: expect.stringContaining("echo $ORCHESTRATOR_FLOW_RUN_NAME"),
    schedules: [{ schedule: { interval: 3600 } }],
  });
  const [run] = await cli.client.flowRuns.list({
    deployments: { id: { any_: [deployment.id] } },
    flow_runs: { state: { type: { any_: ["COMPLETED"] } } },
  });
  expect(await linesOf(run?.id ?? "")).toEqual([[20, run?.name]]);
  served.kill("SIGTERM");
  expect(await served.exited).toMatchObject({ code: 0 });
  expect((await cli.client.deployments.readByName("disk", "hourly")).paused).toBe(true);
});
