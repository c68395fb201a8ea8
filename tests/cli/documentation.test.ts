// The commands of the pages about the command line, typed into a shell in their order.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { commandsOf, readPageBlocks } from "../support/page-blocks.ts";
import { startReadyServer } from "../support/server-process.ts";
import { GuideShell } from "../support/shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PAGES = [
  "reference/cli.md",
  "how-to/store-credentials-in-blocks.md",
  "how-to/connect-to-several-servers.md",
  "how-to/copy-to-another-server.md",
  "how-to/complete-commands-in-your-shell.md",
  "reference/web-ui.md",
];
const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url));
const PASSWORD = "a-password-for-tests";

/** What does not end with 0, and why. */
const OTHER_ENDS: readonly (readonly [RegExp, number])[] = [
  [/^orchestrator block create slack-webhook ops2/, 1], // nobody can be asked here
  [/^orchestrator (?:block delete|concurrency-limit reset|server database reset)/, 1], // the same
  [/^orchestrator server database (?:upgrade|stamp)/, 1], // the server uses it
  [/^orchestrator server database downgrade/, 1], // there is no way back
  [/^orchestrator transfer /, 1], // there is no such server
  [/^orchestrator monitor check|^orchestrator monitor test/, 1], // nothing answers at example.com
];

/** What the pages take for granted once there is a worker: files, deployments, an artifact. */
async function prepare(client: OrchestratorClient, folder: string): Promise<void> {
  writeFileSync(`${folder}/mail.yaml`, MAIL);
  writeFileSync(`${folder}/tell-ops.yaml`, AUTOMATION);
  writeFileSync(`${folder}/warehouse.yaml`, WAREHOUSE);
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

/** The run that a page names, as the command needs it. */
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
/** The id of the backfill that a page names, whose runs nobody carries out. */
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
  rerun: ["RUNNING", "FAILED"],
  execute: ["PENDING"],
};
const MAIL =
  "smtp_host: mail.example.com\nsender_email: ops@example.com\nto_emails: [ops@example.com]\n";
const WAREHOUSE = "name: Warehouse\nschema: { properties: { password: { type: string } } }\n";
const AUTOMATION = `name: tell ops
trigger: { type: event, expect: [shop.order.paid], posture: Reactive, threshold: 1 }
actions: [{ type: do-nothing }]
`;

/** Ids that a page leaves to its reader. */
async function placeholders(client: OrchestratorClient): Promise<readonly [string, string][]> {
  const { id } = await client.deployments.readByName("hello", "local");
  const [queue] = await client.workQueues.list({});
  const [run] = await client.flowRuns.list({ limit: 1 });
  return [
    ["<deployment id>", id],
    ["<queue id>", queue?.id ?? ""],
    ["<run id>", run?.id ?? ""],
  ];
}

async function commandFor(client: OrchestratorClient, text: string): Promise<string> {
  if (text.includes("brave-otter")) await prepareRun(client, text);
  if (BACKFILL.test(text)) return text.replace(BACKFILL, await prepareBackfill(client));
  if (!/<[a-z]+ id>/.test(text)) return text;
  const ids = await placeholders(client);
  return ids.reduce((typed, [example, id]) => typed.replaceAll(example, id), text);
}

test("every command of the pages does what it says", { timeout: 900_000 }, async () => {
  await using folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  await using server = await startReadyServer({ home, env: { UPTIME_PASSWORD: PASSWORD } });
  const client = createClient({ url: `${server.url}/api` });
  mkdirSync(`${folder.path}/bin`);
  symlinkSync(COMMAND, `${folder.path}/bin/orchestrator`);
  await using shell = new GuideShell(folder.path, {
    PATH: `${folder.path}/bin:${process.env["PATH"] ?? ""}`,
    HOME: folder.path,
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    UPTIME_PASSWORD: PASSWORD,
    SLACK_URL: "https://hooks.example.com/T0/B0/x",
  });
  const blocks = PAGES.flatMap((page) => readPageBlocks(page).map((block) => ({ page, block })));
  for (const { page, block } of blocks) {
    const { language, name, text, title } = block;
    if (title === "Runs") await prepare(client, shell.folder);
    if (name !== "") writeFileSync(`${shell.folder}/${name}`, text);
    for (const command of language === "sh" ? commandsOf(block) : []) {
      const { code, output } = await shell.type(await commandFor(client, command));
      const expected = OTHER_ENDS.find(([pattern]) => pattern.test(command))?.[1] ?? 0;
      expect.soft({ page, title, command, code, output }).toMatchObject({ code: expected });
    }
  }
});
