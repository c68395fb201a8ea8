// A workspace with something of every kind in it, all of it marked, to look for it where it must
// not be.
import { expect } from "vitest";
import type { ServerAccess, ServerResponse } from "./guarded-server.ts";

/** What can be named, by its kind: ids as `flow`, names as `flow.name`. */
export type Planted = Readonly<Record<string, string>>;

export interface Home {
  readonly key: string;
  readonly accountId: string;
  readonly workspaceId: string;
}

type Made = Readonly<Record<string, unknown>> & { readonly id: string };

/** Asks in the workspace, whatever else the key is good for. */
export const requestIn =
  ({ call }: ServerAccess, { key, accountId, workspaceId }: Home) =>
  (method: string, path: string, body?: unknown): Promise<ServerResponse> =>
    call(method, pathIn({ accountId, workspaceId }, path), {
      key,
      ...(body === undefined ? {} : { body }),
    });

/** The same path, below a workspace. What is about accounts stands below none. */
export function pathIn(
  { accountId, workspaceId }: Pick<Home, "accountId" | "workspaceId">,
  path: string,
): string {
  if (/^\/api\/(me|accounts|auth)\b/.test(path)) return path;
  return path.replace(
    /^(\/uptime)?\/api/,
    (api) => `${api}/accounts/${accountId}/workspaces/${workspaceId}`,
  );
}

/** Plants one of every kind; `mark` begins every name. */
export async function plant(server: ServerAccess, home: Home, mark: string): Promise<Planted> {
  const ask = requestIn(server, home);
  const make = async (path: string, body: object = {}, method = "POST"): Promise<Made> => {
    const made = await ask(method, path, method === "GET" ? undefined : body);
    expect(made, path).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
    return made.body as Made;
  };
  return {
    ...(await plantRuns(make, mark)),
    ...(await plantBlocks(make, mark)),
    ...(await plantLimits(make, mark)),
    ...(await plantUptime(make, mark)),
    account: home.accountId,
    workspace: home.workspaceId,
    mark,
    tag: `${mark}-tag`,
  };
}

type Make = (path: string, body?: object, method?: string) => Promise<Made>;

async function plantRuns(make: Make, mark: string): Promise<Planted> {
  const named = (kind: string) => ({ name: `${mark}-${kind}`, tags: [`${mark}-tag`] });
  const { name: poolName } = named("pool");
  const flow = await make("/api/flows/", named("flow"));
  const pool = await make("/api/work_pools/", { name: poolName, type: "process" });
  const queueName = `${mark}-queue`;
  const queue = await make(`/api/work_pools/${poolName}/queues`, { name: queueName });
  const workerName = `${mark}-worker`;
  const worker = await make(`/api/work_pools/${poolName}/workers/heartbeat`, {
    name: workerName,
    return_id: true,
    // Nobody misses it while the test lasts.
    heartbeat_interval_seconds: 3600,
  });
  const deployment = await make("/api/deployments/", {
    ...named("deployment"),
    flow_id: flow.id,
    work_pool_name: poolName,
    work_queue_name: queueName,
    schedules: [{ schedule: { cron: "0 0 1 1 *" }, active: false }],
  });
  const [schedule] = deployment["schedules"] as Made[];
  const run = await make(`/api/deployments/${deployment.id}/create_flow_run`, {
    ...named("flow-run"),
    state: { type: "SCHEDULED", state_details: { scheduled_time: "2031-01-01T00:00:00Z" } },
  });
  const state = { type: "RUNNING", name: `${mark}-state`, message: mark };
  await make(`/api/flow_runs/${run.id}/set_state`, { state });
  const inputKey = `${mark}-input`;
  const input = { key: inputKey, value: JSON.stringify(mark) };
  await make(`/api/flow_runs/${run.id}/input`, input);
  const taskRun = await make("/api/task_runs/", {
    ...named("task-run"),
    flow_run_id: run.id,
    task_key: `${mark}-task`,
    dynamic_key: "0",
    state: { type: "RUNNING" },
  });
  const line = { name: mark, level: 20, message: mark, timestamp: "2026-11-15T00:00:00Z" };
  await make("/api/logs/", [{ ...line, flow_run_id: run.id }]);
  const [log] = (await make("/api/logs/filter")) as unknown as Made[];
  const artifactKey = `${mark}-artifact`;
  const artifact = await make("/api/artifacts/", {
    key: artifactKey,
    type: "markdown",
    data: mark,
    flow_run_id: run.id,
  });
  const search = { name: `${mark}-search`, filters: [] };
  const sla = { name: `${mark}-sla`, kind: "duration", seconds: 3600 };
  const trigger = { type: "event", expect: [`${mark}.x`], posture: "Reactive", threshold: 1 };
  const automation = await make("/api/automations/", {
    ...named("automation"),
    trigger: { ...trigger, within: 0 },
    actions: [{ type: "do-nothing" }],
    owner_resource: `prefect.deployment.${deployment.id}`,
  });
  const template = '{"event":"x","resource":{"prefect.resource.id":"x"}}';
  const webhook = await make("/api/webhooks/", { name: `${mark}-webhook`, template });
  const event = { event: `${mark}.event`, resource: { "prefect.resource.id": mark } };
  const occurred = new Date().toISOString();
  // More than one, so that there is a second page of them.
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await make(
    "/api/events",
    [first, second].map((id) => ({ ...event, occurred, id })),
  );
  const page = await make("/api/events/filter", { limit: 1 });
  const range = { start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z" };
  const backfill = await make(`/api/deployments/${deployment.id}/backfill`, {
    ...range,
    schedule_id: schedule?.id,
  });
  return {
    flow: flow.id,
    "flow.name": `${mark}-flow`,
    pool: pool.id,
    "pool.name": poolName,
    queue: queue.id,
    "queue.name": queueName,
    worker: worker.id,
    "worker.name": workerName,
    deployment: deployment.id,
    "deployment.name": `${mark}-deployment`,
    "deployment.resource": `prefect.deployment.${deployment.id}`,
    schedule: schedule?.id ?? "",
    run: run.id,
    "run.name": `${mark}-flow-run`,
    "run.input": inputKey,
    "run.state": (run["state_id"] as string | undefined) ?? "",
    "task-run": taskRun.id,
    "task-run.name": `${mark}-task-run`,
    "task-run.key": `${mark}-task`,
    "task-run.state": (taskRun["state_id"] as string | undefined) ?? "",
    artifact: artifact.id,
    "artifact.key": artifactKey,
    search: (await make("/api/saved_searches/", search, "PUT")).id,
    "search.name": `${mark}-search`,
    variable: (await make("/api/variables/", { ...named("variable"), value: mark })).id,
    "variable.name": `${mark}-variable`,
    sla: (await make(`/api/deployments/${deployment.id}/slas`, sla)).id,
    automation: automation.id,
    "automation.name": `${mark}-automation`,
    webhook: webhook.id,
    "webhook.name": `${mark}-webhook`,
    "webhook.token": (webhook["token"] as string | undefined) ?? "",
    log: log?.id ?? "",
    event: first,
    "event.name": event.event,
    "event.page": pageToken(page["next_page"]),
    backfill: backfill.id,
  };
}

const pageToken = (link: unknown): string =>
  new URL(String(link)).searchParams.get("page-token") ?? "";

async function plantBlocks(make: Make, mark: string): Promise<Planted> {
  const name = `${mark}-block`;
  const type = await make("/api/block_types/", { name, slug: name });
  const fields = {
    type: "object",
    title: name,
    properties: { x: { type: "string" }, y: { type: "string", format: "password" } },
    secret_fields: ["y"],
  };
  const schema = await make("/api/block_schemas/", {
    block_type_id: type.id,
    fields,
    capabilities: ["read-path", "write-path"],
  });
  const document = await make("/api/block_documents/", {
    name,
    data: { x: mark, y: `${mark}-secret` },
    block_type_id: type.id,
    block_schema_id: schema.id,
  });
  return {
    "block-type": type.id,
    "block-type.slug": name,
    "block-schema": schema.id,
    "block-schema.checksum": schema["checksum"] as string,
    block: document.id,
    "block.name": name,
  };
}

async function plantLimits(make: Make, mark: string): Promise<Planted> {
  const name = `${mark}-limit`;
  const limit = await make("/api/v2/concurrency_limits/", { name, limit: 3 });
  const tag = { tag: `${mark}-limited`, concurrency_limit: 1 };
  const older = await make("/api/concurrency_limits/", tag);
  const hold = { names: [name], slots: 1, lease_duration: 300 };
  const lease = await make("/api/v2/concurrency_limits/increment-with-lease", hold);
  return {
    limit: limit.id,
    "limit.name": name,
    "older-limit": older.id,
    "older-limit.tag": tag.tag,
    lease: lease["lease_id"] as string,
  };
}

async function plantUptime(make: Make, mark: string): Promise<Planted> {
  const named = (kind: string) => ({ name: `${mark}-${kind}`, tags: [`${mark}-tag`] });
  // Nobody answers there, so that a check finds something to tell of.
  const target = { url: "http://127.0.0.1:9", interval: 86_400, confirm_down: 1 };
  const monitor = await make("/uptime/api/monitors", {
    ...named("monitor"),
    ...target,
    pipeline: [{ type: "tcp", host: "127.0.0.1", port: 9 }],
  });
  await make(`/uptime/api/monitors/${monitor.id}/check`);
  // From now on nothing happens to it unless somebody makes it happen.
  await make(`/uptime/api/monitors/${monitor.id}`, { enabled: false }, "PATCH");
  const [incident] = (await make("/uptime/api/incidents", {}, "GET")) as unknown as Made[];
  const beating = await make("/uptime/api/monitors", {
    ...named("heartbeat"),
    ...target,
    enabled: false,
    pipeline: [{ type: "heartbeat", period: 86_400 }],
  });
  const times = { starts_at: "2031-01-01T00:00:00Z", ends_at: "2031-01-02T00:00:00Z" };
  const window = { ...named("maintenance"), monitor_ids: [monitor.id], ...times };
  const maintenance = await make("/uptime/api/maintenance", window);
  const page = await make("/uptime/api/status-pages", {
    slug: `${mark}-page`,
    title: `${mark}-page`,
    published: true,
    groups: [{ name: mark, monitors: [{ id: monitor.id }] }],
  });
  const words = { title: `${mark}-report`, text: mark };
  const report = await make(`/uptime/api/status-pages/${page.id}/reports`, words);
  const [update] = report["updates"] as Made[];
  return {
    monitor: monitor.id,
    "monitor.name": `${mark}-monitor`,
    "heartbeat-monitor": beating.id,
    incident: incident?.id ?? "",
    maintenance: maintenance.id,
    "status-page": page.id,
    "status-page.slug": `${mark}-page`,
    report: report.id,
    "report-update": update?.id ?? "",
  };
}

/** Names for everything, of which nothing is there but what every workspace has. */
export function unknownIds({ accountId, workspaceId }: Omit<Home, "key">): Planted {
  const own: Planted = {
    account: accountId,
    workspace: workspaceId,
    // Comes with the server.
    "block-type.slug": "secret",
  };
  return new Proxy(own, {
    get: (_, kind) =>
      own[String(kind)] ?? (/\.|^tag$/.test(String(kind)) ? "nobodys" : crypto.randomUUID()),
  });
}
