// Without any quota of its own, a workspace may not fill the disk of all others.
import { expect, test, vi } from "vitest";
import {
  type AccountsServer,
  accountsServer,
  describeEachEngine,
} from "./testing/guarded-server.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
const PATIENCE = { timeout: 25_000, interval: 100 };
const GIGABYTE = 2 ** 30;

interface Quotas {
  readonly effective: { readonly storage_bytes: number | null };
  readonly usage: { readonly storage_bytes: number | null };
}

const quotasAt = ({ accountId }: AccountsServer): string =>
  `/api/accounts/${accountId}/workspaces/${NIL}/quotas`;

async function quotasOf(server: AccountsServer): Promise<Quotas> {
  const { body } = await server.call("GET", quotasAt(server), { key: server.ownerKey });
  return body as Quotas;
}

test("a workspace may store 10 GiB unless the operator says otherwise", async () => {
  await using server = await accountsServer();
  expect((await quotasOf(server)).effective.storage_bytes).toBe(10 * GIGABYTE);
  await using free = await accountsServer("sqlite", { ORCHESTRATOR_QUOTA_STORAGE: "0" });
  expect((await quotasOf(free)).effective.storage_bytes).toBeNull();
});

describeEachEngine("a workspace that stores as much as it may", (engine) => {
  test("is refused more at once, while state changes and deletions go through", async () => {
    await using server = await accountsServer(engine, { ORCHESTRATOR_QUOTA_STORAGE: "3MiB" });
    const { call, ownerKey: key } = server;
    const flow = await call("POST", "/api/flows/", { key, body: { name: "f" } });
    const { id: flow_id } = flow.body as { readonly id: string };
    const run = await call("POST", "/api/flow_runs/", { key, body: { flow_id } });
    const { id } = run.body as { readonly id: string };
    // To be told of quotas wakes up the one who measures.
    await vi.waitFor(async () => {
      await call("PUT", quotasAt(server), { key, body: { storage_bytes: 4_000_000 } });
      expect((await quotasOf(server)).usage.storage_bytes).toBeGreaterThan(0);
    }, PATIENCE);
    await vi.waitFor(async () => {
      const store = await call("POST", "/api/artifacts/", {
        key,
        body: { key: "large", data: "x".repeat(900_000) },
      });
      expect(store).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("3145728 bytes of storage") },
      });
    }, PATIENCE);
    const stored = await call("POST", "/api/artifacts/count", { key, body: {} });
    expect(stored.body).toBeLessThan(10);
    const state = { type: "COMPLETED" };
    const ended = await call("POST", `/api/flow_runs/${id}/set_state`, { key, body: { state } });
    expect(ended.status).toBeLessThan(300);
    expect((await call("DELETE", `/api/flow_runs/${id}`, { key })).status).toBe(204);
  });
});
