// One of each thing with as much about it as there can be: what takes the most to show.
import type { FilledRecords, Make } from "./fill.ts";
import { callUptime, type FilledMonitors } from "./fill-monitors.ts";

/** More than a list gives at once, several times. */
const LINES = 1500;
const MINUTE_MS = 60_000;
/** The longest that the server keeps whole, without a place to break it. */
const longest = (name: string): string => name.padEnd(1000, "m");

/** The addresses of their pages. */
export async function fillRich(
  origin: string,
  make: Make,
  { filled, monitors }: { readonly filled: FilledRecords; readonly monitors: FilledMonitors },
): Promise<string[]> {
  const block = await addNestedBlock(make);
  const deployment = await addDeployment(make, filled.flow.id);
  const queue = await make("/work_pools/crowded/queues", { name: "urgent", priority: 1 });
  const automation = await addAutomation(make, {
    deployments: [deployment.id, filled.deployment.id],
    pool: filled.pool.id,
    queue: queue.id,
    automation: filled.automations.automation,
    monitor: monitors.monitors[0]?.id ?? "",
    block: filled.automations.block,
  });
  const runs = await addRun(make, deployment.id);
  const monitor = await addMonitor(origin, monitors);
  return [
    `/automations/${automation.id}`,
    `/automations/${automation.id}?tab=trace`,
    `/automations/${automation.id}?tab=deliveries`,
    `/automations/${automation.id}/edit`,
    `/blocks/${block}`,
    ...pagesAbout({ flow: filled.flow.id, deployment: deployment.id, ...runs }),
    `/monitors/${monitor}`,
    `/monitors/${monitor}?tab=incidents`,
    `/monitors/${monitor}?tab=settings`,
    `/monitors/${monitor}/edit`,
  ];
}

/** The same without the things of which others speak and those of the other service. */
export async function fillRichRuns(make: Make, flow: string): Promise<string[]> {
  const deployment = await addDeployment(make, flow);
  const runs = await addRun(make, deployment.id);
  return pagesAbout({ flow, deployment: deployment.id, ...runs });
}

function pagesAbout(of: Readonly<Record<"flow" | "deployment" | "run" | "child", string>>) {
  const narrowed = `/runs?flow=${of.flow}&deployment=${of.deployment}&pool=crowded&window=all`;
  return [
    `/deployments/${of.deployment}`,
    "/work-pools/crowded",
    narrowed,
    `${narrowed}&chart=scatter`,
    `/runs/compare?a=${of.run}&b=${of.child}`,
    `/runs/${of.run}`,
    `/runs/${of.run}?tab=logs`,
    `/runs/${of.run}?tab=artifacts`,
    `/runs/${of.child}?tab=logs`,
  ];
}

interface Targets {
  readonly deployments: readonly string[];
  readonly pool: string;
  readonly queue: string;
  readonly automation: string;
  readonly monitor: string;
  readonly block: string;
}

/** Its actions are about every kind of things, and about several of some. */
async function addAutomation(make: Make, of: Targets): Promise<{ readonly id: string }> {
  const source = "selected";
  return make("/automations/", {
    name: "When everything breaks",
    trigger: { type: "event", posture: "Reactive", expect: ["all.lost"], threshold: 1, within: 0 },
    actions: [
      { type: "send-notification", block_document_id: of.block, subject: "All is lost", body: "!" },
      ...of.deployments.map((deployment_id) => ({ type: "run-deployment", source, deployment_id })),
      { type: "pause-work-pool", source, work_pool_id: of.pool },
      { type: "pause-work-queue", source, work_queue_id: of.queue },
      { type: "pause-automation", source, automation_id: of.automation },
      { type: "run-check", source, monitor_id: of.monitor },
    ],
    actions_on_trigger: [{ type: "pause-deployment", source, deployment_id: of.deployments[0] }],
  });
}

/** With schedules, a limit, an SLA, and a pool of several queues and workers. */
async function addDeployment(make: Make, flow_id: string): Promise<{ readonly id: string }> {
  await make("/work_pools/", { name: "crowded", type: "process", concurrency_limit: 8 });
  for (const name of ["red", "green", "blue"]) {
    await make("/work_pools/crowded/queues", { name });
    await make("/work_pools/crowded/workers/heartbeat", { name: `worker-${name}` });
  }
  const deployment = await make("/deployments/", {
    name: "with-everything",
    flow_id,
    work_pool_name: "crowded",
    work_queue_name: "red",
    description: "# All of it\n\nWith a **description**.",
    entrypoint: "flows/all.py:run",
    version: "7",
    tags: ["prod", "eu"],
    concurrency_limit: 2,
    parameters: { day: "2026-11-01" },
    parameter_openapi_schema: {
      type: "object",
      properties: { day: { type: "string", format: "date" } },
    },
    schedules: [
      { schedule: { cron: "0 3 * * *", timezone: "Europe/Berlin" }, active: true },
      { schedule: { interval: 7200 }, active: true },
      { schedule: { rrule: "FREQ=WEEKLY;BYDAY=MO" }, active: false },
    ],
  });
  await make(`/deployments/${deployment.id}/slas`, { name: "soon", kind: "lateness", seconds: 60 });
  return deployment;
}

/** It has a task that is a run of its own, artifacts, logs, and waits for somebody's answer. */
async function addRun(
  make: Make,
  deployment: string,
): Promise<{ readonly run: string; readonly child: string }> {
  const run = await make(`/deployments/${deployment}/create_flow_run`, {
    name: longest("asks"),
  });
  await make(`/flow_runs/${run.id}/set_state`, { state: { type: "RUNNING" }, force: true });
  const task = await make("/task_runs/", {
    flow_run_id: run.id,
    name: "below",
    task_key: "below",
    dynamic_key: "0",
    state: { type: "RUNNING" },
  });
  // Of a deployment and waiting for something: what says most about itself.
  const child = await make(`/deployments/${deployment}/create_flow_run`, {
    name: longest("child"),
    parent_task_run_id: task.id,
  });
  await make(`/flow_runs/${child.id}/set_state`, { state: { type: "PAUSED" }, force: true });
  const line = { name: "flow", level: 20, flow_run_id: run.id, task_run_id: task.id };
  const timestamp = new Date().toISOString();
  await make(
    "/logs/",
    Array.from({ length: LINES }, (_, n) => ({ ...line, message: `line ${n}`, timestamp })),
  );
  for (const flow_run_id of [run.id, child.id])
    await make("/artifacts/", { key: "found", type: "markdown", data: "# Found", flow_run_id });
  const schema = { type: "object", properties: { approved: { type: "boolean" } } };
  await make(`/flow_runs/${run.id}/input`, {
    key: "paused-1-schema",
    value: JSON.stringify(schema),
  });
  await make(`/flow_runs/${run.id}/set_state`, {
    state: {
      type: "PAUSED",
      state_details: {
        pause_key: "1",
        pause_timeout: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
        run_input_keyset: {
          description: "paused-1-description",
          response: "paused-1-response",
          schema: "paused-1-schema",
        },
      },
    },
    force: true,
  });
  return { run: run.id, child: child.id };
}

/** A block that holds another one, which holds a third. */
async function addNestedBlock(make: Make): Promise<string> {
  const { id: block_type_id } = await make("/block_types/", { name: "nested", slug: "nested" });
  const { id: block_schema_id } = await make("/block_schemas/", {
    block_type_id,
    fields: {
      title: "nested",
      type: "object",
      block_type_slug: "nested",
      properties: {
        note: { type: "string", title: "Note" },
        inner: { type: "object", title: "Inner" },
      },
      block_schema_references: {},
    },
  });
  const add = async (name: string, data: object) =>
    (await make("/block_documents/", { name, data, block_type_id, block_schema_id })).id;
  const held = (id: string) => ({ note: "holds", inner: { $ref: { block_document_id: id } } });
  const innermost = await add("innermost", { note: "deep" });
  return add("outermost", held(await add("middle", held(innermost))));
}

/** Several checks, parents, incidents and maintenance. */
async function addMonitor(origin: string, { monitors }: FilledMonitors): Promise<string> {
  const monitor = (await callUptime(origin, "/monitors", {
    name: "Checkout",
    url: "http://127.0.0.1:1/",
    tags: ["prod", "web"],
    parents: [monitors[1]?.id],
    pipeline: [
      { type: "tcp", port: 1, host: "127.0.0.1" },
      { type: "http", retries: 0 },
    ],
  })) as { readonly id: string };
  await callUptime(origin, `/monitors/${monitor.id}/check`, {});
  const now = Date.now();
  await callUptime(origin, "/maintenance", {
    name: "New database",
    monitor_ids: [monitor.id],
    starts_at: new Date(now + 60 * MINUTE_MS).toISOString(),
    ends_at: new Date(now + 120 * MINUTE_MS).toISOString(),
  });
  return monitor.id;
}
