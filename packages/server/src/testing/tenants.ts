// Who asks, in tests of who may see what: homes of several accounts, and keys of every kind.
import { expect, vi } from "vitest";
import type { AccountsServer } from "./guarded-server.ts";
import type { Home } from "./planted-workspace.ts";

export const NIL = "00000000-0000-0000-0000-000000000000";
const PATIENCE = { timeout: 25_000, interval: 100 };

/** Another account on the same server, which has nothing to do with the first. */
export async function anotherAccount(server: AccountsServer, handle = "other"): Promise<Home> {
  const made = await madeBy(server, "/api/accounts/", { name: handle, handle });
  const { account, workspace, api_key } = made as {
    readonly account: { readonly id: string };
    readonly workspace: { readonly id: string };
    readonly api_key: { readonly key: string };
  };
  return { key: api_key.key, accountId: account.id, workspaceId: workspace.id };
}

/** Another workspace of the first account, and what its owner asks with. */
export async function anotherWorkspace(server: AccountsServer, handle: string): Promise<Home> {
  const path = `/api/accounts/${server.accountId}/workspaces`;
  const { id } = (await madeBy(server, path, { name: handle, handle })) as { readonly id: string };
  return { key: server.ownerKey, accountId: server.accountId, workspaceId: id };
}

/** A key of the first account: of any role, for some workspaces, until some time. */
export async function keyOf(server: AccountsServer, wanted: object): Promise<string> {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const made = await madeBy(server, path, { name: "k", ...wanted });
  return (made as { readonly key: string }).key;
}

/** Keys that are not accepted, each for another reason. */
export async function deadKeys(server: AccountsServer): Promise<Record<string, string | null>> {
  const expired = await keyOf(server, { expires: new Date(Date.now() + 1500).toISOString() });
  const revoked = await keyOf(server, { name: "revoked" });
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const { call, ownerKey: key } = server;
  const keys = (await call("GET", path, { key })).body as { readonly [name: string]: string }[];
  const id = keys.find(({ name }) => name === "revoked")?.["id"];
  expect((await call("DELETE", `${path}/${id}`, { key })).status).toBe(204);
  await vi.waitFor(async () => {
    expect((await call("GET", "/api/me", { key: expired })).status).toBe(401);
  }, PATIENCE);
  return { none: null, unknown: `orc_${"x".repeat(43)}`, "no key at all": "x", expired, revoked };
}

async function madeBy(server: AccountsServer, path: string, body: object): Promise<unknown> {
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  expect(made, path).toMatchObject({ status: 201 });
  return made.body;
}
