import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FlowRun } from "@orchestrator/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type CliWorld, createCliDeployment, moveRun, openCli } from "./support.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url));
let cli: CliWorld;

beforeAll(async () => {
  cli = await openCli();
  await createCliDeployment(cli);
});
afterAll(() => cli[Symbol.asyncDispose]());

const makeRun = (...args: readonly string[]) =>
  cli.json<FlowRun>("deployment", "run", "etl/nightly", ...args);

const writeLog = (run: FlowRun, message: string, level = 20) =>
  cli.client.logs.create([
    { name: "test", level, message, timestamp: new Date().toISOString(), flow_run_id: run.id },
  ]);

describe("deployment run", () => {
  test("makes a run with parameters, tags, a name and a time", async () => {
    const what = ["--param", "day=monday", "--tag", "by-hand", "--name", "mine"];
    const how = ["--start-in", "1h30m", "--job-variable", "env={}"];
    const run = await makeRun(...what, ...how);
    expect(run).toMatchObject({
      name: "mine",
      parameters: { day: "monday" },
      tags: expect.arrayContaining(["by-hand"]),
      state_type: "SCHEDULED",
      job_variables: { env: {} },
    });
    const due = Date.parse(run.expected_start_time ?? "") - Date.parse(run.created);
    expect(Math.round(due / 60_000)).toBe(90);
  });

  test("takes -p for a parameter, and for the profile before its words", async () => {
    expect(await makeRun("-p", "day=monday")).toMatchObject({ parameters: { day: "monday" } });
    for (const words of [
      ["-p", "nobody", "deployment", "run", "etl/nightly"],
      ["deployment", "run", "etl/nightly", "--profile", "nobody"],
      ["flow", "ls", "-p", "nobody"],
    ])
      expect((await cli.run(...words)).stderr).toContain('There is no profile "nobody"');
  });

  test("says which deployment or parameter was meant", async () => {
    expect(await cli.run("deployment", "run", "etl/nightli")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Did you mean etl/nightly?"),
    });
    expect(await cli.run("deployment", "run", "etl/nightly", "--param", "dya=x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Did you mean day?"),
    });
    const both = ["--start-in", "1h", "--start-at", "2030-01-01"];
    expect((await cli.run("deployment", "run", "etl/nightly", ...both)).code).toBe(2);
    expect((await cli.run("deployment", "run", "etl/nightly", "--params", "[]")).code).toBe(2);
  });

  test("watches the run to its end, with states and log lines, and ends as the run does", async () => {
    for (const [end, code] of [
      ["COMPLETED", 0],
      ["FAILED", 1],
    ] as const) {
      const name = `watched-${code}`;
      await using watching = cli.start(
        "deployment",
        "run",
        "etl/nightly",
        "--watch",
        "--name",
        name,
      );
      const run = await retryUntil(() => runNamed(name));
      await moveRun(cli, run.id, "PENDING", "RUNNING");
      await writeLog(run, "half way");
      await retryUntil(() => expect(watching.stdout()).toContain("half way"));
      await writeLog(run, "nearly there");
      await moveRun(cli, run.id, end);
      expect((await watching.exited).code).toBe(code);
      expect(watching.stdout()).toMatch(
        /Scheduled[^]*Pending[^]*Running[^]*half way[^]*nearly there/,
      );
      expect(watching.stdout()).toMatch(
        new RegExp(`${name} is ${code === 0 ? "Completed" : "Failed"}`),
      );
    }
  });

  test("with --json answers only with what the run has become", async () => {
    const options = ["--watch", "--json", "--name", "quiet"];
    await using watching = cli.start("deployment", "run", "etl/nightly", ...options);
    const run = await retryUntil(() => runNamed("quiet"));
    await moveRun(cli, run.id, "PENDING", "RUNNING", "COMPLETED");
    expect((await watching.exited).code).toBe(0);
    expect(JSON.parse(watching.stdout())).toMatchObject({ id: run.id, state_type: "COMPLETED" });
  });
});

async function runNamed(name: string): Promise<FlowRun> {
  const [run] = await cli.client.flowRuns.list({ flow_runs: { name: { any_: [name] } } });
  if (run === undefined) throw new Error(`There is no run ${name} yet`);
  return run;
}

describe("flow-run", () => {
  test("reruns a run with other parameters from a task run by its name", async () => {
    const run = await makeRun("--param", "day=monday");
    const taskRun = (dynamic_key: string, name: string) =>
      cli.client.taskRuns.create({ flow_run_id: run.id, task_key: "load", dynamic_key, name });
    await taskRun("0", "load-0");
    const what = ["flow-run", "rerun", run.id, "--param", "day=tuesday"];
    const rerun = await cli.json<FlowRun>(...what, "--from", "load-0", "--name", "second");
    expect(rerun).toMatchObject({
      name: "second",
      parameters: { day: "tuesday" },
      created_by: { type: "RERUN", id: run.id },
      state: { message: expect.stringContaining("from its task run load-0") },
    });
    expect(await cli.run(...what, "--from", "lode-0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`task-run ls --flow-run ${run.name}`),
    });
    await taskRun("1", "load-0");
    expect(await cli.run(...what, "--from", "load-0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("name one by its id"),
    });
  });

  test("Ctrl-C stops the watching, and the run goes on", async () => {
    const run = await makeRun();
    await using watching = cli.start("flow-run", "watch", run.id);
    await retryUntil(() => expect(watching.stdout()).toContain("Scheduled"));
    watching.kill("SIGINT");
    expect((await watching.exited).code).toBe(130);
    expect(watching.stderr()).toContain(`${run.name} goes on`);
    expect(await cli.client.flowRuns.read(run.id)).toMatchObject({ state_type: "SCHEDULED" });
  });

  test("watch says why a run waits", async () => {
    const run = await makeRun();
    await using watching = cli.start("flow-run", "watch", run.id);
    await retryUntil(() => expect(watching.stdout()).toContain("✗"));
    expect(watching.stdout()).toContain("→");
    const explained = await cli.json<{ obstacles: unknown[] }>("flow-run", "explain", run.id);
    expect(explained.obstacles).not.toEqual([]);
  });

  test("logs show lines by level, from the head or the tail", async () => {
    const run = await makeRun("--name", "talkative");
    for (const [message, level] of [
      ["first", 20],
      ["second", 30],
      ["third", 20],
    ] as const)
      await writeLog(run, message, level);
    const logs = async (...args: readonly string[]) =>
      (await cli.json<{ message: string }[]>("flow-run", "logs", "talkative", ...args)).map(
        ({ message }) => message,
      );
    expect(await logs()).toEqual(["first", "second", "third"]);
    expect(await logs("--tail", "2")).toEqual(["second", "third"]);
    expect(await logs("--head", "1")).toEqual(["first"]);
    expect(await logs("--reverse")).toEqual(["third", "second", "first"]);
    expect(await logs("--level", "warning")).toEqual(["second"]);
    const { stdout } = await cli.run("flow-run", "logs", "talkative", "--level", "warn");
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} \| WARNING \| test - second\n$/);
    expect((await cli.run("flow-run", "logs", "talkative", "--level", "loud")).code).toBe(2);
    expect((await cli.run("flow-run", "logs", "talkative", "--head", "--tail")).code).toBe(2);
  });

  test("nothing in a line can reach the terminal but its text", async () => {
    const run = await makeRun("--name", "\u001b[2Jhidden");
    await writeLog(run, "a\u001b]0;title\u0007b\u001b[31mred\u001b[1A\rgone\u009b2J");
    const { stdout } = await cli.run("flow-run", "logs", run.id);
    expect(stdout).toMatch(/ - abred gone\n$/);
    const names = await cli.run("flow-run", "ls", "--limit", "1");
    expect(names.stdout).toContain("hidden");
    expect(names.stdout).not.toContain("\u001b");
    const [line] = await cli.json<{ message: string }[]>("flow-run", "logs", run.id);
    expect(line?.message).toContain("\u001b]0;title");
  });

  test("who has read enough ends the watching without a complaint", async () => {
    const run = await makeRun();
    await writeLog(run, "the first line");
    const command = [process.execPath, COMMAND, "flow-run", "logs", "--follow", run.id];
    const reading = spawn("sh", ["-c", '"$@" | head -n 1; echo ended', "sh", ...command], {
      env: { ...cli.env, PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    reading.stdout.on("data", (text) => (output += String(text)));
    reading.stderr.on("data", (text) => (output += String(text)));
    const closed = once(reading, "close");
    await retryUntil(async () => {
      await writeLog(run, "another line");
      expect(output).toContain("ended");
    });
    await closed;
    expect(output).toMatch(/^\S+ \| INFO    \| test - the first line\nended\n$/);
  });

  test("logs --follow goes on until the run ends, and shows each line once", async () => {
    const run = await makeRun();
    await writeLog(run, "before");
    await using following = cli.start("flow-run", "logs", run.id, "--follow", "--json");
    await retryUntil(() => expect(following.stdout()).toContain("before"));
    await writeLog(run, "meanwhile");
    await retryUntil(() => expect(following.stdout()).toContain("meanwhile"));
    await writeLog(run, "at the end");
    await moveRun(cli, run.id, "PENDING", "RUNNING", "COMPLETED");
    expect((await following.exited).code).toBe(0);
    const lines = following.stdout().trim().split("\n");
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual(["before", "meanwhile", "at the end"]);
  });

  test("a run is cancelled, run again, and deleted only after a yes", async () => {
    const run = await makeRun("--name", "short-lived");
    expect(await cli.run("flow-run", "retry", "short-lived")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has not ended"),
    });
    expect((await cli.run("flow-run", "cancel", "short-lived")).stdout).toBe(
      "short-lived is Cancelled\n",
    );
    expect((await cli.run("flow-run", "cancel", run.id)).code).toBe(1);
    expect(await cli.json("flow-run", "retry", run.id)).toMatchObject({
      state_type: "SCHEDULED",
      state_name: "AwaitingRetry",
    });
    expect(await cli.run("flow-run", "delete", run.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("-y"),
    });
    expect(await cli.json("flow-run", "delete", run.id, "-y")).toEqual({ deleted: [run.id] });
    expect(await cli.run("flow-run", "inspect", "short-lived")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no flow run short-lived"),
    });
  });

  test("lists are narrowed by state, tag and deployment, and runs that share a name are listed with state and time", async () => {
    const done = await makeRun("--name", "twin", "--tag", "special");
    const other = await makeRun("--name", "twin");
    await moveRun(cli, done.id, "PENDING", "RUNNING", "COMPLETED");
    const ids = async (...args: readonly string[]) =>
      (await cli.json<FlowRun[]>("flow-runs", "ls", "--limit", "100", ...args)).map(({ id }) => id);
    expect(await ids("--tag", "special")).toEqual([done.id]);
    expect(await ids("--state", "completed", "--tag", "special")).toEqual([done.id]);
    expect(await ids("--state", "Late", "--tag", "special")).toEqual([]);
    expect(await ids("--deployment", "etl/nightly", "--flow", "etl")).toContain(done.id);
    const { code, stderr } = await cli.run("flow-run", "inspect", "twin");
    expect(code).toBe(1);
    expect(stderr).toContain("Several flow runs are called twin:\nID ");
    expect(stderr).toMatch(new RegExp(`^${other.id}  Scheduled  (now|\\d+s ago)$`, "m"));
    expect(stderr).toMatch(new RegExp(`^${done.id}  Completed  (now|\\d+s ago)$`, "m"));
    expect(stderr).toContain(
      `Use the id of one, as in \`orchestrator flow-run inspect ${other.id}\`.`,
    );
    expect((await cli.run("flow-run", "ls")).stdout).toMatch(/^NAME +FLOW +STATE/);
  });

  test("task runs of a run are listed, inspected and their lines shown", async () => {
    const run = await makeRun();
    const task = await cli.client.taskRuns.create({
      flow_run_id: run.id,
      task_key: "extract",
      dynamic_key: "0",
      name: "extract-0",
    });
    await cli.client.logs.create([
      {
        name: "test",
        level: 20,
        message: "from the task",
        flow_run_id: run.id,
        task_run_id: task.id,
        timestamp: new Date().toISOString(),
      },
    ]);
    expect(await cli.json("task-run", "ls", "--flow-run", run.id)).toMatchObject([{ id: task.id }]);
    expect((await cli.run("task-run", "inspect", task.id)).stdout).toContain("extract-0");
    expect((await cli.run("task-runs", "logs", task.id)).stdout).toContain("from the task");
    expect((await cli.run("task-run", "inspect", "extract-0")).code).toBe(2);
  });
});

describe("deployments", () => {
  test("are listed, paused, resumed and deleted", async () => {
    await createCliDeployment(cli, { name: "spare" });
    expect((await cli.run("deployment", "ls")).stdout).toContain("etl/spare");
    expect(await cli.json("deployment", "pause", "etl/spare")).toMatchObject({ paused: true });
    expect(await cli.json("deployment", "resume", "etl/spare")).toMatchObject({ paused: false });
    expect((await cli.run("deployment", "inspect", "etl/spare")).stdout).toContain("READY");
    expect((await cli.run("deployment", "delete", "etl/spare")).code).toBe(1);
    expect((await cli.run("deployment", "delete", "etl/spare", "-y")).code).toBe(0);
    expect((await cli.run("flow", "inspect", "etl")).stdout).toContain("etl/nightly");
    expect((await cli.run("flow", "inspect", "elt")).stderr).toContain("Did you mean etl?");
  });

  test("have schedules that are made, shown, previewed, paused and cleared", async () => {
    await createCliDeployment(cli, { name: "timed" });
    const schedule = (...args: readonly string[]) =>
      cli.run("deployment", "schedule", args[0] ?? "", "etl/timed", ...args.slice(1));
    expect((await schedule("create", "--cron", "0 9 * * *", "--slug", "morning")).code).toBe(0);
    expect((await schedule("create")).code).toBe(2);
    expect(await schedule("create", "--cron", "every morning")).toMatchObject({ code: 1 });
    expect((await schedule("ls")).stdout).toContain("0 9 * * *");
    expect(await schedule("preview")).toMatchObject({ code: 0, stderr: "" });
    const preview = await schedule("preview", "--limit", "3", "--json");
    expect(JSON.parse(preview.stdout)).toMatchObject({ times: [{}, { slug: "morning" }, {}] });
    const considered = await schedule("preview", "--interval", "1h", "--limit", "2", "--json");
    expect(JSON.parse(considered.stdout)).toMatchObject({ times: [{ slug: null }, {}] });
    expect((await schedule("pause", "morning")).stdout).toBe("0 9 * * * is paused\n");
    expect((await schedule("resume", "mornin")).stderr).toContain("Did you mean morning?");
    expect((await schedule("delete", "morning")).code).toBe(1);
    expect((await schedule("clear", "-y")).code).toBe(0);
    expect((await schedule("ls")).stderr).toContain("has no schedules");
  });
});
