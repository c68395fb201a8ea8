// With --json stdout is JSON and nothing else, whatever the command; what is said to people goes to
// stderr.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { runCommand, type ServerEnv } from "../support/server-process.ts";
import { openTerminal } from "./terminal.ts";

/**
 * These go on until they are stopped, print something else than an answer, or are tested with
 * accounts.
 */
const LEFT_OUT =
  /^(?:server (?:services )?(?:start|stop)|worker start|(?:flow|shell) serve|event stream|completion \w+|cloud .*)$/;

/**
 * In an order in which each finds what it needs. `$name` stands for what an earlier one answered.
 */
const COMMANDS = String.raw`
init .
version
server status
server services ls
server settings
server database status
server rotate-key
server reseal-secrets
server retire-keys
dashboard open
config set ORCHESTRATOR_API_KEY=abc
config unset ORCHESTRATOR_API_KEY
config view
config validate
profile create staging
profile ls
profile rename staging test
profile use test
profile use default
profile inspect
profile delete test -y
api GET /version
variable set region eu
variable ls
variable get region
variable inspect region
variable unset region -y
work-pool create default
work-pool ls
work-pool inspect default
work-pool pause default
work-pool resume default
work-pool update default --description d
work-pool preview default
work-pool set-concurrency-limit default 3
work-pool clear-concurrency-limit default
work-pool get-default-base-job-template --type process
work-queue create urgent --pool default
work-queue ls
work-queue inspect urgent
work-queue pause urgent
work-queue resume urgent
work-queue update urgent --priority 2
work-queue preview urgent
work-queue set-concurrency-limit urgent 2
work-queue clear-concurrency-limit urgent
work-queue delete urgent -y
worker ls
deploy --all
flow ls
flow inspect hello
deployment ls
deployment inspect hello/local
deployment pause hello/local
deployment resume hello/local
deployment schedule create hello/local --cron 0_2_*_*_* --slug night
deployment schedule ls hello/local
deployment schedule preview hello/local
deployment schedule pause hello/local night
deployment schedule resume hello/local night
deployment backfill hello/local --start 2026-01-01 --end 2026-01-02 -y
backfill ls
backfill inspect $backfill
backfill cancel $backfill --cancel-runs
backfill resume $backfill
deployment schedule delete hello/local night -y
deployment schedule clear hello/local -y
deployment run hello/local --name one --param names=["Ada"]
flow-run ls
flow-run inspect one
flow-run explain one
flow-run execute one
flow-run watch one
flow-run logs one
flow-run logs one --follow
task-run ls --flow-run one
task-run inspect $task
task-run logs $task
flow-run retry one
flow-run rerun one --from start
flow-run cancel one
flow-run delete one -y
deployment run hello/local --name two
flow-run resume $paused
deployment delete hello/nightly -y
block type ls
block type inspect secret
block create secret token --field value=x
block ls
block inspect secret/token
block delete secret/token -y
block register -f warehouse.yaml
shell watch pwd
transfer --to http://127.0.0.1:9/api
artifact ls
artifact inspect daily
artifact delete daily -y
automation create -f automation.yaml
automation ls
automation inspect tell
automation update tell -f automation.yaml
automation pause tell
automation resume tell
automation simulate tell
automation trace tell
automation delete tell -y
event emit shop.paid -r shop.1
event ls
webhook create door --event door.opened --resource door.1
webhook ls
webhook inspect door
webhook rotate door -y
webhook delete door -y
sla create hello/local quick --duration 10m
sla ls
sla inspect quick
sla pause quick
sla resume quick
sla delete quick -y
gcl create database --limit 5
gcl ls
gcl inspect database
gcl holders database
gcl update database --limit 6
gcl disable database
gcl enable database
gcl delete database -y
concurrency-limit create gpu 2
concurrency-limit ls
concurrency-limit inspect gpu
concurrency-limit reset gpu -y
concurrency-limit delete gpu -y
monitor create Shop http://127.0.0.1:9/ --interval 1h --tag prod
monitor ls
monitor inspect Shop
monitor update Shop --interval 2h
monitor pause Shop
monitor resume Shop
monitor check Shop
monitor test http://127.0.0.1:9/
monitor types
monitor results Shop
monitor incidents
monitor acknowledge $incident
monitor stats Shop
monitor alert --tag prod --block-type slack-webhook --secret url=SLACK_URL
monitor export
monitor apply -f uptime.yaml
maintenance create Upgrade --tag prod --for 1h
maintenance ls
maintenance inspect Upgrade
maintenance finish Upgrade
maintenance delete Upgrade -y
status-page create shop Shop --tag prod
status-page ls
status-page inspect shop
status-page publish shop
status-page unpublish shop
status-page delete shop -y
monitor delete Shop -y
flow delete hello -y
work-pool delete default -y
server database upgrade
server database downgrade
server database stamp
server database reset -y
`;

/** As the script for shells knows them: all that can be called. */
async function allCommands(): Promise<string[]> {
  const { stdout } = await runCommand(["completion", "bash"], {});
  const offers = stdout.matchAll(/^ {4}'(?<path>[^']+)'\) words='(?<words>[^']*)'/gm);
  return Array.from(offers, ({ groups }) => groups ?? {}).flatMap(({ path = "", words = "" }) =>
    words.split(" ").every((word) => word.startsWith("-")) ? [path] : [],
  );
}

/**
 * Many commands in one process, each with what it wrote where: starting one for each takes minutes.
 */
const MANY_COMMANDS = `
const { runCommandLine } = await import(process.argv[1]);
process.on("message", async (args) => {
  const written = { stdout: "", stderr: "" };
  const writers = Object.keys(written).map((name) => [name, process[name].write]);
  for (const [name] of writers) process[name].write = (text) => Boolean((written[name] += text));
  process.exitCode = 0;
  await runCommandLine(args);
  for (const [name, write] of writers) process[name].write = write;
  process.send({ code: process.exitCode, ...written });
});
`;
const PROGRAM = new URL("../../packages/cli/dist/bundle/main.js", import.meta.url);

function openCommands(env: ServerEnv) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", MANY_COMMANDS, PROGRAM.href],
    { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "ignore", "inherit", "ipc"] },
  );
  return {
    async type(args: readonly string[]): Promise<Typed> {
      child.send(args);
      const [typed] = (await once(child, "message")) as [Typed];
      return typed;
    },
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const lines = COMMANDS.trim().split("\n");

test("every command is asked", async () => {
  const asked = lines.map((line) => line.replace(/^gcl /, "global-concurrency-limit "));
  const left = (await allCommands()).filter(
    (path) => !LEFT_OUT.test(path) && !asked.some((line) => `${line} `.startsWith(`${path} `)),
  );
  expect(left).toEqual([]);
  expect(await allCommands()).toContain("deployment schedule create");
});

test("with --json stdout is one JSON value, and what went wrong is on stderr", async () => {
  await using terminal = await openTerminal();
  const { client, env } = terminal;
  using commands = openCommands({ ...env, SLACK_URL: "https://hooks.example.com/x" });
  const project = (await terminal.file("x", "")).replace(/x$/, "project");
  const automation = await terminal.file("automation.yaml", AUTOMATION);
  const blocks = await terminal.file("warehouse.yaml", "name: Warehouse\nschema: {}\n");
  const monitors = await terminal.file("uptime.yaml", "version: 1\nmonitors: []\n");
  await client.artifacts.create({ key: "daily", type: "markdown", data: "# Well" });
  const wrong: object[] = [];
  for (const line of lines) {
    const words = await Promise.all(
      line.split(" ").map(async (word) => {
        if (word === ".") return project;
        if (word === "automation.yaml") return automation;
        if (word === "uptime.yaml") return monitors;
        if (word === "warehouse.yaml") return blocks;
        if (word.startsWith("$")) return idOf(word);
        return word.replaceAll("_*", " *").replace("0_2", "0 2");
      }),
    );
    const deploying = line.startsWith("deploy ") ? ["-f", `${project}/orchestrator.yaml`] : [];
    const { code, stdout, stderr } = await commands.type([...words, ...deploying, "--json"]);
    const isJson = stdout === "" ? code !== 0 && stderr !== "" : parses(stdout);
    const isAsWished = code === 0 || MAY_FAIL.test(line);
    if (!isJson || !isAsWished) wrong.push({ line, code, stdout, stderr });
    if (line.startsWith("init ")) {
      spawnSync("npm", ["install", "--offline"], { cwd: project });
      await writeFile(`${project}/flows/hello.mjs`, `console.log("read");\n${HELLO}`);
    }
  }
  expect(wrong).toEqual([]);

  async function idOf(word: string): Promise<string> {
    // Tasks are recorded from events, which may be a moment after their run has ended.
    if (word === "$task") {
      return vi.waitFor(
        async () => {
          const [task] = await client.taskRuns.list({ limit: 1 });
          expect(task).toBeDefined();
          return task?.id ?? "";
        },
        { timeout: 20_000 },
      );
    }
    if (word === "$incident") {
      for await (const { id } of terminal.uptime.incidents.each()) return id;
      return "";
    }
    if (word === "$backfill") {
      const [backfill] = await client.backfills.list({ limit: 1 });
      return backfill?.id ?? "";
    }
    const [run] = await client.flowRuns.list({ flow_runs: { name: { any_: ["two"] } } });
    for (const type of ["PENDING", "RUNNING", "PAUSED"] as const)
      await client.flowRuns.setState(run?.id ?? "", { state: { type } });
    return run?.id ?? "";
  }
});

/**
 * Their exit code says how something else is, that the server uses the database, or that another
 * server is away.
 */
const MAY_FAIL =
  /^(?:transfer|monitor (?:check|test|acknowledge)|server (?:re\w+-\w+|database \w+)|dashboard) ?/;
const AUTOMATION = `name: tell
trigger: { type: event, expect: [shop.paid], posture: Reactive, threshold: 1 }
actions: [{ type: do-nothing }]
`;
/** One that prints wherever it can. */
const HELLO = `
import { flow, task } from "@orchestrator/sdk";
const greet = task(async function greet(name) { console.log(name); process.stdout.write("past\\n"); });
export const hello = flow({ name: "hello", parameters: { type: "object", properties: { names: {} } } },
  async ({ names = [] }) => { await greet.map(names).results(); });
`;

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
