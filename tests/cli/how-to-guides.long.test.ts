// The commands of the how-to guides about runs, limits, workers, events and automations.
import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import type { Lookup } from "./guide.ts";
import { expectGuideToWork, openGuideShell } from "./guide-shell.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const PASSWORD = "a-password-for-tests";

/** In an order in which a page finds what pages before it have made. */
const PAGES = [
  "how-to/send-events.md",
  "how-to/find-events.md",
  "how-to/follow-events.md",
  "how-to/keep-events.md",
  "how-to/create-automation.md",
  "how-to/try-trigger.md",
  "how-to/notify-slack.md",
  "how-to/alert-monitor-down.md",
  "how-to/act-on-monitors.md",
  "how-to/reach-private-network.md",
  "how-to/receive-webhooks.md",
  "how-to/wait-for-event.md",
  "how-to/run-deployment.md",
  "how-to/explain-run.md",
  "how-to/rerun-flow-run.md",
  "how-to/schedule-deployment.md",
  "how-to/backfill-deployment.md",
  "how-to/set-slas.md",
  "how-to/ask-person.md",
  "how-to/test-flow.md",
  "how-to/deploy-flow.md",
  "how-to/run-typescript.md",
  "how-to/run-shell-command.md",
  "how-to/store-results-in-bucket.md",
  "how-to/start-worker.md",
  "how-to/run-docker-jobs.md",
  "how-to/run-kubernetes-jobs.md",
  "how-to/limit-concurrency.md",
  "how-to/limit-per-customer.md",
  "reference/lists.md",
  "reference/sdk.md",
];

let folder: TemporaryFolder;
let server: ServerProcess;
let client: OrchestratorClient;
let monitorId: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  const env = { UPTIME_PASSWORD: PASSWORD };
  server = await startReadyServer({ home: `${folder.path}/data`, env, flags: ["--worker"] });
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
    await expectGuideToWork(page, { shell, placeholders, replaced: replaced() });
    const message = MESSAGES[page];
    if (message !== undefined) await retryUntil(() => expect(receiver.received).toMatch(message));
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
  await retryUntil(async () => {
    const [run] = await client.flowRuns.list({ flow_runs: { name: { any_: ["done"] } } });
    expect(run?.state_type).toBe("COMPLETED");
  });
}

const newestRun = (state: "COMPLETED" | "PAUSED" | "SCHEDULED") => () =>
  retryUntil(async () => {
    const type = { any_: [state] };
    const [run] = await client.flowRuns.list({ flow_runs: { state: { type } }, sort: "ID_DESC" });
    if (run === undefined) throw new Error(`There is no ${state} run yet`);
    return run.id;
  });

const runThatWaits = () =>
  retryUntil(async () => {
    const type = { any_: ["RUNNING" as const] };
    for (const { id } of await client.flowRuns.list({ flow_runs: { state: { type } } }))
      if ((await client.flowRuns.listWaits(id)).length > 0) return id;
    throw new Error("No run waits yet");
  });

const deploymentId = (flow: string, name: string) => async () =>
  (await client.deployments.readByName(flow, name)).id;

const PLACEHOLDERS: Readonly<Record<string, Lookup>> = {
  "deployment id": deploymentId("report", "daily"),
  "backup deployment id": deploymentId("backup", "nightly"),
  run: newestRun("COMPLETED"),
  "waiting run": newestRun("SCHEDULED"),
  "paused run": newestRun("PAUSED"),
  "run that waits": runThatWaits,
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
