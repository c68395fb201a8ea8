import { expect, test } from "vitest";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { isAtLeast, lowestRoles, type Rank } from "./testing/lowest-roles.ts";
import { type Home, pathIn, requestIn } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { anotherAccount, anotherWorkspace, createKeyOf, deadKeys } from "./testing/tenants.ts";

const POOL = "the-pool";
const sockets = () =>
  [...lowestRoles()]
    .filter(([name]) => name.startsWith("WS "))
    .map(([name, rank]) => ({ path: name.slice(3).replace("{work_pool_name}", POOL), rank }));

const isLetIn = async (server: ServerAccount, path: string, key: string | null) => {
  await using client = await server.socket(path, key);
  return await client.next().then(
    (message) => (message as { readonly type: string }).type,
    () => client.closed.then(({ code }) => code),
  );
};

const hello = (name: string) => ({
  type: "worker.hello.v1",
  id: crypto.randomUUID(),
  sent_at: new Date().toISOString(),
  payload: {
    consumer_id: crypto.randomUUID(),
    worker_name: name,
    worker_type: "process",
    heartbeat_interval_seconds: 30,
    supported_channel_versions: ["work_pool_worker_channel.v1"],
    requested_capabilities: ["worker_heartbeat.v1", "work_pool_snapshot.v1"],
  },
});

describeEachServer("every socket", (shared) => {
  test("is closed to keys that are not good, and open by role", async () => {
    const server = await shared.account();
    expect(sockets()).toHaveLength(5);
    const there = await anotherWorkspace(server, "there");
    const other = await anotherAccount(server);
    const held = await createKeyOf(server, { workspace_ids: [server.workspaceId], role: "owner" });
    const ranks: readonly Rank[] = ["viewer", "runner", "developer", "admin"];
    const keys = await Promise.all(
      ranks.map(async (rank) => ({
        rank,
        key: await createKeyOf(server, { role: rank, name: rank }),
      })),
    );
    const dead = Object.values(await deadKeys(server));
    for (const { path, rank } of sockets()) {
      for (const key of dead) expect(await isLetIn(server, path, key), path).toBe(1008);
      for (const { rank: own, key } of keys)
        expect(await isLetIn(server, path, key), `${path} as ${own}`).toBe(
          isAtLeast(own, rank) ? "auth_success" : 1008,
        );
      for (const key of [held, other.key])
        expect(await isLetIn(server, pathIn(there, path), key), path).toBe(1008);
    }
  });

  test("says nothing of another workspace, and does nothing there", async () => {
    const server = await shared.account();
    const there = await anotherWorkspace(server, "there");
    const home = await anotherAccount(server);
    const [ask, askThere] = [requestIn(server, home), requestIn(server, there)];
    const make = async (at: typeof ask, path: string, body: object): Promise<string> => {
      const made = await at("POST", path, body);
      expect(made.status, path).toBeLessThan(300);
      return (made.body as { readonly id?: string } | null)?.id ?? "";
    };
    // The same names in both: what tells them apart is the workspace alone.
    const things = async (at: typeof ask) => {
      await make(at, "/api/work_pools/", {
        name: POOL,
        type: "process",
        description: at === ask ? "" : "strange",
      });
      const state = { type: "SCHEDULED", state_details: { deferred: true } };
      return make(at, "/api/task_runs/", { task_key: "mail", dynamic_key: "1", state });
    };
    const strangeTask = await things(askThere);
    const ownTask = await things(ask);

    await using events = await listen(server, home, "/api/events/out", {
      type: "filter",
      filter: { event: { prefix: ["x."] } },
    });
    await using logs = await listen(server, home, "/api/logs/out", { type: "filter", filter: {} });
    await events.ping();
    await logs.ping();
    await using tasks = await listen(server, home, "/api/task_runs/subscriptions/scheduled", {
      type: "subscribe",
      keys: ["mail"],
      client_id: "home",
    });
    expect(await tasks.next()).toMatchObject({ id: ownTask });
    await using worker = await listen(
      server,
      home,
      `/api/work_pools/${POOL}/workers/connect`,
      hello("home"),
    );
    expect(JSON.stringify(await worker.next())).not.toContain("strange");

    const line = { name: "x", level: 20, timestamp: new Date().toISOString() };
    const event = (name: string, resource: string) => ({
      id: crypto.randomUUID(),
      event: name,
      occurred: new Date().toISOString(),
      resource: { "prefect.resource.id": resource },
    });
    await make(askThere, "/api/logs/", [{ ...line, message: "strange" }]);
    await make(askThere, "/api/events", [event("x.strange", "strange")]);
    await make(askThere, "/api/task_runs/", {
      task_key: "mail",
      dynamic_key: "2",
      state: { type: "SCHEDULED", state_details: { deferred: true } },
    });
    await askThere("PATCH", `/api/work_pools/${POOL}`, { description: "stranger" });

    // What is sent about a strange run is written down at home and nowhere else.
    await using into = await listen(server, home, "/api/events/in");
    into.send(event("prefect.task-run.Completed", `prefect.task-run.${strangeTask}`));
    into.send(event("x.own", "own"));
    await into.ping();
    await make(ask, "/api/logs/", [{ ...line, message: "own" }]);
    expect(await events.next()).toMatchObject({ event: { event: "x.own" } });
    expect(await logs.next()).toMatchObject({ log: { message: "own" } });
    for (const socket of [events, logs, tasks, worker]) {
      await socket.ping();
      expect(socket.waiting()).toBe(0);
    }
    expect(await askThere("GET", `/api/task_runs/${strangeTask}`)).toMatchObject({
      body: { state_type: "SCHEDULED" },
    });
    const filter = { filter: { event: { name: ["prefect.task-run.Completed", "x.own"] } } };
    expect((await askThere("POST", "/api/events/filter", filter)).body).toMatchObject({ total: 0 });
    expect(await askThere("POST", "/api/task_workers/filter", {})).toMatchObject({ body: [] });
    const workers = await askThere("POST", `/api/work_pools/${POOL}/workers/filter`, {});
    expect(workers).toMatchObject({ status: 200, body: [] });
  });
});

/** A socket of the home workspace that has been let in and has said what it wants. */
async function listen(server: ServerAccount, home: Home, path: string, wish?: object) {
  const client = await server.socket(pathIn(home, path), home.key);
  expect(await client.next()).toEqual({ type: "auth_success" });
  if (wish !== undefined) client.send(wish);
  return client;
}
