// The commands of the how-to guides about runs, limits, workers, events and automations.
import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import type { Lookup } from "./guide.ts";
import { expectGuideToWork, openGuideShell } from "./guide-shell.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const PASSWORD = "a-password-for-tests";

/** In an order in which a page finds what pages before it have made. */
const GUIDES = [
  "send-events",
  "find-events",
  "follow-events",
  "keep-events",
  "create-automation",
  "try-trigger",
  "notify-slack",
  "alert-monitor-down",
  "act-on-monitors",
  "reach-private-network",
  "receive-webhooks",
  "run-deployment",
  "explain-run",
  "schedule-deployment",
  "backfill-deployment",
  "set-slas",
  "ask-person",
  "deploy-flow",
  "run-typescript",
  "run-shell-command",
  "store-results-in-bucket",
  "start-worker",
  "run-docker-jobs",
  "run-kubernetes-jobs",
  "limit-concurrency",
  "limit-per-customer",
].map((name) => `how-to/${name}.md`);
const PAGES = [...GUIDES, "reference/lists.md", "reference/sdk.md"];

/** These need an engine or a cluster. */
const skipped = /worker start .*--type (?:docker|kubernetes)/;

let folder: TemporaryFolder;
let server: ServerProcess;
let client: OrchestratorClient;
let monitorId: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  const env = { UPTIME_PASSWORD: PASSWORD };
  server = await startServer({ home: `${folder.path}/data`, env, flags: ["--worker"] });
  client = createClient({ url: `${server.url}/api` });
  symlinkSync(MODULES, `${folder.path}/node_modules`);
  await prepare();
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

for (const page of PAGES) {
  test(`every command of ${page} does what it says`, async () => {
    await using shell = openGuideShell(folder.path, page, commandEnv());
    const placeholders = PLACEHOLDERS;
    await expectGuideToWork(page, { shell, placeholders, replaced: replaced(), skipped });
    const message = MESSAGES[page];
    if (message !== undefined) await until(() => expect(receiver.received).toMatch(message));
  });
}

/** What the receiver of messages gets in the end. */
const MESSAGES: Readonly<Record<string, RegExp>> = {
  "how-to/notify-slack.md": /Order 17 failed/,
};

const commandEnv = () => ({
  ORCHESTRATOR_HOME: `${folder.path}/data`,
  ORCHESTRATOR_API_URL: `${server.url}/api`,
  UPTIME_PASSWORD: PASSWORD,
});

const replaced = () => ({
  "http://127.0.0.1:4200": server.url,
  "https://hooks.slack.com": receiver.url,
  "https://hooks.example.com": receiver.url,
});

/** What the pages take for granted: a deployment, a run that has completed, and a monitor. */
async function prepare(): Promise<void> {
  const { id: flow_id } = await client.flows.create({ name: "report" });
  const { id } = await client.deployments.create({
    name: "daily",
    flow_id,
    work_pool_name: "default",
    job_variables: { command: "true" },
    schedules: [{ schedule: { cron: "0 6 * * *" }, slug: "morning" }],
  });
  await client.deployments.createFlowRun(id, { name: "done" });
  await using shell = openGuideShell(folder.path, "preparation", commandEnv());
  const made = await shell.type(
    `orchestrator monitor create Shop ${receiver.url} --tag prod --json`,
  );
  monitorId = (JSON.parse(made.output) as { readonly id: string }).id;
  await until(async () => {
    const [run] = await client.flowRuns.list({ flow_runs: { name: { any_: ["done"] } } });
    expect(run?.state_type).toBe("COMPLETED");
  });
}

const newestRun = (state: "COMPLETED" | "PAUSED" | "SCHEDULED") => () =>
  until(async () => {
    const type = { any_: [state] };
    const [run] = await client.flowRuns.list({ flow_runs: { state: { type } }, sort: "ID_DESC" });
    if (run === undefined) throw new Error(`There is no ${state} run yet`);
    return run.id;
  });

const deploymentId = (flow: string, name: string) => async () =>
  (await client.deployments.readByName(flow, name)).id;

const PLACEHOLDERS: Readonly<Record<string, Lookup>> = {
  "deployment id": deploymentId("report", "daily"),
  "backup deployment id": deploymentId("backup", "nightly"),
  run: newestRun("COMPLETED"),
  "waiting run": newestRun("SCHEDULED"),
  "paused run": newestRun("PAUSED"),
  "backfill id": async () => (await client.backfills.list())[0]?.id ?? "",
  "limit id": (printed) => printed.match(/\b[\da-f]{8}-[\da-f-]{27}\b/g)?.at(-1) ?? "",
  "webhook id": async () =>
    (await client.webhooks.list({ webhooks: { name: { any_: ["github"] } } }))[0]?.id ?? "",
  "webhook address": (printed) => printed.match(/http\S+\/webhooks\/\S+/g)?.at(-1) ?? "",
  "block id": async () => (await client.blockDocuments.readByName("slack-webhook", "ops")).id,
  "monitor id": () => monitorId,
};

async function startReceiver() {
  let received = "";
  const http = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    request.on("end", () => response.end("ok"));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get received() {
      return received;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
