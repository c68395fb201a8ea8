// The commands in docs/cli.md, typed into a shell in their order.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { type Env, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const page = new URL("../../docs/cli.md", import.meta.url);
const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url));
const PASSWORD = "a-password-for-tests";

interface Line {
  readonly text: string;
  readonly title: string;
  /** Of its section. */
  readonly isFirst: boolean;
}

/** Every line of the page's shell blocks, without comments. */
function linesOfPage(): Line[] {
  const lines: Line[] = [];
  let title = "";
  let isShell = false;
  for (const line of readFileSync(page, "utf8").split("\n")) {
    if (line.startsWith("## ")) title = line.slice(3);
    if (line.startsWith("```")) isShell = line === "```sh";
    else if (isShell) {
      const text = line.replace(/\s+#.*$/, "").trim();
      if (text !== "") lines.push({ text, title, isFirst: lines.at(-1)?.title !== title });
    }
  }
  return lines;
}

/** What does not end with 0, and why. */
const OTHER_ENDS: readonly (readonly [RegExp, number])[] = [
  [/^orchestrator block create slack-webhook ops2/, 1], // nobody can be asked here
  [/^orchestrator (?:block delete|concurrency-limit reset|server database reset)/, 1], // the same
  [/^orchestrator server database (?:upgrade|stamp)/, 1], // the server uses it
  [/^orchestrator server database downgrade/, 1], // there is no way back
  [/^orchestrator transfer --to staging/, 1], // there is no such server
  [/^orchestrator monitor check|^orchestrator monitor test/, 1], // nothing answers at example.com
];

interface Typed {
  readonly code: number | null;
  readonly output: string;
}

class Shell implements AsyncDisposable {
  readonly #env: Env;
  readonly #behind: ChildProcess[] = [];
  #folder: string;

  constructor(folder: string, env: Env) {
    this.#folder = folder;
    this.#env = env;
  }

  async type(line: string): Promise<Typed> {
    if (line.endsWith("&")) return this.#putBehind(line.slice(0, -1));
    const child = spawn("bash", ["-c", `${line}\ncode=$?; pwd >&3; exit $code`], {
      cwd: this.#folder,
      env: { ...this.#env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    let output = "";
    let folder = "";
    child.stdout?.on("data", (text) => (output += String(text)));
    child.stderr?.on("data", (text) => (output += String(text)));
    child.stdio[3]?.on("data", (text) => (folder += String(text)));
    const [code] = (await once(child, "close")) as [number | null];
    if (folder !== "") this.#folder = folder.trim();
    return { code, output };
  }

  #putBehind(line: string): Typed {
    const options = { cwd: this.#folder, env: { ...this.#env }, stdio: "ignore" } as const;
    this.#behind.push(spawn("bash", ["-c", `exec ${line}`], options));
    return { code: 0, output: "" };
  }

  async [Symbol.asyncDispose]() {
    for (const child of this.#behind) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    }
  }
}

/** What the page takes for granted once there is a worker: deployments, an artifact. */
async function prepare(client: OrchestratorClient): Promise<void> {
  const { id: etl } = await client.flows.create({ name: "etl" });
  await client.deployments.create({
    name: "nightly",
    flow_id: etl,
    work_pool_name: "default",
    job_variables: { command: "true" },
    parameter_openapi_schema: { type: "object", properties: { day: { type: "string" } } },
  });
  const { id: report } = await client.flows.create({ name: "report" });
  const days = { schedule: { cron: "0 6 * * *" }, active: false };
  await client.deployments.create({ name: "daily", flow_id: report, schedules: [days] });
  await client.artifacts.create({ key: "daily-report", type: "markdown", data: "# All is well" });
}

/** The run that the page speaks of, as the command needs it. */
async function prepareRun(client: OrchestratorClient, line: string): Promise<void> {
  const name = "brave-otter";
  for await (const { id } of client.flowRuns.each({ flow_runs: { name: { any_: [name] } } }))
    await client.flowRuns.delete(id);
  const [flow, deployment] = line.includes(" execute ") ? ["hello", "local"] : ["etl", "nightly"];
  const { id: deploymentId } = await client.deployments.readByName(flow, deployment);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = { type: "SCHEDULED", state_details: { scheduled_time: later } } as const;
  const { id } = await client.deployments.createFlowRun(deploymentId, { name, state: scheduled });
  const [, verb = ""] = /flow-run (\w+)/.exec(line) ?? [];
  const types = STATES_FOR[verb] ?? [];
  for (const type of types) await client.flowRuns.setState(id, { state: { type }, force: true });
}
/** The id of the backfill that the page speaks of, whose runs nobody carries out. */
const BACKFILL = /01a1dfbd-[\da-f-]{27}/;
async function prepareBackfill(client: OrchestratorClient): Promise<string> {
  const { id: deploymentId, schedules } = await client.deployments.readByName("report", "daily");
  const { id } = await client.backfills.create(deploymentId, {
    start: "2026-11-01T00:00:00Z",
    end: "2026-11-08T00:00:00Z",
    schedule_id: schedules[0]?.id ?? null,
    idempotency_key: "of the page",
  });
  return id;
}
const STATES_FOR: Readonly<Record<string, readonly StateType[]>> = {
  watch: ["RUNNING", "COMPLETED"],
  logs: ["RUNNING", "COMPLETED"],
  resume: ["RUNNING", "PAUSED"],
  retry: ["RUNNING", "FAILED"],
  execute: ["PENDING"],
};
const MAIL =
  "smtp_host: mail.example.com\nsender_email: ops@example.com\nto_emails: [ops@example.com]\n";
const WAREHOUSE = "name: Warehouse\nschema: { properties: { password: { type: string } } }\n";
const AUTOMATION = `name: tell ops
trigger: { type: event, expect: [shop.order.paid], posture: Reactive, threshold: 1 }
actions: [{ type: do-nothing }]
`;

test("every command of the page does what it says", { timeout: 900_000 }, async () => {
  await using folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  await using server = await startServer({ home, env: { UPTIME_PASSWORD: PASSWORD } });
  const client = createClient({ url: `${server.url}/api` });
  mkdirSync(`${folder.path}/bin`);
  symlinkSync(COMMAND, `${folder.path}/bin/orchestrator`);
  await using shell = new Shell(folder.path, {
    PATH: `${folder.path}/bin:${process.env["PATH"] ?? ""}`,
    HOME: folder.path,
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    UPTIME_PASSWORD: PASSWORD,
    SLACK_URL: "https://hooks.example.com/T0/B0/x",
  });
  const project = `${folder.path}/my-flows`;
  for (const { text, title, isFirst } of linesOfPage()) {
    if (title === "Runs" && isFirst) {
      await prepare(client);
      writeFileSync(`${project}/mail.yaml`, MAIL);
      writeFileSync(`${project}/tell-ops.yaml`, AUTOMATION);
      writeFileSync(`${project}/warehouse.yaml`, WAREHOUSE);
    }
    if (text.includes("brave-otter")) await prepareRun(client, text);
    const typed = BACKFILL.test(text)
      ? text.replace(BACKFILL, await prepareBackfill(client))
      : text;
    const { code, output } = await shell.type(typed);
    const expected = OTHER_ENDS.find(([pattern]) => pattern.test(text))?.[1] ?? 0;
    expect.soft({ title, text, code, output }).toMatchObject({ code: expected });
  }
});
