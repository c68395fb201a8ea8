import { openScope, type Scope } from "@orchestrator/kernel/scope";
import { manualClock, type SocketClient, until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createTaskRun } from "../task-runs/task-runs.service.ts";
import { createTaskDispatcher } from "./task-dispatcher.service.ts";

type Body = Record<string, unknown>;
const PATH = "/task_runs/subscriptions/scheduled";
const scope = openScope("test");

async function delay(api: TestApi, dynamic_key: string, task_key = "mail"): Promise<string> {
  const state = { type: "SCHEDULED", state_details: { deferred: true } };
  const answer = await api.post("/task_runs/", { task_key, dynamic_key, state });
  expect(answer.status).toBe(201);
  return (answer.body as { readonly id: string }).id;
}

async function subscribe(api: TestApi, keys = ["mail"], client_id = "w1"): Promise<SocketClient> {
  const client = await api.socket(PATH);
  client.send({ type: "subscribe", keys, client_id });
  return client;
}

const nextRun = async (client: SocketClient): Promise<Body> => (await client.next()) as Body;
const ack = (client: SocketClient): void => client.send({ type: "ack" });

const workers = async (api: TestApi, task_keys?: string[]): Promise<Body[]> =>
  (await api.post("/task_workers/filter", task_keys ? { task_worker_filter: { task_keys } } : {}))
    .body as Body[];

describeEachApi("background tasks", (open) => {
  test("that wait and that come are handed out one after another, oldest first, as whole records", async () => {
    await using api = await open();
    const first = await delay(api, "1");
    const second = await delay(api, "2");
    await delay(api, "3", "other");
    await api.post("/task_runs/", {
      task_key: "mail",
      dynamic_key: "4",
      state: { type: "SCHEDULED" },
    });
    await using worker = await subscribe(api);
    const { body } = await api.get(`/task_runs/${first}`);
    const estimated_start_time_delta = expect.any(Number);
    expect(await nextRun(worker)).toEqual({ ...(body as Body), estimated_start_time_delta });
    await worker.ping();
    expect(worker.waiting()).toBe(0);
    ack(worker);
    expect(await nextRun(worker)).toMatchObject({ id: second });
    ack(worker);
    const third = await delay(api, "5");
    expect(await nextRun(worker)).toMatchObject({ id: third });
  });

  test("with keys of any length go to the workers of the task, which know it by the key they gave", async () => {
    await using api = await open();
    const key = "mail".repeat(1000);
    await delay(api, "other", `${key}x`);
    const id = await delay(api, "1", key);
    await using worker = await subscribe(api, ["print", key]);
    expect(await nextRun(worker)).toMatchObject({ id, task_key: key });
    expect(await workers(api, [key])).toMatchObject([{ identifier: "w1" }]);
    expect(await workers(api, [`${key}x`])).toEqual([]);
  });

  test("go to one of several workers each, by the tasks they run", async () => {
    await using api = await open();
    await using one = await subscribe(api, ["mail", "print"], "w1");
    await using two = await subscribe(api, ["mail"], "w2");
    await using three = await subscribe(api, ["print"], "w3");
    await until(async () => expect(await workers(api)).toHaveLength(3));
    const sent = [await delay(api, "1"), await delay(api, "2"), await delay(api, "3", "print")];
    const got = await Promise.all([nextRun(one), nextRun(two), nextRun(three)]);
    expect(new Set(got.map(({ id }) => id))).toEqual(new Set(sent));
    for (const worker of [one, two, three]) ack(worker);
    for (const worker of [one, two, three]) await worker.ping();
    expect([one.waiting(), two.waiting(), three.waiting()]).toEqual([0, 0, 0]);
  });

  test("that were not accepted go to the next worker, those that were do not", async () => {
    await using api = await open();
    const accepted = await delay(api, "1");
    const dropped = await delay(api, "2");
    const first = await subscribe(api);
    expect(await nextRun(first)).toMatchObject({ id: accepted });
    ack(first);
    expect(await nextRun(first)).toMatchObject({ id: dropped });
    await first[Symbol.asyncDispose]();
    await using second = await subscribe(api, ["mail"], "w2");
    expect(await nextRun(second)).toMatchObject({ id: dropped });
    second.send({ type: "quit" });
    expect((await second.closed).code).toBe(1000);
    await using third = await subscribe(api, ["mail"], "w3");
    expect(await nextRun(third)).toMatchObject({ id: dropped });
    ack(third);
    await third.ping();
    expect(third.waiting()).toBe(0);
  });

  test("are handed out again when they are scheduled again", async () => {
    await using api = await open();
    const id = await delay(api, "1");
    await using worker = await subscribe(api);
    await nextRun(worker);
    ack(worker);
    const state = {
      type: "SCHEDULED",
      name: "AwaitingRetry",
      state_details: { deferred: true, scheduled_time: "2020-01-01T00:00:00Z" },
    };
    await api.post(`/task_runs/${id}/set_state`, { state: { type: "RUNNING" }, force: true });
    await api.post(`/task_runs/${id}/set_state`, { state, force: true });
    expect(await nextRun(worker)).toMatchObject({ id, state_name: "AwaitingRetry" });
  });

  test("are no longer handed out once they have moved on", async () => {
    await using api = await open();
    const gone = await delay(api, "1");
    const next = await delay(api, "2");
    await api.post(`/task_runs/${gone}/set_state`, { state: { type: "CANCELLED" }, force: true });
    await using worker = await subscribe(api);
    expect(await nextRun(worker)).toMatchObject({ id: next });
  });

  test("do not go to whoever does not keep to the protocol", async () => {
    await using api = await open();
    const id = await delay(api, "1");
    for (const message of [
      "nonsense",
      { type: "filter" },
      { type: "subscribe", keys: [], client_id: "w" },
      { type: "subscribe", keys: ["mail"] },
    ]) {
      await using client = await api.socket(PATH);
      client.send(message);
      expect((await client.closed).code).toBe(4001);
    }
    await using rude = await subscribe(api);
    await nextRun(rude);
    rude.send({ type: "what" });
    expect(await rude.closed).toMatchObject({ code: 4001, reason: expect.stringMatching(/ack/) });
    await using polite = await subscribe(api);
    expect(await nextRun(polite)).toMatchObject({ id });
  });

  test("whose worker is idle and quits are not missed by the others", async () => {
    await using api = await open();
    await using idle = await subscribe(api);
    await idle.ping();
    idle.send({ type: "quit" });
    expect((await idle.closed).code).toBe(1000);
    const id = await delay(api, "1");
    await using worker = await subscribe(api);
    expect(await nextRun(worker)).toMatchObject({ id });
  });
});

describeEachApi("task workers", (open) => {
  test("are listed while they are connected, with what they run", async () => {
    await using api = await open();
    expect(await workers(api)).toEqual([]);
    const one = await subscribe(api, ["b", "a"], "w1");
    await using _again = await subscribe(api, ["c"], "w1");
    await using _two = await subscribe(api, ["a"], "w2");
    await until(async () =>
      expect(await workers(api)).toMatchObject([
        { identifier: "w1", task_keys: ["a", "b", "c"], timestamp: expect.any(String) },
        { identifier: "w2", task_keys: ["a"] },
      ]),
    );
    expect(await workers(api, ["c", "x"])).toMatchObject([{ identifier: "w1" }]);
    expect(await workers(api, ["x"])).toEqual([]);
    await one[Symbol.asyncDispose]();
    await until(async () => expect(await workers(api, ["b"])).toEqual([]));
  });
});

describeEachApi("handing out background tasks", (open) => {
  test("gives each run to one of several replicas", async () => {
    await using api = await open();
    const others = await Promise.all([api.openReplica?.(), api.openReplica?.()]);
    const dbs = [api.ctx.db, ...others.filter((db) => db !== undefined)];
    const dispatchers = dbs.map((db) => createTaskDispatcher({ ...api.ctx, db }));
    const sent = new Set<string>();
    for (let i = 0; i < 30; i += 1) sent.add(await delay(api, String(i)));
    const stop = new AbortController();
    const got: string[] = [];
    const taking = dispatchers.flatMap((dispatcher) =>
      [1, 2].map(async () => {
        for (;;) {
          const run = await dispatcher.next(scope, ["mail"], stop.signal);
          if (run === null) return;
          got.push((JSON.parse(run.json) as { readonly id: string }).id);
          await run.accept();
          if (got.length === sent.size) stop.abort();
        }
      }),
    );
    await Promise.all(taking);
    expect(got.sort()).toEqual([...sent].sort());
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  });

  test("offers a run to the next one at once when whoever waited left in that moment", async () => {
    await using api = await open();
    const id = await delay(api, "1");
    const enough = new AbortController();
    const uuid7 = () => {
      // The run has been found, and is about to be offered.
      enough.abort();
      return api.ctx.ids.uuid7();
    };
    const left = createTaskDispatcher({ ...api.ctx, ids: { ...api.ctx.ids, uuid7 } });
    expect(await left.next(scope, ["mail"], enough.signal)).toBeNull();
    await left.stop();
    const next = createTaskDispatcher(api.ctx);
    const offered = await next.next(scope, ["mail"], new AbortController().signal);
    expect(JSON.parse(offered?.json ?? "{}")).toMatchObject({ id });
    await next.stop();
  });

  test("offers a run again when the replica that had it went down with it", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await delay(api, "1");
    const { signal } = new AbortController();
    const dead = createTaskDispatcher(api.ctx);
    expect(await dead.next(scope, ["mail"], signal)).not.toBeNull();
    await dead.stop();
    const next = createTaskDispatcher(api.ctx);
    const enough = new AbortController();
    const tooEarly = next.next(scope, ["mail"], enough.signal);
    await delay(api, "2", "other");
    enough.abort();
    expect(await tooEarly).toBeNull();
    clock.advanceMs(61_000);
    const offered = await next.next(scope, ["mail"], signal);
    expect(JSON.parse(offered?.json ?? "{}")).toMatchObject({ id });
    await next.stop();
  });

  test("takes turns among workspaces, so that none waits for the backlog of another", async () => {
    await using api = await open();
    const places = { busy: scope, quiet: { ...scope, workspaceId: crypto.randomUUID() } };
    const add = (place: Scope, dynamic_key: string) =>
      createTaskRun(api.ctx, place, {
        task_key: "mail",
        dynamic_key,
        state: { type: "SCHEDULED", state_details: { deferred: true } },
      });
    for (let number = 0; number < 6; number += 1) await add(places.busy, String(number));
    await add(places.quiet, "1");
    const dispatcher = createTaskDispatcher(api.ctx);
    const order: string[] = [];
    const take = async (name: keyof typeof places): Promise<void> => {
      await dispatcher.next(places[name], ["mail"], new AbortController().signal);
      order.push(name);
    };
    await Promise.all([...Array.from({ length: 6 }, () => take("busy")), take("quiet")]);
    expect(order.indexOf("quiet")).toBeLessThan(3);
    await dispatcher.stop();
  });
});
