import { request as httpRequest } from "node:http";
import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { countQueries } from "../testing/count-queries.ts";
import { createRunsOf, createTestDeployment, proposeFlow } from "../testing/run-requests.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../testing.ts";
import { queueTopic } from "./work-topics.rules.ts";

const POLL = "/work_pools/main/get_scheduled_flow_runs";

interface Bench extends AsyncDisposable {
  readonly api: TestApi;
  readonly deployment: string;
  /** Asks for work and resolves once the request waits. */
  readonly wait: (body?: object, path?: string) => Promise<{ answer: Promise<string[]> }>;
  /** The same, answered at once. */
  readonly poll: (body?: object) => Promise<string[]>;
}

const idsOf = ({ body }: { readonly body: unknown }): string[] =>
  (body as { id?: string; flow_run: { id: string } }[]).map((each) => each.id ?? each.flow_run.id);

async function openBench(open: OpenTestApi): Promise<Bench> {
  const api = await open();
  await api.post("/work_pools/", { name: "main", type: "process" });
  const deployment = await createTestDeployment(api, { work_pool_name: "main" });
  return {
    api,
    deployment,
    async wait(body = {}, path = POLL) {
      const before = api.ctx.waits.count();
      const answer = api.post(path, { wait_seconds: 60, ...body }).then((given) => {
        expect(given.status).toBe(200);
        return idsOf(given);
      });
      await until(() => expect(api.ctx.waits.count()).toBe(before + 1));
      return { answer };
    },
    poll: async (body = {}) => idsOf(await api.post(POLL, body)),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachApi("a poll that waits", (open) => {
  test("is answered at once when something is due, and empty when its time is over", async () => {
    await using bench = await openBench(open);
    expect(await bench.poll({ wait_seconds: 0 })).toEqual([]);
    expect(await bench.poll({ wait_seconds: 0.05 })).toEqual([]);
    const ids = await createRunsOf(bench.api, bench.deployment);
    expect(await bench.poll({ wait_seconds: 60 })).toEqual(ids);
    for (const wait_seconds of [-1, 61])
      expect(await bench.api.post(POLL, { wait_seconds })).toMatchObject({ status: 422 });
  });

  test("is answered when a run is created", async () => {
    await using bench = await openBench(open);
    const waiting = await bench.wait();
    const ids = await createRunsOf(bench.api, bench.deployment);
    expect(await waiting.answer).toEqual(ids);
    expect(bench.api.ctx.waits.count()).toBe(0);
  });

  test("is answered when a run is scheduled again, or moved to now", async () => {
    await using bench = await openBench(open);
    const later = { type: "SCHEDULED", state_details: { scheduled_time: "2999-01-01T00:00:00Z" } };
    const [id] = await createRunsOf(bench.api, bench.deployment, { state: later });
    const waiting = await bench.wait();
    await proposeFlow(bench.api, id, "SCHEDULED", { force: true });
    expect(await waiting.answer).toEqual([id]);
    for (const type of ["PENDING", "RUNNING"]) await proposeFlow(bench.api, id, type);
    const again = await bench.wait();
    await proposeFlow(bench.api, id, "SCHEDULED", { force: true });
    expect(await again.answer).toEqual([id]);
  });

  test("is answered when the time of a run has come", async () => {
    await using bench = await openBench(open);
    const scheduled_time = new Date(Date.now() + 400).toISOString();
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    const ids = await createRunsOf(bench.api, bench.deployment, { state });
    expect(await bench.poll({ wait_seconds: 60 })).toEqual(ids);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(scheduled_time));
  });

  test("gets runs as far ahead of their time as it asks for, however long it waits", async () => {
    await using bench = await openBench(open);
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const state = (seconds: number) => ({
      type: "SCHEDULED",
      state_details: { scheduled_time: inSeconds(seconds) },
    });
    const waiting = await bench.wait({ scheduled_before: inSeconds(100) });
    const soon = await createRunsOf(bench.api, bench.deployment, { state: state(50) });
    expect(await waiting.answer).toEqual(soon);
    expect(await bench.poll({ wait_seconds: 0 })).toEqual([]);
    expect(await bench.poll()).toEqual(soon);
  });

  test("is answered when the queue or the pool is resumed, and when a limit leaves room again", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const [id] = await createRunsOf(api, bench.deployment);
    const hindrances = [
      ["/work_pools/main", { is_paused: true }, { is_paused: false }],
      ["/work_pools/main", { concurrency_limit: 0 }, { concurrency_limit: null }],
      ["/work_pools/main/queues/default", { is_paused: true }, { is_paused: false }],
      ["/work_pools/main/queues/default", { concurrency_limit: 0 }, { concurrency_limit: 1 }],
    ] as const;
    for (const [path, hinder, help] of hindrances) {
      await api.patch(path, hinder);
      const waiting = await bench.wait();
      await api.patch(path, help);
      expect(await waiting.answer).toEqual([id]);
    }
    await proposeFlow(api, id, "PENDING");
    const [next, last] = await createRunsOf(api, bench.deployment, { count: 2 });
    const one = await bench.wait({ limit: 1 });
    await proposeFlow(api, id, "COMPLETED");
    const [got] = await one.answer;
    expect([next, last]).toContain(got);
    await proposeFlow(api, got, "PENDING");
    const other = await bench.wait({ limit: 1 });
    await api.delete(`/flow_runs/${got}`);
    expect(await other.answer).toEqual([got === next ? last : next]);
  });

  test("is answered when a run ends that was to be tried again in its process, and had its place until then", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    await api.patch("/work_pools/main", { concurrency_limit: 1 });
    const [first] = await createRunsOf(api, bench.deployment, { empirical_policy: { retries: 1 } });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await proposeFlow(api, first, type);
    expect(await api.get(`/flow_runs/${first}`)).toMatchObject({
      body: { state_type: "SCHEDULED" },
    });
    const [next] = await createRunsOf(api, bench.deployment);
    const waiting = await bench.wait();
    const { body } = await api.get(`/flow_runs/${next}`);
    let isNudged = false;
    // It would look again by itself after a while.
    api.ctx.db.wakeUps.on(queueTopic((body as { work_queue_id: string }).work_queue_id), () => {
      isNudged = true;
    });
    await proposeFlow(api, first, "CANCELLED");
    await until(() => expect(isNudged).toBe(true));
    expect(await waiting.answer).toEqual([next]);
  });

  test("in great numbers costs few queries, and a run goes to one of them", async () => {
    await using bench = await openBench(open);
    const answered: string[][] = [];
    for (let n = 0; n < 200; n += 1) {
      const waiting = bench.api.post(POLL, { wait_seconds: 60, limit: 5 });
      void waiting.then((given) => answered.push(idsOf(given)));
    }
    await until(() => expect(bench.api.ctx.waits.count()).toBe(200));
    const queries = countQueries(bench.api);
    const [id] = await createRunsOf(bench.api, bench.deployment);
    await until(() => expect(answered[0]).toEqual([id]));
    expect(queries()).toBeLessThan(10);
    await proposeFlow(bench.api, id, "PENDING");
    const three = await createRunsOf(bench.api, bench.deployment, { count: 3 });
    await until(() => expect(new Set(answered.flat())).toEqual(new Set([id, ...three])));
    for (const share of answered) expect(share).toHaveLength(1);
  });

  test("gets what another was given and has not claimed", async () => {
    await using bench = await openBench(open);
    const one = await bench.wait();
    const two = await bench.wait();
    const ids = await createRunsOf(bench.api, bench.deployment);
    expect(await one.answer).toEqual(ids);
    expect(await two.answer).toEqual(ids);
  });

  test("does not get what another has been given a moment before it came", async () => {
    await using bench = await openBench(open);
    const ids = await createRunsOf(bench.api, bench.deployment, { count: 12 });
    const polls = Array.from({ length: 6 }, () => bench.poll({ wait_seconds: 60, limit: 2 }));
    expect(new Set((await Promise.all(polls)).flat())).toEqual(new Set(ids));
    expect(new Set(await bench.poll({ wait_seconds: 0 }))).toEqual(new Set(ids));
  });

  test("does not get a run for which another has been given the only place", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    await api.patch("/work_pools/main", { concurrency_limit: 1 });
    const ids = await createRunsOf(api, bench.deployment, { count: 2 });
    const [first] = await bench.poll({ wait_seconds: 60, limit: 1 });
    const second = await bench.wait({ limit: 1 });
    await proposeFlow(api, first, "PENDING");
    await proposeFlow(api, first, "COMPLETED");
    expect(await second.answer).toEqual(ids.filter((id) => id !== first));
  });

  test("gets a run at once that is scheduled anew", async () => {
    await using bench = await openBench(open);
    const [id] = await createRunsOf(bench.api, bench.deployment);
    for (let again = 0; again < 20; again += 1) {
      expect(await bench.poll({ wait_seconds: 60 })).toEqual([id]);
      await proposeFlow(bench.api, id, "PENDING");
      await proposeFlow(bench.api, id, "SCHEDULED", { force: true });
    }
  });

  test("looks into the named queues only, also into one that is new", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    await api.post("/work_pools/main/queues", { name: "low" });
    const low = await bench.wait({ work_queue_names: ["low"] });
    const all = await bench.wait();
    const [first] = await createRunsOf(api, bench.deployment);
    expect(await all.answer).toEqual([first]);
    await proposeFlow(api, first, "PENDING");
    const [second] = await createRunsOf(api, bench.deployment, { work_queue_name: "low" });
    expect(await low.answer).toEqual([second]);
    await proposeFlow(api, second, "PENDING");
    const again = await bench.wait();
    const [third] = await createRunsOf(api, bench.deployment, { work_queue_name: "new" });
    expect(await again.answer).toEqual([third]);
  });

  test("counts as polling for as long as it lasts", async () => {
    await using bench = await openBench(open);
    await bench.wait();
    expect([...bench.api.ctx.polls.take().values()][0]?.queues.size).toBe(1);
  });

  test("is told when its pool goes", async () => {
    await using bench = await openBench(open);
    const answer = bench.api.post(POLL, { wait_seconds: 60 });
    await until(() => expect(bench.api.ctx.waits.count()).toBe(1));
    await bench.api.delete("/work_pools/main");
    expect(await answer).toMatchObject({ status: 404 });
  });

  test("ends with the connection it came by", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const headers = { "content-type": "application/json" };
    const request = httpRequest(`${await api.url()}${POLL}`, { method: "POST", headers });
    request.on("error", () => {});
    request.end(JSON.stringify({ wait_seconds: 60 }));
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    request.destroy();
    await until(() => expect(api.ctx.waits.count()).toBe(0));
  });

  test("is answered when the server stops", async () => {
    const bench = await openBench(open);
    const waiting = await bench.wait();
    await bench[Symbol.asyncDispose]();
    expect(await waiting.answer).toEqual([]);
  });

  test("may ask for deployments, too", async () => {
    await using bench = await openBench(open);
    const path = "/deployments/get_scheduled_flow_runs";
    const deployment_ids = [bench.deployment];
    const waiting = await bench.wait({ deployment_ids }, path);
    const [first] = await createRunsOf(bench.api, bench.deployment);
    expect(await waiting.answer).toEqual([first]);
    await proposeFlow(bench.api, first, "PENDING");
    const scheduled_time = new Date(Date.now() + 300).toISOString();
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    const [second] = await createRunsOf(bench.api, bench.deployment, { state });
    const next = await bench.api.post(path, { deployment_ids, wait_seconds: 60 });
    expect(idsOf(next)).toEqual([second]);
    const [urgent] = await createRunsOf(bench.api, bench.deployment, { priority: 1 });
    expect(idsOf(await bench.api.post(path, { deployment_ids }))).toEqual([urgent, second]);
  });
});
