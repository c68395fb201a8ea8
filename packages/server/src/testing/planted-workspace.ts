// A workspace with something of every kind in it, all of it marked, to look for it where it must not be.
import { expect } from "vitest";
import type { AccountsServer } from "./guarded-server.ts";

export const MARK = "planted-only-here";

export interface Planted {
  /** What can stand in the place of a path parameter, by the part of the path before it. */
  readonly ids: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
}

export async function plant(server: AccountsServer): Promise<Planted> {
  const { ownerKey: key, call } = server;
  const make = async (path: string, body: object, method = "POST"): Promise<string> => {
    const made = await call(method, path, { key, body });
    expect(made, path).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
    return (made.body as { readonly id?: string } | null)?.id ?? "";
  };
  const name = MARK;
  const flows = await make("/api/flows/", { name });
  const work_pools = await make("/api/work_pools/", { name, type: "process" });
  const deployments = await make("/api/deployments/", {
    name,
    flow_id: flows,
    work_pool_name: name,
  });
  const flow_runs = await make(`/api/deployments/${deployments}/create_flow_run`, { name });
  const flow_run_id = flow_runs;
  const state = { type: "RUNNING", name: MARK };
  await make(`/api/flow_runs/${flow_runs}/set_state`, { state });
  const task_runs = await make("/api/task_runs/", {
    flow_run_id,
    task_key: name,
    dynamic_key: "0",
    name,
  });
  const message = {
    name,
    level: 20,
    message: MARK,
    timestamp: "2026-11-15T00:00:00Z",
    flow_run_id,
  };
  await call("POST", "/api/logs/", { key, body: [message] });
  const artifacts = await make("/api/artifacts/", { key: name, data: MARK, flow_run_id });
  const variables = await make("/api/variables/", { name, value: MARK });
  const saved_searches = await make("/api/saved_searches/", { name, filters: [] }, "PUT");
  const v2 = await make("/api/v2/concurrency_limits/", { name, limit: 1 });
  const concurrency_limits = await make("/api/concurrency_limits/", {
    tag: name,
    concurrency_limit: 1,
  });
  const block_types = await make("/api/block_types/", { name, slug: name });
  const fields = { type: "object", title: name, properties: { x: { type: "string" } } };
  const block_schemas = await make("/api/block_schemas/", { block_type_id: block_types, fields });
  const block_documents = await make("/api/block_documents/", {
    name,
    data: { x: MARK },
    block_type_id: block_types,
    block_schema_id: block_schemas,
  });
  const trigger = { type: "event", expect: ["x.y"], posture: "Reactive", threshold: 1, within: 0 };
  const automations = await make("/api/automations/", {
    name,
    trigger,
    actions: [{ type: "do-nothing" }],
  });
  const webhooks = await make("/api/webhooks/", {
    name,
    template: '{"event":"x","resource":{"prefect.resource.id":"x"}}',
  });
  const resource = { "prefect.resource.id": MARK };
  const event = { event: MARK, resource, occurred: new Date().toISOString(), id: flow_runs };
  await call("POST", "/api/events", { key, body: [event] });
  const pipeline = [{ type: "http" }];
  const monitor = { name, url: "http://127.0.0.1:9", pipeline, interval: 3600 };
  const monitors = await make("/uptime/api/monitors", monitor);
  return {
    ids: {
      flows,
      work_pools,
      deployments,
      flow_runs,
      task_runs,
      artifacts,
      variables,
      saved_searches,
      concurrency_limits,
      v2,
      block_types,
      block_schemas,
      block_documents,
      automations,
      webhooks,
      monitors,
      api_keys: (await ownKeyId(server)) ?? "",
    },
    names: { name, slug: name, tag: name, key: name, work_pool_name: name },
  };
}

async function ownKeyId({ call, ownerKey: key }: AccountsServer): Promise<string | undefined> {
  return ((await call("GET", "/api/me", { key })).body as { readonly api_key_id?: string })
    .api_key_id;
}

export interface Operation {
  readonly method: string;
  /** With its prefix and its parameters in braces. */
  readonly path: string;
  readonly isPublic: boolean;
}

/** Every operation that the documents of the server describe. */
export async function documentedOperations(server: AccountsServer): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const [document, prefix] of [
    ["/api/openapi.json", "/api"],
    ["/api/accounts/openapi.json", "/api"],
    ["/uptime/api/openapi.json", "/uptime/api"],
  ] as const) {
    const { paths } = (await server.call("GET", document)).body as {
      readonly paths: Record<string, Record<string, { readonly security?: readonly unknown[] }>>;
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { security }] of Object.entries(methods))
        operations.push({
          method: method.toUpperCase(),
          path: prefix + path,
          isPublic: security?.length === 0 || ASKS_NOBODY.test(path),
        });
  }
  return operations;
}

const FIRST_WORKSPACE = "00000000-0000-0000-0000-000000000000";
const ASKS_NOBODY = /^\/(health|ready|webhooks\/whk_.*)$/;

/** Many at a time, so that waiting for answers takes no longer than making them. */
export async function forEachOperation(
  operations: readonly Operation[],
  work: (operation: Operation) => Promise<void>,
): Promise<void> {
  const waiting = [...operations];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** The path with what was planted in the place of its parameters; what stands below an account is left to the caller. */
export function filledPath(path: string, { ids, names }: Planted, accountId: string): string {
  const parts = path.split("/");
  return parts
    .map((part, i) => {
      const [, parameter] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (parameter === undefined) return part.replace(/\{\w+\}/, "x");
      if (parameter === "account_id") return accountId;
      if (parameter === "workspace_id") return FIRST_WORKSPACE;
      const before = parts.slice(0, i).findLast((earlier) => earlier in ids);
      return names[parameter] ?? ids[before ?? ""] ?? ids["flow_runs"] ?? "";
    })
    .join("/");
}
