import { openScope } from "@orchestrator/kernel/scope";
import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { addDeployment, addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { createRunsOf } from "../../testing/run-requests.ts";
import { describeEachApi, type OpenTestApi } from "../../testing.ts";
import { pollDeployments } from "./polled-runs.service.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`;
const LATER = "2026-06-01T00:00:00.000000Z";
const gone = () => new AbortController().signal;

async function openBench(open: OpenTestApi) {
  const api = await open();
  const { id: flow_id } = await addFlow(api);
  const deployments = [
    await addDeployment(api, { flow_id, name: "a" }),
    await addDeployment(api, { flow_id, name: "b" }),
    await addDeployment(api, { flow_id, name: "c" }),
  ].map(({ id }) => id);
  return {
    api,
    deployments,
    async wait(deployment: number, second: number, more: object = {}): Promise<void> {
      await addFlowRun(api, {
        flow_id,
        deployment_id: deployments[deployment] ?? "",
        name: `${deployment}-${second}`,
        state_type: "SCHEDULED",
        next_scheduled_start_time: at(second),
        start_time: null,
        end_time: null,
        ...more,
      });
    },
    async poll(body: object = {}): Promise<string[]> {
      const answer = await api.post("/deployments/get_scheduled_flow_runs", {
        deployment_ids: deployments,
        scheduled_before: LATER,
        ...body,
      });
      expect(answer.status).toBe(200);
      return (answer.body as { name: string }[]).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachApi("polling deployments", (open) => {
  test("offers the runs of all of them by priority and then by time, whatever the limit", async () => {
    await using bench = await openBench(open);
    for (const second of [5, 1, 9]) await bench.wait(0, second);
    for (const second of [3, 2]) await bench.wait(1, second);
    await bench.wait(2, 8, { priority: 7 });
    await bench.wait(1, 9, { priority: 7 });
    await bench.wait(1, 4, { priority: 2 });
    await bench.wait(0, 0, { priority: -3 });
    await bench.wait(0, 6, {
      priority: 9,
      next_scheduled_start_time: "2026-07-01T00:00:00.000000Z",
    });
    await bench.wait(2, 7, { retry_type: "in_process" });
    await bench.wait(2, 7, { state_type: "RUNNING" });
    const inOrder = ["2-8", "1-9", "1-4", "0-1", "1-2", "1-3", "0-5", "0-9", "0-0"];
    expect(await bench.poll()).toEqual(inOrder);
    for (let limit = 1; limit < 9; limit += 1)
      expect(await bench.poll({ limit })).toEqual(inOrder.slice(0, limit));
    expect(await bench.poll({ deployment_ids: bench.deployments.slice(2) })).toEqual(["2-8"]);
  });

  test("offers no more runs than there are places in their queues and pools", async () => {
    await using bench = await openBench(open);
    const { api, deployments } = bench;
    const pool = { name: "main", type: "process", concurrency_limit: 3 };
    const { default_queue_id } = (await api.post("/work_pools/", pool)).body as {
      readonly default_queue_id: string;
    };
    const low = await api.post("/work_pools/main/queues", { name: "low", concurrency_limit: 1 });
    const { id: lowId } = low.body as { readonly id: string };
    const place = { work_pool_name: "main" };
    await api.patch(`/deployments/${deployments[0]}`, place);
    await api.patch(`/deployments/${deployments[1]}`, { ...place, work_queue_name: "low" });
    for (const second of [1, 2, 3, 4])
      await bench.wait(0, second, { work_queue_id: default_queue_id });
    for (const second of [1, 2]) await bench.wait(1, second, { work_queue_id: lowId, priority: 1 });
    await bench.wait(2, 9);
    expect(await bench.poll()).toEqual(["1-1", "0-1", "0-2", "2-9"]);
    expect(await bench.poll({ limit: 3 })).toEqual(["1-1", "0-1", "0-2"]);
    const running = { state_type: "RUNNING", work_queue_id: lowId };
    await bench.wait(2, 5, running);
    expect(await bench.poll()).toEqual(["0-1", "0-2", "2-9"]);
    await bench.wait(2, 6, running);
    await bench.wait(2, 7, running);
    expect(await bench.poll()).toEqual(["2-9"]);
  });

  test("offers a run that was sent to another queue, however full that of its deployment is, while there is a place in the pool", async () => {
    await using bench = await openBench(open);
    const { api, deployments } = bench;
    const given = { name: "main", type: "process", concurrency_limit: 2 };
    const pool = await api.post("/work_pools/", given);
    const { default_queue_id } = pool.body as { readonly default_queue_id: string };
    await api.patch(`/work_queues/${default_queue_id}`, { concurrency_limit: 1 });
    const other = await api.post("/work_pools/main/queues", { name: "other" });
    const { id: otherId } = other.body as { readonly id: string };
    await api.patch(`/deployments/${deployments[0]}`, { work_pool_name: "main" });
    for (const second of [1, 2]) await bench.wait(0, second, { work_queue_id: default_queue_id });
    for (const second of [3, 4]) await bench.wait(0, second, { work_queue_id: otherId });
    expect(await bench.poll()).toEqual(["0-1", "0-3"]);
  });

  test("offers a run to who waits for it when a place in its pool comes back", async () => {
    await using bench = await openBench(open);
    const { api, deployments } = bench;
    await api.post("/work_pools/", { name: "main", type: "process", concurrency_limit: 1 });
    const [first = "", second = ""] = deployments;
    for (const id of [first, second])
      await api.patch(`/deployments/${id}`, { work_pool_name: "main" });
    const [busy = ""] = await createRunsOf(api, first, { count: 1 });
    await api.post(`/flow_runs/${busy}/set_state`, { state: { type: "PENDING" } });
    const [next] = await createRunsOf(api, second, { count: 1 });
    const answer = api.post("/deployments/get_scheduled_flow_runs", {
      deployment_ids: [second],
      wait_seconds: 60,
    });
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    await api.post(`/flow_runs/${busy}/set_state`, { state: { type: "COMPLETED" }, force: true });
    expect((await answer).body).toMatchObject([{ id: next }]);
  });

  test("offers the runs of a deployment that is gone, so that they come to an end", async () => {
    await using bench = await openBench(open);
    await bench.wait(0, 1, { run_count: 1 });
    await bench.api.delete(`/deployments/${bench.deployments[0]}`);
    expect(await bench.poll()).toEqual(["0-1"]);
    const [polls] = [...bench.api.ctx.polls.take().values()];
    expect(polls?.deployments.size).toBe(2);
  });

  test("reads no more than it offers: indexes in the order of the answer, nothing sorted", async () => {
    await using bench = await openBench(open);
    await bench.wait(0, 1);
    await bench.wait(0, 2, { priority: 4 });
    const poll = { deployment_ids: bench.deployments, scheduled_before: LATER, limit: 1, gone };
    const plans = await plansOf(bench.api, (ctx) =>
      pollDeployments(ctx, openScope("test"), { ...poll, limit: 2 }),
    );
    const [places, levels, first, second] = plans;
    const waiting = "flow_runs_waiting_for_deployment";
    const prioritised = "flow_runs_prioritised_for_deployment";
    expect(indexesIn(places)).toEqual([prioritised, waiting]);
    expect(indexesIn(levels)).toEqual([prioritised]);
    expect(indexesIn(first)).toEqual([prioritised]);
    expect(indexesIn(second)).toEqual([waiting]);
    // What is left of the order is the id among runs of one moment.
    for (const plan of [first, second]) expect(plan).not.toMatch(/TEMP B-TREE FOR ORDER BY|^Sort/m);
    expect(plans).toHaveLength(5);
  });
});

const indexesIn = (plan = ""): string[] =>
  [...new Set([...plan.matchAll(/flow_runs_[a-z]\w+/g)].map(([name]) => name))].toSorted();
