import { openDatabase } from "@orchestrator/kernel/storage";
import { expect, test, vi } from "vitest";
import { accountsServer, type ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer } from "./testing/shared-server.ts";

const PATIENCE = { timeout: 25_000, interval: 50 };

interface Entry {
  readonly id: string;
  readonly operation: string;
  readonly result: string;
  readonly status: number | null;
  readonly resource_id: string | null;
  readonly resource_name: string | null;
  readonly actor_name: string;
  readonly request_id: string;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next_cursor: string | null;
}

const audit = (server: ServerAccount, rest: string): string =>
  `/api/accounts/${server.accountId}/audit/${rest}`;

async function entries(server: ServerAccount, filter: object = {}): Promise<readonly Entry[]> {
  const answer = await server.call("POST", audit(server, "filter"), {
    key: server.ownerKey,
    body: filter,
  });
  expect(answer.status).toBe(200);
  return (answer.body as Page).entries;
}

interface Made {
  readonly id: string;
  readonly key: string;
}

async function aKey(server: ServerAccount, wanted: object): Promise<Made> {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const body = { name: "k", ...wanted };
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  expect(made.status).toBe(201);
  return made.body as Made;
}

async function aServiceKey(server: ServerAccount): Promise<Made> {
  const path = `/api/accounts/${server.accountId}/service_accounts`;
  const body = { name: "worker", role: "developer" };
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  return aKey(server, { service_account_id: (made.body as Made).id });
}

describeEachServer("the audit log", (shared, engine) => {
  test("tells who changed what, from where, with which key", async () => {
    const server = await shared.account();
    const { call, ownerKey: key, accountId } = server;
    const body = { name: "where", value: "a secret place" };
    const made = await call("POST", "/api/variables/", {
      key,
      body,
      headers: { "user-agent": "a test", "x-request-id": "request-1" },
    });
    const { id } = made.body as Made;
    expect(await entries(server, { operation: "createVariable" })).toEqual([
      {
        id: expect.any(String),
        occurred: expect.any(String),
        account_id: accountId,
        workspace_id: server.workspaceId,
        actor_kind: "user",
        actor_id: expect.any(String),
        actor_name: "owner",
        api_key_id: expect.any(String),
        api_key_prefix: key.slice(0, 10),
        operation: "createVariable",
        method: "POST",
        route: "/api/variables/",
        permission: "write",
        resource_id: id,
        resource_name: "where",
        resource: {},
        result: "done",
        status: 201,
        address: "127.0.0.1",
        user_agent: "a test",
        request_id: "request-1",
      },
    ]);
    expect((await call("DELETE", `/api/variables/${id}`, { key })).status).toBe(204);
    const about = await entries(server, { resource_id: id });
    expect(about.map(({ operation, status }) => [operation, status])).toEqual([
      ["deleteVariable", 204],
      ["createVariable", 201],
    ]);
    // Nobody knows any longer what it was called.
    expect(about.map(({ resource_name }) => resource_name)).toEqual([null, null]);
    expect(JSON.stringify(await entries(server))).not.toContain("a secret place");
  });

  test("has the ids and names of what is made above workspaces and in the uptime service", async () => {
    // The login of the uptime service is of the first workspace.
    const server = shared.firstAccount();
    const { call, ownerKey: key } = server;
    const { id } = await aKey(server, { role: "viewer" });
    const [made] = await entries(server, { operation: "createApiKey" });
    expect(made).toMatchObject({ resource_id: id, resource_name: "k", workspace_id: null });
    const monitor = {
      name: "shop",
      url: "http://127.0.0.1:9",
      pipeline: [{ type: "http" }],
      interval: 3600,
    };
    const watched = await call("POST", "/uptime/api/monitors", { key, body: monitor });
    const [entry, ...others] = await entries(server, { resource_id: (watched.body as Made).id });
    expect(entry).toMatchObject({ method: "POST", route: "/uptime/api/monitors", status: 201 });
    expect(entry?.resource_name).toBe("shop");
    expect(others).toEqual([]);
    const basic = Buffer.from("admin:a password for tests").toString("base64");
    const headers = { authorization: `Basic ${basic}` };
    const path = `/uptime/api/monitors/${(watched.body as Made).id}`;
    expect((await call("DELETE", path, { headers })).status).toBeLessThan(300);
    const [last] = await entries(server);
    expect(last).toMatchObject({ actor_kind: "login", actor_name: "admin", result: "done" });
  });

  test("has who signed in", async () => {
    const server = await shared.account();
    const { call, ownerKey } = server;
    const login = await call("POST", "/api/auth/login", { body: { key: ownerKey } });
    expect(login.status).toBe(200);
    const [entry] = await entries(server);
    expect(entry).toMatchObject({ route: "/api/auth/login", actor_name: "owner", status: 200 });
    expect(JSON.stringify(entry)).not.toContain(ownerKey.slice(10));
  });

  test("has who was refused and what failed, though not without end", async () => {
    const server = await shared.account();
    const { call } = server;
    const { key, id } = await aKey(server, { role: "viewer" });
    const body = { name: "v", value: 1 };
    for (let i = 0; i < 100; i += 1)
      expect((await call("POST", "/api/variables/", { key, body })).status).toBe(403);
    await vi.waitFor(async () => {
      const refused = await entries(server, { api_key_id: id, result: "refused" });
      expect(refused.length).toBeGreaterThanOrEqual(60);
      expect(refused.length).toBeLessThan(70);
      expect(refused[0]).toMatchObject({ operation: "createVariable", status: 403 });
    }, PATIENCE);
    const strange = `/api/accounts/${id}/workspaces/${id}/flows/filter`;
    const other = await aKey(server, { role: "developer" });
    expect((await call("POST", strange, { key: other.key, body: {} })).status).toBe(404);
    const nothing = `/api/variables/${id}`;
    expect((await call("DELETE", nothing, { key: other.key })).status).toBe(404);
    await vi.waitFor(async () => {
      const found = await entries(server, { api_key_id: other.id });
      expect(found.map(({ result, status }) => [result, status])).toEqual([
        ["failed", 404],
        ["refused", 404],
      ]);
    }, PATIENCE);
  });

  test("has who was refused at an address that names no workspace", async () => {
    const server = await shared.account();
    const { id, key } = await aKey(server, { role: "viewer" });
    const path = `/api/accounts/${id}/workspaces/nonsense`;
    expect((await server.call("GET", path, { key })).status).toBe(404);
    await vi.waitFor(async () => {
      const [entry] = await entries(server, { api_key_id: id });
      expect(entry).toMatchObject({ result: "refused", workspace_id: null });
      expect(entry).toMatchObject({ resource_id: "nonsense" });
    }, PATIENCE);
  });

  test("has no reads, but for those of secrets and whole lists", async () => {
    // An owner of the first account may read the settings of the server.
    const server = shared.firstAccount();
    const { call, ownerKey: key } = server;
    const { id: api_key_id, key: reader } = await aKey(server, { role: "owner" });
    const ask = async (method: string, path: string, body?: object) =>
      (await call(method, path, { key: reader, ...(body ? { body } : {}) })).status;
    expect(await ask("POST", "/api/flows/filter", {})).toBe(200);
    expect(await ask("GET", "/api/admin/settings")).toBe(200);
    expect(await ask("POST", audit(server, "filter"), {})).toBe(200);
    expect(await ask("POST", "/api/block_documents/filter", {})).toBe(200);
    expect(await entries(server, { api_key_id })).toEqual([]);
    expect(await ask("POST", "/api/block_documents/filter", { include_secrets: true })).toBe(200);
    expect(await ask("GET", audit(server, "export"))).toBe(200);
    const found = await entries(server, { api_key_id });
    expect(found.map(({ operation }) => operation)).toEqual(["exportAudit", "listBlockDocuments"]);
    expect(key).not.toBe(reader);
  });

  test("has what people run, and of machines what they decide but not what they do all day", async () => {
    const server = await shared.account();
    const { call, ownerKey } = server;
    const { key: worker, id } = await aServiceKey(server);
    for (const key of [ownerKey, worker]) {
      const flow = await call("POST", "/api/flows/", { key, body: { name: "f" } });
      const flow_id = (flow.body as Made).id;
      const run = await call("POST", "/api/flow_runs/", { key, body: { flow_id } });
      expect(run.status).toBe(201);
      const line = { name: "x", level: 20, message: "m", timestamp: new Date().toISOString() };
      expect((await call("POST", "/api/logs/", { key, body: [line] })).status).toBe(201);
      const body = { name: key === worker ? "by_worker" : "by_owner", value: 1 };
      expect((await call("POST", "/api/variables/", { key, body })).status).toBe(201);
    }
    const byWorker = await entries(server, { api_key_id: id });
    expect(byWorker.map(({ operation }) => operation)).toEqual(["createVariable"]);
    const flow = await call("POST", "/api/flows/", { key: ownerKey, body: { name: "g" } });
    const flow_id = (flow.body as Made).id;
    const deployment = await call("POST", "/api/deployments/", {
      key: ownerKey,
      body: { name: "d", flow_id },
    });
    const path = `/api/deployments/${(deployment.body as Made).id}/create_flow_run`;
    const run = await call("POST", path, { key: ownerKey, body: {} });
    const about = await entries(server, { resource_id: (run.body as Made).id });
    expect(about.map(({ operation }) => operation)).toEqual(["createDeploymentFlowRun"]);
    const all = (await entries(server)).map(({ operation }) => operation);
    expect(all).toEqual(expect.arrayContaining(["createFlow", "createFlowRun"]));
    expect(all).not.toContain("createLogs");
  });

  test("is paged, filtered and exported, for admins and owners of the account alone", async () => {
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    for (let i = 0; i < 7; i += 1)
      await call("POST", "/api/variables/", { key, body: { name: `v${i}`, value: i } });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const body = { operation: "createVariable", limit: 3, ...(cursor ? { cursor } : {}) };
      const page = (await call("POST", audit(server, "filter"), { key, body })).body as Page;
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    expect(seen).toEqual(seen.toSorted().reverse());
    expect(await entries(server, { until: "2020-01-01T00:00:00Z" })).toEqual([]);
    const answer = await call("GET", audit(server, "export?operation=createVariable"), { key });
    expect(answer.headers.get("content-type")).toContain("text/csv");
    const lines = String(answer.body).trimEnd().split("\r\n");
    expect(lines).toHaveLength(8);
    expect(lines[0]).toMatch(/^occurred,result,status,actor_kind/);
    expect(lines[1]).toContain(",done,201,user,");
    const { key: developer } = await aKey(server, { role: "developer" });
    for (const [method, rest] of [
      ["POST", "filter"],
      ["GET", "export"],
    ] as const)
      expect((await call(method, audit(server, rest), { key: developer })).status).toBe(403);
  });

  test("has one entry for each of many requests at once, each about what it made", async () => {
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    const makeOne = async (n: number): Promise<readonly [string, string]> => {
      const made = await call("POST", "/api/variables/", {
        key,
        body: { name: `v${n}`, value: n },
        headers: { "x-request-id": `many-${n}` },
      });
      return [`many-${n}`, (made.body as Made).id];
    };
    const made = await Promise.all(Array.from({ length: 40 }, (_, n) => makeOne(n)));
    const found = await entries(server, { operation: "createVariable" });
    expect(found).toHaveLength(made.length);
    const idOf = new Map(found.map(({ request_id, resource_id }) => [request_id, resource_id]));
    expect(idOf).toEqual(new Map(made));
  });

  test("is stored with the change: what cannot be noted is not done", async () => {
    // A server of its own, whose database refuses every entry.
    await using server = await accountsServer(engine);
    const { call, ownerKey: key } = server;
    await onDatabase(server, engine === "sqlite" ? REFUSE_SQLITE : REFUSE_POSTGRES);
    const body = { name: "v", value: 1 };
    expect((await call("POST", "/api/variables/", { key, body })).status).toBe(500);
    expect((await call("GET", "/api/variables/name/v", { key })).status).toBe(404);
    const { accountId } = server;
    const keys = await call("POST", `/api/accounts/${accountId}/api_keys`, {
      key,
      body: { name: "k" },
    });
    expect(keys.status).toBe(500);
    const list = await call("GET", `/api/accounts/${accountId}/api_keys`, { key });
    expect(list.body).toHaveLength(1);
  });

  test("can be added to only, also by whoever reaches the database", async () => {
    const server = await shared.account();
    await aKey(server, { role: "viewer" });
    for (const sql of ["update audit_log set result = 'x'", "delete from audit_log"])
      await expect(onDatabase(server, sql)).rejects.toThrow(/audit log is/);
    if (engine === "postgres")
      await expect(onDatabase(server, "truncate audit_log")).rejects.toThrow(/audit log is/);
    expect(await entries(server, { operation: "createApiKey" })).toHaveLength(1);
  });
});

const REFUSE_SQLITE = `create trigger no_audit before insert on audit_log
  begin select raise(abort, 'no room'); end`;
const REFUSE_POSTGRES = `
  create function no_audit() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
  create trigger no_audit before insert on audit_log for each row execute function no_audit()`;

async function onDatabase({ databaseUrl: url }: ServerAccount, sql: string): Promise<void> {
  const stats = { onCommit: () => {} };
  const log = { warn: () => {} } as never;
  const db = openDatabase({ url, maxConnections: 2, stats, log });
  try {
    await db.exclusively((session) => session.execute(sql));
  } finally {
    await db.close();
  }
}
