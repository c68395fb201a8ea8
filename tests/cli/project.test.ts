import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Deployment, FlowRun } from "@orchestrator/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type CliWorld, openCli } from "./support.ts";

let cli: CliWorld;
let project: string;

beforeAll(async () => {
  cli = await openCli();
  project = join(cli.folder, "My Flows");
  await cli.run("init", project);
  const install = spawnSync("npm", ["install", "--offline"], { cwd: project, encoding: "utf8" });
  if (install.status !== 0) throw new Error(install.stderr);
  await cli.run("work-pool", "create", "default");
});
afterAll(() => cli[Symbol.asyncDispose]());

const deploy = (...args: readonly string[]) =>
  cli.run("deploy", "--file", join(project, "orchestrator.yaml"), ...args);

test("init makes a project whose flow runs as it is, and writes over nothing", async () => {
  const ran = spawnSync(process.execPath, ["flows/hello.mjs"], {
    cwd: project,
    env: { ...cli.env, PATH: process.env["PATH"] },
    encoding: "utf8",
  });
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining("Hello, Ada!") });
  const [run] = await cli.json<FlowRun[]>("flow-run", "ls", "--flow", "hello");
  expect(run).toMatchObject({ state_type: "COMPLETED" });
  await writeFile(join(project, "flows", "mine.mjs"), "");
  expect(await cli.run("init", project)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("already"),
  });
  expect(JSON.parse(await readFile(join(project, "package.json"), "utf8"))).toMatchObject({
    name: "my-flows",
  });
  expect(existsSync(join(project, ".gitignore"))).toBe(true);
});

test("a project in TypeScript runs here, and by a worker, without a build", async () => {
  const typed = join(cli.folder, "typed");
  await cli.run("init", typed, "--typescript");
  const options = {
    cwd: typed,
    env: { ...cli.env, PATH: process.env["PATH"] },
    encoding: "utf8",
  } as const;
  spawnSync("npm", ["install", "--offline"], options);
  expect(spawnSync("npm", ["run", "hello"], options)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Hello, Ada!"),
  });
  const file = join(typed, "orchestrator.yaml");
  expect(await cli.run("deploy", "--file", file, "--name", "local")).toMatchObject({ code: 0 });
  await using _worker = cli.start("worker", "start", "--pool", "default");
  const watched = await cli.run("deployment", "run", "hello/local", "--watch");
  expect(watched).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello, Grace!") });
  await cli.run("flow", "delete", "hello", "-y");
});

test("deploy says what it would do, does it, and does nothing the second time", async () => {
  expect((await deploy()).stderr).toContain("--all");
  const considered = await deploy("--all", "--dry-run", "--json");
  expect(JSON.parse(considered.stdout)).toMatchObject([
    { name: "hello/local", action: "create", id: null },
    { name: "hello/nightly", action: "create", id: null },
  ]);
  expect(await cli.json("deployment", "ls")).toEqual([]);
  expect((await deploy("--all")).code).toBe(0);
  const nightly = await cli.json<Deployment>("deployment", "inspect", "hello/nightly");
  expect(nightly).toMatchObject({
    entrypoint: "flows/hello.mjs:hello",
    path: project,
    work_pool_name: "default",
    description: "Greets people",
    labels: { "orchestrator.on-crash": "resume" },
    schedules: [{ active: true, schedule: { cron: "0 2 * * *" } }],
    parameter_openapi_schema: { properties: { names: { type: "array" } } },
  });
  const again = await deploy("--all", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject([{ action: "none" }, { action: "none" }]);
});

test("deploy changes only what the file says otherwise, and leaves a pause alone", async () => {
  await cli.run("deployment", "pause", "hello/nightly");
  const path = join(project, "orchestrator.yaml");
  const before = await readFile(path, "utf8");
  await writeFile(
    path,
    before.replace("0 2 * * *", "0 3 * * *").replace("timezone:", "slug: night\n        timezone:"),
  );
  expect(JSON.parse((await deploy("--name", "nightly", "--json")).stdout)).toMatchObject([
    { action: "change", changes: ["schedules"] },
  ]);
  expect(await cli.json("deployment", "inspect", "hello/nightly")).toMatchObject({
    paused: true,
    schedules: [{ schedule: { cron: "0 3 * * *" } }],
  });
  await cli.run("deployment", "schedule", "pause", "hello/nightly", "night");
  expect(JSON.parse((await deploy("--name", "nightly", "--json")).stdout)).toMatchObject([
    { action: "none" },
  ]);
  await writeFile(path, before.replace("timezone:", "slug: night\n        timezone:"));
  await deploy("--name", "nightly");
  expect(await cli.json("deployment", "inspect", "hello/nightly")).toMatchObject({
    schedules: [{ active: false, schedule: { cron: "0 2 * * *" } }],
  });
});

test("a run of a deployment is executed in this process", async () => {
  const run = await cli.json<FlowRun>("deployment", "run", "hello/local");
  const executed = await cli.run("flow-run", "execute", run.id, "--folder", project);
  expect(executed).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello, Grace!") });
  expect(await cli.json("flow-run", "inspect", run.id)).toMatchObject({ state_type: "COMPLETED" });
});

test("a served flow carries out its runs", async () => {
  const entrypoint = `${join(project, "flows/hello.mjs")}:hello`;
  await using serving = cli.start("flow", "serve", entrypoint, "--name", "served");
  await retryUntil(() => expect(serving.stderr()).toContain("Serving hello/served"));
  const { code, stdout } = await cli.run("deployment", "run", "hello/served", "--watch");
  expect(stdout).toMatch(/Hello, world![^]*1 of 1 tasks completed[^]*is Completed/);
  expect(code).toBe(0);
  serving.kill("SIGTERM");
  expect((await serving.exited).code).toBe(0);
});

test("what is wrong with a file is said with its place", async () => {
  const folder = join(cli.folder, "wrong");
  await mkdir(folder);
  const file = join(folder, "orchestrator.yaml");
  const said = async (text: string): Promise<string> => {
    await writeFile(file, text);
    const { code, stdout, stderr } = await cli.run("deploy", "--all", "--file", file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };
  const one = (fields: string) => said(`deployments:\n  - {name: x, ${fields}}\n`);
  expect((await cli.run("deploy", "--file", join(folder, "none.yaml"))).stderr).toContain("init");
  expect(await said("deployments: [")).toContain("orchestrator.yaml");
  expect(await said("deploymnts: []")).toContain("Did you mean deployments?");
  expect(await one("entrypont: a")).toContain("deployments[0] has an unknown key entrypont");
  expect(await one("tags: a, entrypoint: b")).toContain("deployments[0].tags must be a list");
  expect(await one("schedules: [{timezone: UTC}], entrypoint: b")).toContain(
    "deployments[0].schedules[0] needs one of cron, interval, rrule",
  );
  expect(await one("description: nothing to run")).toContain("entrypoint or a command");
  expect(await one("entrypoint: none.mjs")).toContain("There is no file");
  expect(await one("flow: f, command: echo, work_pool: nowhere")).toContain(
    "orchestrator work-pool create nowhere",
  );
});

test("a command of any language is deployed without being read", async () => {
  const file = join(cli.folder, "commands.yaml");
  await writeFile(
    file,
    "deployments:\n  - name: copy\n    flow: shell\n    command: cp a b\n    concurrency_limit: 2\n    collision_strategy: CANCEL_NEW\n    on_crash: resume\n    schedules: [{interval: 10m, slug: often}]\n",
  );
  expect((await cli.run("deploy", "--file", file)).code).toBe(0);
  expect(await cli.json("deployment", "inspect", "shell/copy")).toMatchObject({
    job_variables: { command: "cp a b" },
    entrypoint: null,
    labels: { "orchestrator.on-crash": "resume" },
    global_concurrency_limit: { limit: 2 },
    schedules: [{ slug: "often", schedule: { interval: 600 } }],
  });
  const again = await cli.run("deploy", "--file", file, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject([{ action: "none" }]);
});
