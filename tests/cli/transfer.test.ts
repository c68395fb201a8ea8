// Copying what is defined on one server to another.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNTS_MODE_ENV, runCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { breakingLine } from "./breaking-line.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

interface Report {
  readonly dry_run: boolean;
  readonly summary: readonly { readonly kind: string; readonly created: number }[];
  readonly items: readonly {
    readonly kind: string;
    readonly name: string;
    readonly outcome: string;
    readonly note: string | null;
  }[];
}

let here: Terminal;
let there: Terminal;
beforeAll(async () => {
  [here, there] = await Promise.all([openTerminal(), openTerminal()]);
  // Both servers as profiles; the environment names the first, and must not be taken for the
  // second.
  for (const [name, { env }] of [
    ["here", here],
    ["there", there],
  ] as const) {
    await here.text("profile", "create", name);
    for (const key of ["ORCHESTRATOR_API_URL", "UPTIME_PASSWORD"])
      await here.text("-p", name, "config", "set", `${key}=${env[key]}`);
  }
});
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

const transfer = async (...args: readonly string[]): Promise<Report> => {
  const { stdout, stderr } = await here.type([
    "transfer",
    "--from",
    "here",
    "--to",
    "there",
    "--json",
    ...args,
  ]);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Report;
};

const created = ({ summary }: Report): Record<string, number> =>
  Object.fromEntries(summary.map((row) => [row.kind, row.created]));

/** One of everything, each needing others. */
async function fill({ client, uptime }: Terminal): Promise<void> {
  await client.variables.create({ name: "region", value: { eu: [1] }, tags: ["geo"] });
  await client.concurrencyLimits.create({ name: "database", limit: 5, slot_decay_per_second: 2 });
  await client.tagLimits.set({ tag: "gpu", concurrency_limit: 2 });
  const type = await client.blockTypes.create({
    name: "Warehouse",
    slug: "warehouse",
    description: "<b> & co",
  });
  await client.blockSchemas.create({
    block_type_id: type.id,
    fields: {
      title: "Warehouse",
      type: "object",
      properties: { password: { type: "string" }, folder: { type: "object" } },
      secret_fields: ["password"],
      block_type_slug: "warehouse",
      block_schema_references: {},
    },
    capabilities: ["read"],
  });
  const folderType = await client.blockTypes.readBySlug("local-file-system");
  const folder = await client.blockDocuments.create({
    name: "zz-folder",
    block_type_id: folderType.id,
    data: { basepath: "/data" },
  });
  const block = await client.blockDocuments.create({
    name: "main",
    block_type_id: type.id,
    data: { password: "hunter2", folder: { $ref: { block_document_id: folder.id } } },
  });
  await client.workPools.create({
    name: "local",
    type: "process",
    concurrency_limit: 4,
    base_job_template: {},
    storage_configuration: { default_result_storage_block_id: folder.id },
  });
  await client.workQueues.createInPool("local", { name: "urgent", priority: 1 });
  await client.workQueues.updateInPool("local", "default", { concurrency_limit: 3 });
  const flow = await client.flows.create({ name: "etl", tags: ["data"] });
  const limit = await client.concurrencyLimits.read("database");
  const deployment = await client.deployments.create({
    name: "nightly",
    flow_id: flow.id,
    work_pool_name: "local",
    work_queue_name: "urgent",
    parameters: { day: "today" },
    job_variables: { block: block.id, command: "true" },
    schedules: [
      { schedule: { cron: "0 2 * * *", timezone: "Europe/Paris" }, slug: "night", overlap: "skip" },
      { schedule: { interval: 3600 }, active: false },
    ],
    storage_document_id: folder.id,
    concurrency_limit: 1,
  });
  await client.deployments.create({
    name: "shared",
    flow_id: flow.id,
    global_concurrency_limit_id: limit.id,
  });
  await client.slas.create(deployment.id, { name: "quick", duration: 600, severity: "high" });
  const router = await uptime.monitors.create({ name: "Router", url: "http://127.0.0.1:9" });
  const shop = await uptime.monitors.create({
    name: "Shop",
    url: "http://127.0.0.1:9/shop",
    parents: [router.id],
  });
  await uptime.maintenance.create({
    name: "Backup",
    schedule: "0 3 * * *",
    duration: 60,
    monitor_ids: [shop.id],
  });
  await client.automations.create({
    name: "heal",
    trigger: {
      type: "event",
      posture: "Reactive",
      expect: ["uptime.monitor.down"],
      match: { "prefect.resource.id": `uptime.monitor.${shop.id}` },
      threshold: 1,
      within: 0,
    },
    actions: [
      { type: "run-deployment", source: "selected", deployment_id: deployment.id },
      { type: "run-check", source: "selected", monitor_id: shop.id },
    ],
  });
}

test("a dry run tells what would be created and creates nothing", async () => {
  await fill(here);
  const report = await transfer("--dry-run");
  expect(report.dry_run).toBe(true);
  expect(created(report)).toEqual({
    variable: 1,
    "global-concurrency-limit": 1,
    "concurrency-limit": 1,
    "block-type": 1,
    block: 2,
    "work-pool": 1,
    "work-queue": 1,
    flow: 1,
    deployment: 2,
    sla: 1,
    monitor: 2,
    maintenance: 1,
    automation: 1,
  });
  expect(await there.client.flows.count()).toBe(0);
  expect(await there.client.variables.count()).toBe(0);
});

test("everything is made over there, and names what it named here", async () => {
  const before = await transfer("--dry-run");
  const report = await transfer();
  expect(created(report)).toEqual(created(before));
  expect(report.items.filter(({ outcome }) => outcome !== "created")).toEqual([]);
  const { client, uptime } = there;
  expect(await client.variables.readByName("region")).toMatchObject({
    value: { eu: [1] },
    tags: ["geo"],
  });
  expect(await client.tagLimits.readByTag("gpu")).toMatchObject({ concurrency_limit: 2 });
  expect((await client.blockTypes.readBySlug("warehouse")).description).toBe("&lt;b&gt; &amp; co");
  const secrets = { include_secrets: true };
  const block = await client.blockDocuments.readByName("warehouse", "main", secrets);
  expect(block.data).toEqual({ password: "hunter2", folder: { basepath: "/data" } });
  const folder = await client.blockDocuments.readByName("local-file-system", "zz-folder");
  expect(block.block_document_references).toMatchObject({
    folder: { block_document: { id: folder.id } },
  });
  expect(await client.workPools.read("local")).toMatchObject({
    concurrency_limit: 4,
    storage_configuration: { default_result_storage_block_id: folder.id },
  });
  const queues = await client.workQueues.listInPool("local");
  expect(
    queues.map(({ name, priority, concurrency_limit }) => [name, priority, concurrency_limit]),
  ).toEqual(
    expect.arrayContaining([
      ["urgent", 1, null],
      ["default", 2, 3],
    ]),
  );
  const deployment = await client.deployments.readByName("etl", "nightly");
  expect(deployment).toMatchObject({
    work_pool_name: "local",
    work_queue_name: "urgent",
    parameters: { day: "today" },
    job_variables: { block: block.id },
    storage_document_id: folder.id,
    global_concurrency_limit: { name: `deployment:${deployment.id}`, limit: 1 },
    paused: false,
  });
  expect(deployment.schedules).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ slug: "night", overlap: "skip", active: true }),
      expect.objectContaining({ active: false }),
    ]),
  );
  const shared = await client.deployments.readByName("etl", "shared");
  expect(shared.global_concurrency_limit).toMatchObject({ name: "database", limit: 5 });
  expect(await client.slas.listOfDeployment(deployment.id)).toMatchObject([
    { name: "quick", seconds: 600, severity: "high" },
  ]);
  const shop = (await uptime.monitors.list()).find(({ name }) => name === "Shop");
  const [automation] = await client.automations.list();
  expect(automation).toMatchObject({
    trigger: { match: { "prefect.resource.id": `uptime.monitor.${shop?.id}` } },
    actions: [{ deployment_id: deployment.id }, { monitor_id: shop?.id }],
  });
});

test("transferred again, nothing is made or changed", async () => {
  await there.client.variables.updateByName("region", { value: "theirs" });
  const report = await transfer();
  expect(new Set(report.items.map(({ outcome }) => outcome))).toEqual(new Set(["exists"]));
  expect((await there.client.variables.readByName("region")).value).toBe("theirs");
  expect(await there.client.deployments.count()).toBe(2);
  expect(await there.client.automations.count()).toBe(1);
});

test("what cannot be copied is told with the reason, and the rest is copied", async () => {
  const { client, uptime } = here;
  const { id: flow_id } = await client.flows.create({ name: "lonely" });
  await client.deployments.create({ name: "one", flow_id });
  await uptime.monitors.create({
    name: "Locked",
    url: "http://127.0.0.1:9/locked",
    pipeline: [{ type: "instance", username: "watch", password: "pssst" }],
  });
  await uptime.statusPages.create({ slug: "locked", title: "Locked", groups: [] });
  await client.variables.create({ name: "later", value: 1 });
  const typed = await here.type([
    "transfer",
    "--to",
    "there",
    "--only",
    "variable",
    "deployment",
    "monitor",
    "status-page",
    "--pause",
  ]);
  expect(typed.code).toBe(1);
  expect(typed.stdout).toMatch(/^KIND +CREATED +THERE ALREADY +LEFT OUT +FAILED\n/);
  expect(typed.stdout).toMatch(/\nvariable +1 +1 +0 +0\n/);
  expect(typed.stdout).toMatch(/left out: deployment lonely\/one: its flow is not/);
  expect(typed.stdout).toMatch(/left out: monitor Locked: its secrets are told nobody/);
  expect(typed.stdout).not.toContain("pssst");
  expect((await there.client.variables.readByName("later")).value).toBe(1);
  const report = await transfer("--only", "flow", "deployment", "--pause");
  expect(created(report)).toMatchObject({ flow: 1, deployment: 1 });
  expect((await there.client.deployments.readByName("lonely", "one")).paused).toBe(true);
});

test("a server that asks for more than its profile has is named with what is missing", async () => {
  const typed = await here.type([
    "transfer",
    "--to",
    `${there.server.url}/api`,
    "--only",
    "monitor",
  ]);
  expect(typed.code).toBe(1);
  expect(typed.stdout).toContain(`(${there.server.url}): set UPTIME_PASSWORD in the profile`);
});

test.each([
  ["breaks", null],
  ["ends at a proxy that finds no server", 502],
] as const)(
  "a transfer whose line %s tells what it made and goes on when it is given again",
  async (_, status) => {
    for (const name of [`before-${status}-1`, `before-${status}-2`])
      await here.client.variables.create({ name, value: 1 });
    for (const name of [`cut-${status}-1`, `cut-${status}-2`])
      await here.client.flows.create({ name });
    await using line = await breakingLine(there.server.url, "POST /api/flows/", status);
    const args = ["transfer", "--from", "here", "--only", "variable", "flow"];
    const typed = await here.type([...args, "--to", `${line.url}/api`]);
    expect(typed.code).toBe(1);
    expect(typed.stdout).toMatch(/\nvariable +2 +\d+ +0 +0\n/);
    expect(typed.stdout).toMatch(/\nflow +0 +\d+ +0 +1\n/);
    expect(typed.stdout).toMatch(/failed: flow cut-\w+-\d: no answer came/);
    expect(typed.stderr).toContain(line.url);
    expect(typed.stderr).toContain("give the same command once both servers answer");
    const cut = await here.type([...args, "--to", `${line.url}/api`, "--json"]);
    expect(cut).toMatchObject({ code: 1, stdout: "" });
    const report = await transfer("--only", "variable", "flow");
    expect(created(report)).toEqual({ variable: 0, flow: 2 });
  },
);

test("one server is not transferred to itself, and a profile that is not there is said to be missing", async () => {
  expect(await here.type(["transfer", "--to", "here"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name two servers"),
  });
  expect(await here.type(["transfer", "--to", "nowhere"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no profile"),
  });
  expect(await here.type(["transfer"])).toMatchObject({ code: 2, stdout: "" });
  const [from, to] = [here, there].map(({ server }) => `${server.url}/api`);
  expect(
    await here.type(["transfer", "--from", from ?? "", "--to", to ?? "", "--only", "variable"]),
  ).toMatchObject({ code: 0, stdout: expect.stringContaining("variable") });
});

test("blocks whose secrets the key may not read are left out, and those without any are copied", async () => {
  await using data = await temporaryFolder();
  await using own = await temporaryFolder();
  await using server = await startReadyServer({
    home: data.path,
    env: ACCOUNTS_MODE_ENV,
  });
  const [key = ""] = /orc_[\w-]{43}/.exec(server.stdout()) ?? [];
  const env = { ORCHESTRATOR_HOME: own.path, TOKEN: "never-to-be-shown" };
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(args, env);
    expect(`${code} ${stderr}`, args.join(" ")).toMatch(/^0 /);
    return stdout;
  };
  await run("cloud", "login", "--url", `${server.url}/api`, "--key", key);
  await run("block", "create", "secret", "token", "--secret", "value=TOKEN");
  await run("block", "create", "local-file-system", "plain", "--field", "basepath=/plain");
  const made = await run("cloud", "api-key", "create", "look", "--role", "viewer", "--json");
  await run("profile", "create", "viewer", "--from", "default");
  const { key: viewer } = JSON.parse(made) as { readonly key: string };
  await run("-p", "viewer", "config", "set", `ORCHESTRATOR_API_KEY=${viewer}`);
  const to = `${there.server.url}/api`;
  const typed = await runCommand(
    ["transfer", "--from", "viewer", "--to", to, "--only", "block", "--json"],
    env,
  );
  expect(typed.code).toBe(1);
  expect(typed.stdout + typed.stderr).not.toContain("never-to-be-shown");
  const { items } = JSON.parse(typed.stdout) as Report;
  expect(items).toEqual([
    expect.objectContaining({ name: "local-file-system/plain", outcome: "created" }),
    {
      kind: "block",
      name: "secret/token",
      outcome: "left_out",
      note: expect.stringContaining("may not be read"),
    },
  ]);
});

test("whole numbers of any length, and floats, are set, shown and transferred as they are", async () => {
  const long = "1763110800123456789";
  await here.text("variable", "set", "moment", `{"ns":${long},"one":1.0}`);
  expect(created(await transfer("--only", "variable"))).toMatchObject({ variable: 1 });
  for (const terminal of [here, there]) {
    expect(await terminal.text("variable", "inspect", "moment", "--json")).toContain(
      `"ns": ${long},\n    "one": 1.0`,
    );
    expect(await terminal.text("variable", "inspect", "moment")).toContain(
      `{"ns":${long},"one":1.0}`,
    );
    expect(await terminal.text("api", "GET", "/variables/name/moment")).toContain(long);
  }
});
