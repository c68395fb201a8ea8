import { openSocket } from "@orchestrator/kernel/testing";
import { expect, test, vi } from "vitest";
import { FIRST_WORKSPACE, type ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer } from "./testing/shared-server.ts";

const PATIENCE = { timeout: 25_000, interval: 50 };

interface Made {
  readonly id: string;
  readonly key: string;
}

async function aKey(
  server: ServerAccount,
  wanted: object = {},
  key = server.ownerKey,
): Promise<Made> {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const made = await server.call("POST", path, { key, body: { name: "k", ...wanted } });
  expect(made).toMatchObject({ status: 201 });
  return made.body as Made;
}

async function aWorkspace(server: ServerAccount, handle: string): Promise<string> {
  const made = await server.call("POST", `/api/accounts/${server.accountId}/workspaces`, {
    key: server.ownerKey,
    body: { name: handle, handle },
  });
  expect(made).toMatchObject({ status: 201 });
  return (made.body as { readonly id: string }).id;
}

describeEachServer("a server with accounts", (shared, engine) => {
  test("makes an owner at its first start, and prints the key once", async () => {
    const server = shared.firstAccount();
    const { call, ownerKey: key, accountId } = server;
    expect(key).toMatch(/^orc_[\w-]{43}$/);
    expect(await call("GET", "/api/me", { key })).toMatchObject({
      status: 200,
      body: { kind: "user", name: "owner", role: "owner" },
    });
    expect(await call("GET", "/api/me/accounts", { key })).toMatchObject({
      body: [{ account_id: accountId, account_handle: "default", role: "owner" }],
    });
    const workspaces = await call("GET", "/api/me/workspaces", { key });
    expect((await call("GET", "/api/me/access", { key })).body).toEqual({
      me: (await call("GET", "/api/me", { key })).body,
      accounts: (await call("GET", "/api/me/accounts", { key })).body,
      workspaces: workspaces.body,
    });
    expect(workspaces.body).toEqual([
      {
        account_id: accountId,
        account_name: "Default",
        account_handle: "default",
        workspace_id: FIRST_WORKSPACE,
        workspace_name: "Default",
        workspace_description: "",
        workspace_handle: "default",
      },
    ]);
    if (engine === "postgres") {
      await using again = await server.replica();
      expect(again.notices.map(({ label }) => label)).not.toContain("Owner key");
    }
  });

  test("keeps workspaces apart, and each has what a workspace begins with", async () => {
    const server = await shared.account();
    const { call, ownerKey: key, accountId } = server;
    const second = await aWorkspace(server, "second");
    const [here, there] = [server.workspaceId, second].map(
      (id) => `/api/accounts/${accountId}/workspaces/${id}`,
    );
    const body = { name: "where", value: "here" };
    expect((await call("POST", `${here}/variables/`, { key, body })).status).toBe(201);
    expect((await call("GET", "/api/variables/name/where", { key })).status).toBe(200);
    expect((await call("GET", `${there}/variables/name/where`, { key })).status).toBe(404);
    expect((await call("POST", `${there}/variables/`, { key, body })).status).toBe(201);
    expect((await call("GET", `${there}/block_types/slug/webhook`, { key })).status).toBe(200);
    expect(await call("GET", `${there}`, { key })).toMatchObject({ body: { handle: "second" } });
    expect(await call("PATCH", `${there}`, { key, body: { handle: "default" } })).toMatchObject({
      status: 409,
    });
  });

  test("lets a key do what its role says, in the workspaces it is for", async () => {
    const server = await shared.account();
    const { call, accountId } = server;
    const second = await aWorkspace(server, "second");
    const { key: viewer } = await aKey(server, { role: "viewer" });
    const { key: runner } = await aKey(server, { role: "runner", workspace_ids: [second] });
    const { key: admin } = await aKey(server, { role: "admin" });
    const ask = async (key: string, method: string, path: string, body?: object) =>
      (await call(method, path, { key, ...(body ? { body } : {}) })).status;
    expect(await ask(viewer, "POST", "/api/flows/filter", {})).toBe(200);
    expect(await ask(viewer, "POST", "/api/flows/", { name: "f" })).toBe(403);
    expect(await ask(runner, "POST", "/api/flows/", { name: "f" })).toBe(201);
    expect(await ask(runner, "POST", "/api/variables/", { name: "v", value: 1 })).toBe(403);
    const first = `/api/accounts/${accountId}/workspaces/${server.workspaceId}`;
    expect(await ask(runner, "POST", `${first}/flows/filter`, {})).toBe(404);
    expect(await ask(admin, "GET", "/api/admin/settings")).toBe(403);
    expect(await ask(server.operatorKey, "GET", "/api/admin/settings")).toBe(200);
    const keys = `/api/accounts/${accountId}/api_keys`;
    expect(await ask(viewer, "POST", keys, { name: "more", role: "runner" })).toBe(403);
    expect(
      await ask(runner, "POST", keys, { name: "all", workspace_ids: [server.workspaceId] }),
    ).toBe(404);
    const elsewhere = `/api/accounts/${second}/api_keys`;
    expect(await ask(server.ownerKey, "GET", elsewhere)).toBe(404);
  });

  test("keeps the secrets of blocks from those who only look", async () => {
    const server = await shared.account();
    const { call, ownerKey } = server;
    const { key: viewer } = await aKey(server, { role: "viewer" });
    const asked = { include_secrets: true };
    for (const [key, status] of [
      [ownerKey, 200],
      [viewer, 403],
    ] as const) {
      const list = await call("POST", "/api/block_documents/filter", { key, body: asked });
      expect(list.status).toBe(status);
    }
    expect(
      (await call("POST", "/api/block_documents/filter", { key: viewer, body: {} })).status,
    ).toBe(200);
  });

  test("refuses a revoked key at once, here and on other replicas, and lets go of its sockets", async () => {
    const server = await shared.account();
    const { call, accountId, ownerKey } = server;
    await using replica = engine === "postgres" ? await server.replica() : null;
    const { id, key } = await aKey(server, { role: "runner" });
    const servers = replica === null ? [server] : [server, replica];
    for (const each of servers)
      expect((await each.call("POST", "/api/flows/filter", { key, body: {} })).status).toBe(200);
    await using socket = await server.socket("/api/events/in", key);
    expect(await socket.next()).toEqual({ type: "auth_success" });
    const path = `/api/accounts/${accountId}/api_keys/${id}`;
    expect((await call("DELETE", path, { key: ownerKey })).status).toBe(204);
    expect((await call("POST", "/api/flows/filter", { key, body: {} })).status).toBe(401);
    await vi.waitFor(async () => {
      for (const each of servers)
        expect((await each.call("POST", "/api/flows/filter", { key, body: {} })).status).toBe(401);
    }, PATIENCE);
    expect(await socket.closed).toMatchObject({ code: 1008 });
    expect((await call("DELETE", path, { key: ownerKey })).status).toBe(404);
  });

  test("lets service accounts in, whose keys go with them", async () => {
    const server = await shared.account();
    const { call, accountId, ownerKey } = server;
    const path = `/api/accounts/${accountId}/service_accounts`;
    const body = { name: "worker", role: "runner" };
    const made = await call("POST", path, { key: ownerKey, body });
    expect(made).toMatchObject({ status: 201, body });
    expect((await call("POST", path, { key: ownerKey, body })).status).toBe(409);
    const { id } = made.body as Made;
    const { key } = await aKey(server, { service_account_id: id });
    expect(await call("GET", "/api/me", { key })).toMatchObject({
      body: { kind: "service", name: "worker", role: "runner" },
    });
    expect((await call("GET", path, { key })).status).toBe(403);
    expect((await call("DELETE", `${path}/${id}`, { key: ownerKey })).status).toBe(204);
    expect((await call("GET", "/api/me", { key })).status).toBe(401);
  });

  test("notes when a key was last used", async () => {
    const server = await shared.account();
    const { call, accountId, ownerKey } = server;
    await vi.waitFor(async () => {
      const list = await call("GET", `/api/accounts/${accountId}/api_keys`, { key: ownerKey });
      const [first] = list.body as readonly { readonly last_used: string | null }[];
      expect(first?.last_used).not.toBeNull();
      expect(JSON.stringify(list.body)).not.toContain(ownerKey);
    }, PATIENCE);
  });

  test("takes the key from sockets as their token or as a header, for what its role may do", async () => {
    const server = await shared.account();
    const { key: viewer } = await aKey(server, { role: "viewer" });
    for (const [path, token, isIn] of [
      ["/api/events/out", viewer, true],
      ["/api/events/in", viewer, false],
      ["/api/events/in", server.ownerKey, true],
      ["/api/events/in", "orc_nonsense", false],
      ["/api/logs/out", null, false],
    ] as const) {
      await using client = await server.socket(path, token);
      if (isIn) expect(await client.next()).toEqual({ type: "auth_success" });
      else expect(await client.closed).toMatchObject({ code: 1008 });
    }
    const url = `${server.url.replace("http", "ws")}/api/events/in`;
    await expect(openSocket(url)).rejects.toThrow("401");
  });

  test("opens the uptime service to the same keys, and keeps its own login", async () => {
    const server = await shared.account();
    const { call, ownerKey: key, accountId } = server;
    const second = await aWorkspace(server, "second");
    const there = `/uptime/api/accounts/${accountId}/workspaces/${second}`;
    const body = {
      name: "shop",
      url: "http://127.0.0.1:9",
      pipeline: [{ type: "http" }],
      interval: 3600,
    };
    expect((await call("POST", `${there}/monitors`, { key, body })).status).toBe(201);
    expect(await call("GET", `${there}/monitors`, { key })).toMatchObject({
      body: [{ name: "shop" }],
    });
    const basic = Buffer.from("admin:a password for tests").toString("base64");
    const headers = { authorization: `Basic ${basic}` };
    const own = await call("GET", "/uptime/api/monitors", { headers });
    expect(own).toMatchObject({ status: 200, body: [] });
    expect((await call("GET", `${there}/monitors`, { headers })).status).toBe(401);
  });
});
