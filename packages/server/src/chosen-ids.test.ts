// Clients choose the ids of task runs, events and logs: each workspace has its own, and learns
// nothing of the others'.
import { expect, test, vi } from "vitest";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { type Home, pathIn, requestIn } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { anotherAccount, anotherWorkspace } from "./testing/tenants.ts";

const PATIENCE = { timeout: 25_000, interval: 100 };
type Ask = ReturnType<typeof requestIn>;

const waiting = { type: "SCHEDULED", state_details: { deferred: true } };
const taskRun = (id: string, name: string) => ({
  id,
  name,
  task_key: "mail",
  dynamic_key: "1",
  state: waiting,
});

const report = (id: string, eventId: string, name: string) => ({
  id: eventId,
  event: "prefect.task-run.Running",
  occurred: new Date().toISOString(),
  resource: {
    "prefect.resource.id": `prefect.task-run.${id}`,
    "prefect.resource.name": name,
    "prefect.orchestration": "client",
  },
  payload: {
    intended: { from: "PENDING", to: "RUNNING" },
    validated_state: { type: "RUNNING", name: "Running" },
    task_run: { task_key: "mail", dynamic_key: "1", name },
  },
});

const statesOf = async (ask: Ask, id: string): Promise<readonly { readonly type: string }[]> => {
  const { body } = await ask("GET", `/api/task_run_states/?task_run_id=${id}`);
  return body as { readonly type: string }[];
};

async function scene(server: ServerAccount) {
  const there = await anotherWorkspace(server, "there");
  const home = await anotherAccount(server);
  return { there, home, ask: requestIn(server, home), askThere: requestIn(server, there) };
}

async function offered(server: ServerAccount, home: Home) {
  const client = await server.socket(
    pathIn(home, "/api/task_runs/subscriptions/scheduled"),
    home.key,
  );
  expect(await client.next()).toEqual({ type: "auth_success" });
  client.send({ type: "subscribe", keys: ["mail"], client_id: "x" });
  return client;
}

describeEachServer("an id that a client chooses", (shared) => {
  test("names a task run of its workspace, whoever else has the same", async () => {
    const server = await shared.account();
    const { there, home, ask, askThere } = await scene(server);
    const id = crypto.randomUUID();
    expect(await askThere("POST", "/api/task_runs/", taskRun(id, "there"))).toMatchObject({
      status: 201,
    });
    const made = await ask("POST", "/api/task_runs/", taskRun(id, "home"));
    expect(made).toMatchObject({ status: 201, body: { id, name: "home" } });
    expect(await ask("POST", "/api/task_runs/", taskRun(id, "again"))).toMatchObject({
      status: 200,
      body: { id, name: "home" },
    });
    await using first = await offered(server, there);
    expect(await first.next()).toMatchObject({ id, name: "there" });
    await using second = await offered(server, home);
    expect(await second.next()).toMatchObject({ id, name: "home" });

    const running = { state: { type: "RUNNING" }, force: true };
    await ask("POST", `/api/task_runs/${id}/set_state`, running);
    expect((await statesOf(ask, id)).map(({ type }) => type)).toEqual(["SCHEDULED", "RUNNING"]);
    expect((await statesOf(askThere, id)).map(({ type }) => type)).toEqual(["SCHEDULED"]);
    expect(await ask("DELETE", `/api/task_runs/${id}`)).toMatchObject({ status: 204 });
    expect(await askThere("GET", `/api/task_runs/${id}`)).toMatchObject({
      body: { name: "there", state_type: "SCHEDULED" },
    });
    expect(await statesOf(ask, id)).toEqual([]);
    expect(await statesOf(askThere, id)).toHaveLength(1);
  });

  test("names what is reported by an event, whoever else has the same", async () => {
    const server = await shared.account();
    const { ask, askThere } = await scene(server);
    const [id, event] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [at, name] of [
      [askThere, "there"],
      [ask, "home"],
    ] as const)
      expect((await at("POST", "/api/events", [report(id, event, name)])).status).toBe(204);
    await vi.waitFor(async () => {
      for (const [at, name] of [
        [askThere, "there"],
        [ask, "home"],
      ] as const) {
        expect((await at("GET", `/api/task_runs/${id}`)).body).toMatchObject({ name });
        expect(await statesOf(at, id)).toMatchObject([{ id: event, type: "RUNNING" }]);
      }
    }, PATIENCE);
  });

  test("does not make a run the child of another workspace's run", async () => {
    const server = await shared.account();
    const { ask, askThere } = await scene(server);
    const make = async (at: Ask, path: string, body: object): Promise<string> => {
      const made = await at("POST", path, body);
      expect(made, path).toMatchObject({ status: 201 });
      return (made.body as { readonly id: string }).id;
    };
    const id = crypto.randomUUID();
    const family = async (at: Ask) => {
      const flow_id = await make(at, "/api/flows/", { name: "f" });
      const state = { type: "RUNNING" };
      const parent = await make(at, "/api/flow_runs/", { flow_id, state });
      const task = { id, flow_run_id: parent, task_key: "t", dynamic_key: "0", state };
      await make(at, "/api/task_runs/", task);
      return { flow_id, parent };
    };
    const theirs = await family(askThere);
    const { flow_id, parent } = await family(ask);
    const child = await make(ask, "/api/flow_runs/", { flow_id, parent_task_run_id: id });
    expect(await askThere("GET", `/api/flow_runs/${theirs.parent}/graph-v2`)).toMatchObject({
      body: { nodes: [[id, { kind: "task-run" }]] },
    });
    expect(await ask("GET", `/api/flow_runs/${parent}/graph-v2`)).toMatchObject({
      body: { nodes: [[child, { kind: "flow-run" }]] },
    });
    const filter = { task_runs: { subflow_runs: { exists_: true } } };
    expect((await askThere("POST", "/api/task_runs/filter", filter)).body).toEqual([]);
    expect((await ask("POST", "/api/task_runs/filter", filter)).body).toMatchObject([{ id }]);
    await askThere("DELETE", `/api/flow_runs/${theirs.parent}`);
    expect(await ask("GET", `/api/task_runs/${id}`)).toMatchObject({ status: 200 });
  });
});
