// Who asks, in tests of who may see what: homes of several accounts, and keys of every kind.
import { expect, vi } from "vitest";
import type { ServerAccount } from "./guarded-server.ts";
import type { Home } from "./planted-workspace.ts";
import { newAccount } from "./shared-server.ts";

const PATIENCE = { timeout: 25_000, interval: 100 };

/** Another account on the same server, which has nothing to do with this one. */
export async function anotherAccount(server: ServerAccount): Promise<Home> {
  const { ownerKey: key, accountId, workspaceId } = await newAccount(server, "other");
  return { key, accountId, workspaceId };
}

/** Another workspace of the account, and what its owner asks with. */
export async function anotherWorkspace(server: ServerAccount, handle: string): Promise<Home> {
  const path = `/api/accounts/${server.accountId}/workspaces`;
  const { id } = (await madeBy(server, path, { name: handle, handle })) as { readonly id: string };
  return { key: server.ownerKey, accountId: server.accountId, workspaceId: id };
}

/** A key of the account: of any role, for some workspaces, until some time. */
export async function createKeyOf(server: ServerAccount, wanted: object): Promise<string> {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const made = await madeBy(server, path, { name: "k", ...wanted });
  return (made as { readonly key: string }).key;
}

/** Keys that are not accepted, each for another reason. */
export async function deadKeys(server: ServerAccount): Promise<Record<string, string | null>> {
  const expired = await createKeyOf(server, { expires: new Date(Date.now() + 1500).toISOString() });
  const revoked = await createKeyOf(server, { name: "revoked" });
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

async function madeBy(server: ServerAccount, path: string, body: object): Promise<unknown> {
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  expect(made, path).toMatchObject({ status: 201 });
  return made.body;
}
