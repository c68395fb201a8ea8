import type { StateType } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import { awayOnce, until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { addDeployment, addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { createRunsOf, createTestDeployment, proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { readDueRuns } from "./due-runs.store.ts";
import { flushPolls } from "./poll-flush.service.ts";
import { peekAtQueues, readOccupancy, readQueueWork } from "./polling.store.ts";

const at = (second: number) => `2026-11-14T09:00:${String(second).padStart(2, "0")}.000000Z`;

interface Offer {
  readonly work_pool_id: string;
  readonly work_queue_id: string;
  readonly flow_run: { readonly name: string };
}

interface Bench {
  readonly api: TestApi;
  /** Adds a run that waits in the queue of this name and is due then. */
  readonly wait: (queue: string, name: string, more?: object) => Promise<string>;
  readonly occupy: (queue: string, state_type: StateType) => Promise<void>;
  readonly poll: (body?: object) => Promise<string[]>;
  readonly queueId: (name: string) => Promise<string>;
}

/** A pool with the queues `default` (priority 1) and `low` (priority 2). */
async function openBench(open: OpenTestApi): Promise<Bench & AsyncDisposable> {
  const api = await open();
  await api.post("/work_pools/", { name: "main", type: "process" });
  await api.post("/work_pools/main/queues", { name: "low" });
  const { id: flow_id } = await addFlow(api);
  const queueId = async (name: string) =>
    ((await api.get(`/work_pools/main/queues/${name}`)).body as { id: string }).id;
  return {
    api,
    queueId,
    async wait(queue, name, more = {}) {
      const run = await addFlowRun(api, {
        flow_id,
        work_queue_id: await queueId(queue),
        name,
        state_type: "SCHEDULED",
        next_scheduled_start_time: at(0),
        start_time: null,
        end_time: null,
        ...more,
      });
      return run.id;
    },
    async occupy(queue, state_type) {
      await addFlowRun(api, { flow_id, work_queue_id: await queueId(queue), state_type });
    },
    async poll(body = {}) {
      const answer = await api.post("/work_pools/main/get_scheduled_flow_runs", body);
      expect(answer.status).toBe(200);
      return (answer.body as Offer[]).map(({ flow_run }) => flow_run.name);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachApi("polling a work pool", (open) => {
  test("offers the whole run, with the pool and the queue it waits in", async () => {
    await using bench = await openBench(open);
    const id = await bench.wait("low", "a");
    const { body } = await bench.api.post("/work_pools/main/get_scheduled_flow_runs");
    const pool = (await bench.api.get("/work_pools/main")).body as { id: string };
    expect(body).toMatchObject([
      {
        work_pool_id: pool.id,
        work_queue_id: await bench.queueId("low"),
        flow_run: {
          id,
          name: "a",
          state_type: "SCHEDULED",
          work_queue_name: "low",
          work_pool_name: "main",
        },
      },
    ]);
  });

  test("goes by priority first and by time second", async () => {
    await using bench = await openBench(open);
    await bench.wait("low", "low early", { next_scheduled_start_time: at(0) });
    await bench.wait("default", "high late", { next_scheduled_start_time: at(20) });
    await bench.wait("default", "high early", { next_scheduled_start_time: at(10) });
    expect(await bench.poll()).toEqual(["high early", "high late", "low early"]);
    await bench.api.patch("/work_pools/main/queues/low", { priority: 1 });
    expect(await bench.poll({ limit: 2 })).toEqual(["low early", "high early"]);
  });

  test("takes only what is due between the two times, both included", async () => {
    await using bench = await openBench(open);
    for (const second of [0, 10, 20, 30])
      await bench.wait("default", `${second}`, { next_scheduled_start_time: at(second) });
    expect(await bench.poll({ scheduled_before: at(20) })).toEqual(["0", "10", "20"]);
    const body = { scheduled_after: at(10), scheduled_before: "2026-11-14 09:00:20.000+00:00" };
    expect(await bench.poll(body)).toEqual(["10", "20"]);
    expect(await bench.poll({ scheduled_after: at(31) })).toEqual([]);
  });

  test("leaves out runs in other states, of other pools, and those retried where they ran", async () => {
    await using bench = await openBench(open);
    await bench.wait("default", "a");
    await bench.wait("default", "in process", { retry_type: "in_process" });
    await bench.wait("default", "rescheduled", { retry_type: "reschedule" });
    await bench.wait("default", "no queue", { work_queue_id: null });
    for (const state of ["PENDING", "RUNNING", "PAUSED", "COMPLETED"] as const)
      await bench.occupy("default", state);
    expect((await bench.poll()).toSorted()).toEqual(["a", "rescheduled"]);
  });

  test("offers a new run, whatever it says of being retried", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const deployment = await createTestDeployment(api, { work_pool_name: "main" });
    const empirical_policy = { retry_type: "in_process" };
    const [id = ""] = await createRunsOf(api, deployment, { name: "new", empirical_policy });
    expect(await bench.poll()).toEqual(["new"]);
    await api.patch(`/flow_runs/${id}`, { empirical_policy });
    expect(await bench.poll()).toEqual(["new"]);
  });

  test("keeps a run from workers that its process is about to try again, whatever is said of it", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const deployment = await createTestDeployment(api, { work_pool_name: "main" });
    const [id = ""] = await createRunsOf(api, deployment, { empirical_policy: { retries: 1 } });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await proposeFlow(api, id, type);
    const empirical_policy = { retries: 2, retry_type: null };
    await api.patch(`/flow_runs/${id}`, { empirical_policy });
    expect(await bench.poll()).toEqual([]);
  });

  test("offers nothing of a paused queue, and nothing at all of a paused pool", async () => {
    await using bench = await openBench(open);
    await bench.wait("default", "a");
    await bench.wait("low", "b");
    await bench.api.patch("/work_pools/main/queues/default", { is_paused: true });
    expect(await bench.poll()).toEqual(["b"]);
    await bench.api.patch("/work_pools/main", { is_paused: true });
    expect(await bench.poll()).toEqual([]);
  });

  test("offers only what the named queues hold, and refuses a name that is none", async () => {
    await using bench = await openBench(open);
    await bench.wait("default", "a");
    await bench.wait("low", "b");
    expect(await bench.poll({ work_queue_names: ["low"] })).toEqual(["b"]);
    expect(await bench.poll({ work_queue_names: [] })).toEqual(["a", "b"]);
    expect(await bench.poll({ work_queue_names: null })).toEqual(["a", "b"]);
    const answer = await bench.api.post("/work_pools/main/get_scheduled_flow_runs", {
      work_queue_names: ["low", "none"],
    });
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("none") },
    });
  });

  test("keeps to the limit of a queue, which pending and running runs take up", async () => {
    await using bench = await openBench(open);
    for (const name of ["a", "b", "c"]) await bench.wait("default", name);
    await bench.wait("low", "d");
    await bench.api.patch("/work_pools/main/queues/default", { concurrency_limit: 3 });
    await bench.occupy("default", "PENDING");
    await bench.occupy("default", "CANCELLING");
    await bench.occupy("low", "RUNNING");
    expect(await bench.poll()).toEqual(["a", "b", "d"]);
    await bench.occupy("default", "RUNNING");
    await bench.occupy("default", "RUNNING");
    expect(await bench.poll()).toEqual(["d"]);
    await bench.api.patch("/work_pools/main/queues/default", { concurrency_limit: 0 });
    expect(await bench.poll()).toEqual(["d"]);
  });

  test("keeps to the limit of the pool, whichever queue takes it up", async () => {
    await using bench = await openBench(open);
    for (const name of ["a", "b"]) await bench.wait("default", name);
    await bench.wait("low", "c");
    await bench.api.patch("/work_pools/main", { concurrency_limit: 4 });
    await bench.occupy("low", "RUNNING");
    expect(await bench.poll()).toEqual(["a", "b", "c"]);
    await bench.occupy("default", "PENDING");
    expect(await bench.poll()).toEqual(["a", "b"]);
    expect(await bench.poll({ work_queue_names: ["low"] })).toEqual(["c"]);
    await bench.api.patch("/work_pools/main", { concurrency_limit: 1 });
    expect(await bench.poll()).toEqual([]);
  });

  test("gives what one queue's limit holds back to the next queue", async () => {
    await using bench = await openBench(open);
    for (const name of ["a", "b", "c"]) await bench.wait("default", name);
    for (const name of ["d", "e"]) await bench.wait("low", name);
    await bench.api.patch("/work_pools/main/queues/default", { concurrency_limit: 1 });
    await bench.api.patch("/work_pools/main", { concurrency_limit: 2 });
    expect(await bench.poll()).toEqual(["a", "d"]);
  });

  test("offers at most as many as asked for, which may be none", async () => {
    await using bench = await openBench(open);
    for (const name of ["a", "b"]) await bench.wait("default", name);
    expect(await bench.poll({ limit: 1 })).toEqual(["a"]);
    expect(await bench.poll({ limit: 0 })).toEqual([]);
    const tooMany = await bench.api.post("/work_pools/main/get_scheduled_flow_runs", {
      limit: 201,
    });
    expect(tooMany.status).toBe(422);
  });

  test("writes nothing by itself; what it noticed is written down once, later", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const { id: flow_id } = await addFlow(api, { name: "other" });
    await addDeployment(api, { flow_id, work_queue_id: await bench.queueId("low") });
    const before = (await api.events()).length;
    for (let i = 0; i < 3; i += 1) await bench.poll({ work_queue_names: ["low"] });
    expect((await api.get("/work_pools/main/queues/low")).body).toMatchObject({
      last_polled: null,
    });
    await flushPolls(api.ctx);
    await flushPolls(api.ctx);
    expect((await api.get("/work_pools/main/queues/low")).body).toMatchObject({
      status: "READY",
      last_polled: expect.any(String),
    });
    expect((await api.get("/work_pools/main/queues/default")).body).toMatchObject({
      status: "NOT_READY",
    });
    expect((await api.post("/deployments/filter", {})).body).toMatchObject([
      { status: "READY", last_polled: expect.any(String) },
    ]);
    const events = (await api.events()).slice(before);
    expect(events).toMatchObject([
      { event: "orchestrator.work-queue.ready" },
      {
        event: "orchestrator.deployment.ready",
        related: [
          { "orchestrator.resource.role": "flow" },
          { "orchestrator.resource.role": "work-queue" },
          { "orchestrator.resource.role": "work-pool", "orchestrator.work-pool.type": "process" },
        ],
      },
    ]);
  });

  test("leaves a paused queue paused, and notes that it was polled", async () => {
    await using bench = await openBench(open);
    await bench.api.patch("/work_pools/main/queues/low", { is_paused: true });
    await bench.poll();
    await flushPolls(bench.api.ctx);
    expect((await bench.api.get("/work_pools/main/queues/low")).body).toMatchObject({
      status: "PAUSED",
      last_polled: expect.any(String),
    });
  });

  test("is noted although the database was away when it was to be written down", async () => {
    await using bench = await openBench(open);
    await bench.poll();
    const ctx = { ...bench.api.ctx, db: awayOnce(bench.api.ctx.db) };
    await expect(flushPolls(ctx)).rejects.toThrow("away");
    await flushPolls(ctx);
    expect((await bench.api.get("/work_pools/main/queues/low")).body).toMatchObject({
      last_polled: expect.any(String),
    });
  });

  test("does not mind that a queue goes before its polls are written down", async () => {
    await using bench = await openBench(open);
    await bench.poll();
    await bench.api.delete("/work_pools/main/queues/low");
    await flushPolls(bench.api.ctx);
    expect((await bench.api.get("/work_pools/main/queues/default")).body).toMatchObject({
      status: "READY",
    });
  });

  test("written down by several replicas at once is told once", async () => {
    await using bench = await openBench(open);
    const { ctx } = bench.api;
    const before = (await bench.api.events()).length;
    await bench.poll();
    const polls = ctx.polls.take();
    const replica = () => flushPolls({ ...ctx, polls: { take: () => polls } as typeof ctx.polls });
    await Promise.all([replica(), replica(), replica()]);
    const events = (await bench.api.events()).slice(before);
    expect(events.map(({ event }) => event)).toEqual([
      "orchestrator.work-queue.ready",
      "orchestrator.work-queue.ready",
    ]);
  });

  test("reads runs through the indexes of those that wait and those that run", async () => {
    await using bench = await openBench(open);
    const due = { before: at(30), after: at(0) };
    const queueId = await bench.queueId("low");
    const { id: poolId } = (await bench.api.get("/work_pools/main")).body as { id: string };
    const request = { queueId, now: at(0), limit: 10, ...due };
    const [glanced, polled, ordinary, prioritised, occupied] = await Promise.all([
      explain(bench.api, (queries) => peekAtQueues(queries, { pool: "main", after: at(0) })),
      explain(bench.api, (queries) => readQueueWork(queries, { pool: "main", ...due })),
      explain(bench.api, (queries) => readDueRuns(queries, { ...request, hasPrioritised: false })),
      explain(bench.api, (queries) => readDueRuns(queries, { ...request, hasPrioritised: true })),
      explain(bench.api, (queries) => readOccupancy(queries, poolId)),
    ]);
    const waiting = "flow_runs_waiting_in_queue";
    const first = "flow_runs_prioritised_in_queue";
    // Whether there are any with a priority: in a small table PostgreSQL finds either index of
    // those as good.
    const anyPrioritised = expect.stringMatching(/^flow_runs_prioritised_/);
    expect(glanced.map(indexesIn)).toEqual([[waiting]]);
    expect(polled.map(indexesIn)).toEqual([[anyPrioritised, waiting]]);
    expect(ordinary.map(indexesIn)).toEqual([[waiting]]);
    expect(prioritised.map(indexesIn)).toEqual([[first], [first], [waiting]]);
    expect(occupied.map(indexesIn)).toEqual([["flow_runs_occupying"]]);
    const plans = [glanced, polled, ordinary, prioritised, occupied].flat();
    for (const plan of plans) expect(plan).not.toMatch(/SCAN flow_runs|Seq Scan on flow_runs/);
  });
});

const indexesIn = (plan: string): string[] =>
  [...new Set([...plan.matchAll(/flow_runs_[a-z]\w+/g)].map(([name]) => name))].toSorted();

/**
 * How the database would run the statements that `ask` asks for. Each is answered with one
 * priority.
 */
async function explain(
  { ctx }: TestApi,
  ask: (queries: Queries) => Promise<unknown>,
): Promise<string[]> {
  const { dialect } = ctx.db;
  const workspace = "00000000-0000-0000-0000-000000000000";
  const asked: string[] = [];
  const all = async (
    statement: {
      compiledFor: (d: typeof dialect) => { sql: string; slots: ({ name: string } | number)[] };
    },
    parameters: Record<string, unknown>,
  ) => {
    const { sql, slots } = statement.compiledFor(dialect);
    const known: Record<string, unknown> = { ...parameters, workspace_id: workspace };
    const values = slots.map((slot) => (typeof slot === "number" ? slot : known[slot.name]));
    let next = 0;
    const text = sql.replaceAll(/\?|\$\d+/g, () => {
      const value = values[next++];
      return typeof value === "number" ? String(value) : `'${String(value)}'`;
    });
    asked.push(text);
    return text.includes("recursive") ? [{ priority: 5 }] : [];
  };
  const get = async (...asking: Parameters<typeof all>) => (await all(...asking))[0];
  const queries = { all, get } as unknown as Queries;
  await ask(queries);
  const isPostgres = dialect.name === "postgres";
  return ctx.db.exclusively(async (session) => {
    // Nothing is so small that it would not be read whole, unless that is forbidden.
    if (isPostgres) await session.execute("set local enable_seqscan = off");
    const plans: string[] = [];
    for (const text of asked) {
      const rows = await session.rows(`explain ${isPostgres ? "" : "query plan "}${text}`);
      plans.push(JSON.stringify(rows));
    }
    return plans;
  });
}

describeEachApi("polling a work queue by its id", (open) => {
  async function runs(
    api: TestApi,
    id: string,
    body: object = {},
    headers = {},
  ): Promise<string[]> {
    const answer = await api.request("POST", `/work_queues/${id}/get_runs`, { body, headers });
    expect(answer.status).toBe(200);
    return (answer.body as { name: string }[]).map(({ name }) => name);
  }

  test("gives the due runs of every open queue of its name, the longest waiting first", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const other = await api.post("/work_pools/", { name: "other", type: "process" });
    const work_queue_id = (other.body as { default_queue_id: string }).default_queue_id;
    await bench.wait("default", "third", { next_scheduled_start_time: at(30) });
    await bench.wait("default", "first", { next_scheduled_start_time: at(10) });
    await bench.wait("default", "second", { work_queue_id, next_scheduled_start_time: at(20) });
    await bench.wait("low", "another queue");
    const id = await bench.queueId("default");
    expect(await runs(api, id)).toEqual(["first", "second", "third"]);
    expect(await runs(api, id, { limit: 2 })).toEqual(["first", "second"]);
    expect(await runs(api, id, { scheduled_before: at(10) })).toEqual(["first"]);
    await api.patch("/work_pools/other", { is_paused: true });
    expect(await runs(api, id)).toEqual(["first", "third"]);
    await api.patch(`/work_queues/${id}`, { is_paused: true });
    expect(await runs(api, id)).toEqual([]);
  });

  test("keeps to the queue's limit, which runs that are being cancelled take up as well", async () => {
    await using bench = await openBench(open);
    for (const name of ["a", "b", "c"]) await bench.wait("low", name);
    const id = await bench.queueId("low");
    await bench.api.patch(`/work_queues/${id}`, { concurrency_limit: 2 });
    await bench.occupy("low", "CANCELLING");
    expect(await runs(bench.api, id)).toEqual(["a"]);
  });

  test("keeps to the limits of each pool that has a queue of the name", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const other = await api.post("/work_pools/", { name: "other", type: "process" });
    const work_queue_id = (other.body as { default_queue_id: string }).default_queue_id;
    for (const name of ["a", "b", "c"]) await bench.wait("default", name);
    await bench.wait("default", "elsewhere", { work_queue_id });
    await bench.occupy("low", "RUNNING");
    await api.patch("/work_pools/main", { concurrency_limit: 2 });
    const id = await bench.queueId("default");
    expect(await runs(api, id)).toEqual(["a", "elsewhere"]);
    await api.patch("/work_pools/other", { concurrency_limit: 0 });
    expect(await runs(api, id)).toEqual(["a"]);
    await api.patch("/work_pools/main", { concurrency_limit: 1 });
    expect(await runs(api, id)).toEqual([]);
  });

  test("counts as a poll, unless a person looks at it", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const id = await bench.queueId("low");
    const lastPolled = async () => {
      await flushPolls(api.ctx);
      return ((await api.get(`/work_queues/${id}`)).body as { last_polled: unknown }).last_polled;
    };
    await runs(api, id, {}, { "x-orchestrator-ui": "true" });
    expect(await lastPolled()).toBeNull();
    await runs(api, id);
    expect(await lastPolled()).toEqual(expect.any(String));
  });
});

describeEachApi("runs of a deployment whose limit is 0", (open) => {
  /** A deployment with runs in the pool, whose limit is 0. */
  async function close({ api }: Bench): Promise<{ readonly id: string; readonly limit: string }> {
    const flow_id = ((await api.post("/flows/", { name: "etl" })).body as { id: string }).id;
    const given = { name: "closed", flow_id, work_pool_name: "main", concurrency_limit: 1 };
    const { id } = (await api.post("/deployments/", given)).body as { readonly id: string };
    const limit = `/v2/concurrency_limits/deployment:${id}`;
    expect((await api.patch(limit, { limit: 0 })).status).toBe(204);
    return { id, limit };
  }

  test("are not offered until it is raised, and hold up no others", async () => {
    await using bench = await openBench(open);
    const { api, wait, poll } = bench;
    const { id: deployment_id, limit } = await close(bench);
    const run = await wait("default", "held", { deployment_id, priority: 5 });
    await wait("default", "also-held", { deployment_id });
    await wait("default", "free");
    const deployment_ids = [deployment_id];
    const offered = async () =>
      (await api.post("/deployments/get_scheduled_flow_runs", { deployment_ids })).body;
    expect(await poll()).toEqual(["free"]);
    expect(await poll({ limit: 1 })).toEqual(["free"]);
    expect(await offered()).toEqual([]);
    expect((await api.get(`/flow_runs/${run}/explain`)).body).toMatchObject({
      obstacles: expect.arrayContaining([
        expect.objectContaining({
          code: "deployment-limit-reached",
          message: expect.stringContaining("is 0"),
          action: "Raise the limit",
        }),
      ]),
    });
    await api.patch(limit, { limit: 1 });
    expect(await poll()).toEqual(["held", "also-held", "free"]);
    expect(await offered()).toHaveLength(2);
  });

  test("are offered to who waits for work in the moment the limit is raised", async () => {
    await using bench = await openBench(open);
    const { api, wait, poll } = bench;
    const { id: deployment_id, limit } = await close(bench);
    await wait("default", "held", { deployment_id });
    const answer = poll({ wait_seconds: 60 });
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    await api.patch(limit, { limit: 1 });
    expect(await answer).toEqual(["held"]);
  });
});
