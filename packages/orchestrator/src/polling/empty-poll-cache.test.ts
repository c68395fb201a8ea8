import { afterEach, expect, test, vi } from "vitest";
import { countQueries } from "../testing/count-queries.ts";
import { createRunsOf, createTestDeployment, proposeFlow } from "../testing/run-requests.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../testing.ts";
import { flushPolls } from "../work/pools/poll-flush.service.ts";

const POLL = "/work_pools/main/get_scheduled_flow_runs";
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const scheduled = (seconds: number) => ({
  type: "SCHEDULED",
  state_details: { scheduled_time: inSeconds(seconds) },
});

interface Bench extends AsyncDisposable {
  readonly api: TestApi;
  readonly deployment: string;
  readonly poll: (body?: object) => Promise<string[]>;
  /** Polls until it is known that nothing is due. */
  readonly settle: (body?: object) => Promise<void>;
}

async function openBench(open: OpenTestApi): Promise<Bench> {
  const api = await open();
  await api.post("/work_pools/", { name: "main", type: "process" });
  const deployment = await createTestDeployment(api, { work_pool_name: "main" });
  const poll = async (body: object = {}) => {
    const answer = await api.post(POLL, body);
    expect(answer.status).toBe(200);
    return (answer.body as { flow_run: { id: string } }[]).map(({ flow_run }) => flow_run.id);
  };
  return {
    api,
    deployment,
    poll,
    async settle(body) {
      await poll(body);
      await flushPolls(api.ctx);
      for (let n = 0; n < 2; n += 1) expect(await poll(body)).toEqual([]);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describeEachApi("a poll that finds nothing", (open) => {
  test("asks the database nothing where nothing has changed, while nobody else changes it", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    vi.useFakeTimers({ toFake: ["performance"] });
    await createRunsOf(api, bench.deployment, { state: scheduled(3600) });
    await bench.settle({ scheduled_before: inSeconds(10) });
    const queries = countQueries(api);
    for (const seconds of [10, 1000, -10])
      expect(await bench.poll({ scheduled_before: inSeconds(seconds) })).toEqual([]);
    expect(queries()).toBe(0);
    vi.advanceTimersByTime(1001);
    await bench.poll({ scheduled_before: inSeconds(10) });
    expect(queries()).toBe(1);
  });

  test("glances where nothing was due, and looks no closer; one that finds work looks at once the next time", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    vi.useFakeTimers({ toFake: ["performance"] });
    await bench.settle();
    const asked = countQueries(api);
    const cost = async (): Promise<number> => {
      vi.advanceTimersByTime(1001);
      const before = asked();
      await bench.poll();
      return asked() - before;
    };
    expect(await cost()).toBe(1);
    await createRunsOf(api, bench.deployment);
    // A glance, what there is in the queues, and the runs.
    expect(await cost()).toBe(3);
    expect(await cost()).toBe(2);
  });

  test("is followed by one that finds what waits behind a run that cannot be claimed", async () => {
    await using bench = await openBench(open);
    const { api, deployment } = bench;
    await createRunsOf(api, deployment);
    await api.patch(`/deployments/${deployment}`, { concurrency_limit: 1 });
    await api.patch(`/v2/concurrency_limits/deployment:${deployment}`, { limit: 0 });
    const other = await createTestDeployment(api, { name: "other", work_pool_name: "main" });
    const later = await createRunsOf(api, other, { state: scheduled(100) });
    await bench.settle({ scheduled_before: inSeconds(10) });
    expect(await bench.poll({ scheduled_before: inSeconds(101) })).toEqual(later);
  });

  test("counts as polling all the same", async () => {
    await using bench = await openBench(open);
    await bench.settle();
    await flushPolls(bench.api.ctx);
    await bench.poll();
    expect([...bench.api.ctx.polls.take().values()][0]?.queues.size).toBe(1);
  });

  test("is followed by one that finds what has come since", async () => {
    await using bench = await openBench(open);
    await bench.settle();
    const ids = await createRunsOf(bench.api, bench.deployment);
    expect(await bench.poll()).toEqual(ids);
    await proposeFlow(bench.api, ids[0], "PENDING");
    await bench.settle();
    await proposeFlow(bench.api, ids[0], "SCHEDULED", { force: true });
    expect(await bench.poll()).toEqual(ids);
  });

  test("is followed by one that finds what is due further ahead", async () => {
    await using bench = await openBench(open);
    const ids = await createRunsOf(bench.api, bench.deployment, { state: scheduled(100) });
    await bench.settle({ scheduled_before: inSeconds(10) });
    expect(await bench.poll({ scheduled_before: inSeconds(101) })).toEqual(ids);
    expect(await bench.poll()).toEqual(ids);
  });

  test("is followed by one that finds what was held back", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const ids = await createRunsOf(api, bench.deployment);
    await api.patch(`/deployments/${bench.deployment}`, { concurrency_limit: 1 });
    const limit = `/v2/concurrency_limits/deployment:${bench.deployment}`;
    const hindrances = [
      ["/work_pools/main", { is_paused: true }, { is_paused: false }],
      ["/work_pools/main/queues/default", { is_paused: true }, { is_paused: false }],
      [limit, { limit: 0 }, { limit: 1 }],
      [limit, { limit: 0 }, { active: false }],
      ["/work_pools/main", { concurrency_limit: 0 }, { concurrency_limit: null }],
    ] as const;
    for (const [path, hinder, help] of hindrances) {
      await api.patch(path, hinder);
      await bench.settle();
      await api.patch(path, help);
      expect(await bench.poll()).toEqual(ids);
    }
  });

  test("knows of queues that come, go and are renamed, and of a pool that goes", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    const only = { work_queue_names: ["low"] };
    await api.post("/work_pools/main/queues", { name: "low" });
    await bench.settle();
    await bench.settle(only);
    const ids = await createRunsOf(api, bench.deployment, { work_queue_name: "new" });
    expect(await bench.poll()).toEqual(ids);
    expect(await bench.poll(only)).toEqual([]);
    await api.patch("/work_pools/main/queues/low", { name: "lower" });
    expect(await api.post(POLL, only)).toMatchObject({ status: 404 });
    expect(await bench.poll({ work_queue_names: ["lower"] })).toEqual([]);
    await bench.settle({ work_queue_names: ["lower"] });
    await api.delete("/work_pools/main/queues/lower");
    expect(await api.post(POLL, { work_queue_names: ["lower"] })).toMatchObject({ status: 404 });
    await api.delete("/work_pools/main");
    expect(await api.post(POLL)).toMatchObject({ status: 404 });
  });

  test("is no guide to another pool of the same name, or to other times", async () => {
    await using bench = await openBench(open);
    const { api } = bench;
    await bench.settle();
    await api.delete("/work_pools/main");
    await api.post("/work_pools/", { name: "main", type: "process" });
    await api.patch(`/deployments/${bench.deployment}`, { work_pool_name: "main" });
    await bench.settle();
    const ids = await createRunsOf(api, bench.deployment);
    expect(await bench.poll({ scheduled_after: "2020-01-01T00:00:00Z" })).toEqual(ids);
    expect(await bench.poll({ scheduled_after: inSeconds(100) })).toEqual([]);
  });
});
