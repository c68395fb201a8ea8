import { openDatabase } from "@orchestrator/kernel/storage";
import { expect, test, vi } from "vitest";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer } from "./testing/shared-server.ts";

const PATIENCE = { timeout: 90_000, interval: 100 };

interface Made {
  readonly id: string;
  readonly key: string;
}

async function aWorkspace(server: ServerAccount, handle: string): Promise<string> {
  const made = await server.call("POST", `/api/accounts/${server.accountId}/workspaces`, {
    key: server.ownerKey,
    body: { name: handle, handle },
  });
  expect(made).toMatchObject({ status: 201 });
  return (made.body as Made).id;
}

/** Some of everything that has many rows. */
async function fill({ call, accountId, ownerKey: key }: ServerAccount, id: string) {
  const at = `/api/accounts/${accountId}/workspaces/${id}`;
  const make = async (path: string, body: object): Promise<string> => {
    const made = await call("POST", path, { key, body });
    expect(made.status, path).toBeLessThan(300);
    return (made.body as Made | null)?.id ?? "";
  };
  const flow_id = await make(`${at}/flows/`, { name: "f" });
  const deployment = await make(`${at}/deployments/`, { name: "d", flow_id });
  const run = await make(`${at}/deployments/${deployment}/create_flow_run`, { tags: ["t"] });
  await make(`${at}/flow_runs/${run}/set_state`, { state: { type: "RUNNING" } });
  await make(`${at}/task_runs/`, { flow_run_id: run, task_key: "t", dynamic_key: "0" });
  const timestamp = new Date().toISOString();
  const lines = Array.from({ length: 450 }, (_, n) => ({
    name: "x",
    level: 20,
    message: `line ${n}`,
    timestamp,
    flow_run_id: run,
  }));
  await make(`${at}/logs/`, lines);
  await make(`${at}/variables/`, { name: "v", value: 1 });
  await make(`${at}/artifacts/`, { key: "a", data: "x", flow_run_id: run });
  const pipeline = [{ type: "http" }];
  const monitor = { name: "m", url: "http://127.0.0.1:9", pipeline, interval: 3600 };
  await make(`/uptime${at}/monitors`, monitor);
  return at;
}

/** The tables that hold rows of the workspace, besides what is kept of workspaces that are gone. */
async function tablesWith(server: ServerAccount, id: string): Promise<string[]> {
  const db = openDatabase({
    url: server.databaseUrl,
    maxConnections: 2,
    stats: { onCommit: () => {} },
    log: { warn: () => {} } as never,
  });
  try {
    return await db.exclusively(async (session) => {
      const tables = await session.rows<{ name: string }>(
        db.dialect.name === "sqlite"
          ? "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'workspace_id'"
          : "select table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = current_schema()",
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await session.rows(
          `select 1 from ${name} where workspace_id = '${id}' limit 1`,
        );
        if (rows.length > 0) found.push(name);
      }
      return found.sort();
    });
  } finally {
    await db.close();
  }
}

/** Tables whose rows a loop sums up elsewhere within moments. */
const EMPTIED_BY_LOOPS = new Set(["flow_run_changes", "flow_run_noted"]);

describeEachServer("deleting", (shared) => {
  test("a workspace takes everything in it, at once for whoever asks, and no row of another", async () => {
    const server = await shared.account();
    const { call, accountId, ownerKey: key } = server;
    const id = await aWorkspace(server, "shop");
    const other = await aWorkspace(server, "other");
    const at = await fill(server, id);
    await fill(server, other);
    const kept = (await tablesWith(server, other)).filter((name) => !EMPTIED_BY_LOOPS.has(name));
    expect((await tablesWith(server, id)).length).toBeGreaterThan(15);
    const path = `/api/accounts/${accountId}/workspaces/${id}`;
    await using socket = await server.socket(`${at}/events/out`, key);
    expect(await socket.next()).toEqual({ type: "auth_success" });

    expect((await call("DELETE", path, { key })).status).toBe(422);
    expect((await call("DELETE", `${path}?handle=other`, { key })).status).toBe(409);
    expect((await call("DELETE", `${path}?handle=shop`, { key })).status).toBe(204);

    expect((await call("POST", `${at}/flows/filter`, { key, body: {} })).status).toBe(404);
    expect((await call("GET", path, { key })).status).toBe(404);
    expect(await socket.closed).toMatchObject({ code: 1008 });
    expect(await aWorkspace(server, "shop")).not.toBe(id);
    await vi.waitFor(async () => {
      expect(await tablesWith(server, id)).toEqual(["audit_log", "workspace_removals"]);
    }, PATIENCE);
    expect(await tablesWith(server, other)).toEqual(expect.arrayContaining(kept));
    expect((await call("DELETE", `${path}?handle=shop`, { key })).status).toBe(404);
  });

  test("is refused for the first workspace and the first account, and to those who may not", async () => {
    const server = shared.firstAccount();
    const { call, accountId, ownerKey: key } = server;
    const account = `/api/accounts/${accountId}`;
    const first = `${account}/workspaces/${server.workspaceId}?handle=default`;
    expect((await call("DELETE", first, { key })).status).toBe(409);
    expect((await call("DELETE", `${account}?handle=default`, { key })).status).toBe(409);
    const id = await aWorkspace(server, "shop");
    const made = async (role: string) => {
      const body = { name: role, role };
      return ((await call("POST", `${account}/api_keys`, { key, body })).body as Made).key;
    };
    const path = `${account}/workspaces/${id}?handle=shop`;
    expect((await call("DELETE", path, { key: await made("developer") })).status).toBe(403);
    const admin = await made("admin");
    expect((await call("DELETE", `${account}?handle=default`, { key: admin })).status).toBe(403);
    expect((await call("DELETE", path, { key: admin })).status).toBe(204);
  });

  test("an account takes its workspaces and keys with it", async () => {
    const server = await shared.account();
    const { call, operatorKey } = server;
    const body = { name: "Other", handle: "other" };
    const made = await call("POST", "/api/accounts/", { key: operatorKey, body });
    const { account, workspace, api_key } = made.body as {
      readonly account: { readonly id: string };
      readonly workspace: { readonly id: string };
      readonly api_key: { readonly key: string };
    };
    const { key } = api_key;
    const variable = { name: "v", value: 1 };
    expect((await call("POST", "/api/variables/", { key, body: variable })).status).toBe(201);
    const path = `/api/accounts/${account.id}`;
    const services = await call("POST", `${path}/service_accounts`, {
      key,
      body: { name: "w", role: "runner" },
    });
    expect(services.status).toBe(201);
    expect((await call("DELETE", `${path}?handle=other`, { key })).status).toBe(204);
    expect((await call("GET", "/api/me", { key })).status).toBe(401);
    expect((await call("GET", "/api/me", { key: server.ownerKey })).status).toBe(200);
    expect((await call("POST", "/api/accounts/", { key: operatorKey, body })).status).toBe(201);
    await vi.waitFor(async () => {
      expect(await tablesWith(server, workspace.id)).toEqual(["audit_log", "workspace_removals"]);
    }, PATIENCE);
  });
});
