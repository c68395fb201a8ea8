import { expect, test, vi } from "vitest";
import { accountsServer, type ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer } from "./testing/shared-server.ts";

const PATIENCE = { timeout: 25_000, interval: 100 };

interface Made {
  readonly id: string;
  readonly key: string;
}

const quotasAt = ({ accountId, workspaceId }: ServerAccount): string =>
  `/api/accounts/${accountId}/workspaces/${workspaceId}/quotas`;

async function limit(server: ServerAccount, body: object): Promise<void> {
  const { call, ownerKey: key } = server;
  expect((await call("PUT", quotasAt(server), { key, body })).status).toBe(204);
}

async function aFlow({ call, ownerKey: key }: ServerAccount): Promise<string> {
  return ((await call("POST", "/api/flows/", { key, body: { name: "f" } })).body as Made).id;
}

const anEvent = (name: string) => ({
  event: name,
  resource: { "prefect.resource.id": "x" },
  occurred: new Date().toISOString(),
  id: crypto.randomUUID(),
});

describeEachServer("quotas of a workspace", (shared, engine) => {
  test("hold the runs of a day to a number, and say so", async () => {
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    const flow_id = await aFlow(server);
    await limit(server, { runs_per_day: 3 });
    const make = () => call("POST", "/api/flow_runs/", { key, body: { flow_id } });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await make()).status);
    expect(statuses).toEqual([201, 201, 201, 403]);
    const refused = await make();
    expect(refused.body).toMatchObject({
      detail: expect.stringMatching(
        /^The workspace has used its quota of 3 runs a day \(3 used\)\. It begins anew at 20\d\d-.*T00:00:00Z; whoever manages the account, or the server, can raise it\.$/,
      ),
    });
    expect((await call("GET", quotasAt(server), { key })).body).toMatchObject({
      quotas: { runs_per_day: 3, events_per_day: null, runs_stored: null, storage_bytes: null },
      effective: { runs_per_day: 3 },
      usage: { runs_per_day: 3, measured: null, resets: expect.stringContaining("T00:00:00") },
    });
    expect((await call("POST", "/api/flows/", { key, body: { name: "g" } })).status).toBe(201);
    await limit(server, { runs_per_day: 4 });
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(403);
  });

  test("count what other replicas make", async () => {
    if (engine === "sqlite") return;
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    const flow_id = await aFlow(server);
    await limit(server, { runs_per_day: 2 });
    await using replica = await server.replica();
    const body = { flow_id };
    for (let n = 0; n < 2; n += 1)
      expect((await call("POST", "/api/flow_runs/", { key, body })).status).toBe(201);
    await vi.waitFor(async () => {
      const there = await replica.call("GET", quotasAt(server), { key });
      expect(there.body).toMatchObject({ usage: { runs_per_day: 2 } });
    }, PATIENCE);
    await vi.waitFor(async () => {
      const problem = await replica.call("POST", "/api/flow_runs/", { key, body });
      expect(problem.status).toBe(403);
    }, PATIENCE);
  });

  test("hold the events of a day to a number, over requests and sockets", async () => {
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    await using socket = await server.socket("/api/events/in", key);
    expect(await socket.next()).toEqual({ type: "auth_success" });
    const before = (await call("GET", quotasAt(server), { key })).body as {
      readonly usage: { readonly events_per_day: number };
    };
    const { events_per_day: used } = before.usage;
    await limit(server, { events_per_day: used + 2 });
    const send = () => call("POST", "/api/events", { key, body: [anEvent("x.y")] });
    expect((await send()).status).toBe(204);
    socket.send(anEvent("x.z"));
    await vi.waitFor(async () => {
      expect((await call("GET", quotasAt(server), { key })).body).toMatchObject({
        usage: { events_per_day: used + 2 },
      });
    }, PATIENCE);
    expect((await send()).status).toBe(403);
    expect(await socket.closed).toMatchObject({ code: 1008 });
    await using late = await server.socket("/api/events/in", key);
    expect(await late.closed).toMatchObject({ code: 1008 });
    expect(
      (await call("POST", "/api/variables/", { key, body: { name: "v", value: 1 } })).status,
    ).toBe(201);
  });

  test("hold what is stored to an amount, as it was last measured", async () => {
    const server = await shared.account();
    const { call, ownerKey: key } = server;
    const flow_id = await aFlow(server);
    const run = await call("POST", "/api/flow_runs/", { key, body: { flow_id } });
    expect(run.status).toBe(201);
    await limit(server, { runs_stored: 1, storage_bytes: 1 });
    await vi.waitFor(async () => {
      expect((await call("GET", quotasAt(server), { key })).body).toMatchObject({
        usage: { runs_stored: 1, measured: expect.any(String) },
      });
    }, PATIENCE);
    const { usage } = (await call("GET", quotasAt(server), { key })).body as {
      readonly usage: { readonly storage_bytes: number };
    };
    expect(usage.storage_bytes).toBeGreaterThan(5000);
    // What was measured counts a moment after it can be seen.
    await vi.waitFor(async () => {
      const more = await call("POST", "/api/flow_runs/", { key, body: { flow_id } });
      expect(more.body).toMatchObject({
        detail: expect.stringMatching(/of 1 stored runs \(\d+ used\)/),
      });
    }, PATIENCE);
    const line = { name: "x", level: 20, message: "m", timestamp: new Date().toISOString() };
    const lines = await call("POST", "/api/logs/", { key, body: [line] });
    expect(lines.body).toMatchObject({ detail: expect.stringContaining("bytes of storage") });
    const state = { type: "COMPLETED" };
    const end = await call("POST", `/api/flow_runs/${(run.body as Made).id}/set_state`, {
      key,
      body: { state },
    });
    expect(end.status).toBeLessThan(300);
  });

  test("are set by who manages the account, below what the server allows, and seen by all", async () => {
    // The server allows less than the account asks for: a setting of its own.
    await using server = await accountsServer(engine, { ORCHESTRATOR_QUOTA_RUNS_PER_DAY: "1" });
    const { call, ownerKey, accountId } = server;
    const body = { name: "k", role: "developer" };
    const keys = `/api/accounts/${accountId}/api_keys`;
    const made = await call("POST", keys, { key: ownerKey, body });
    const { key } = made.body as Made;
    const wanted = { runs_per_day: 10 };
    expect((await call("PUT", quotasAt(server), { key, body: wanted })).status).toBe(403);
    await limit(server, wanted);
    expect((await call("GET", quotasAt(server), { key })).body).toMatchObject({
      quotas: { runs_per_day: 10 },
      effective: { runs_per_day: 1 },
    });
    const flow_id = await aFlow(server);
    const statuses = [];
    for (let n = 0; n < 2; n += 1)
      statuses.push((await call("POST", "/api/flow_runs/", { key, body: { flow_id } })).status);
    expect(statuses).toEqual([201, 403]);
  });
});
