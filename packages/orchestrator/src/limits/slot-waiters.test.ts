import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
  slotsTaken,
} from "../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

const DUE = { wait_seconds: 0 };
const POLL = "/work_pools/main/get_scheduled_flow_runs";

/** A deployment with one slot, a run that has it, and others that were refused it. */
async function fill(api: TestApi, refused: readonly object[]) {
  await api.post("/work_pools/", { name: "main", type: "process" });
  const deployment = await createTestDeployment(api, {
    work_pool_name: "main",
    concurrency_limit: 1,
  });
  const [holder] = await createRunsOf(api, deployment);
  await proposeFlow(api, holder, "PENDING");
  const waiters: string[] = [];
  for (const given of refused) {
    const [id = ""] = await createRunsOf(api, deployment, { ...given });
    expect(await proposeFlow(api, id, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { name: "AwaitingConcurrencySlot" },
    });
    waiters.push(id);
  }
  return { deployment, holder, waiters };
}

async function due(api: TestApi, body: object = DUE): Promise<string[]> {
  const answer = await api.post(POLL, body);
  return (answer.body as { flow_run: { id: string } }[]).map(({ flow_run }) => flow_run.id);
}

describeEachApi("a run that waits for a slot", (open) => {
  test("is due as soon as one is free, the oldest first and no more than there are slots", async () => {
    await using api = await open();
    const { deployment, holder, waiters } = await fill(api, [{}, {}, {}]);
    const [first, second] = waiters;
    expect(await due(api)).toEqual([]);
    await proposeFlow(api, holder, "COMPLETED");
    expect(await due(api)).toEqual([first]);
    expect(await proposeFlow(api, first, "PENDING")).toMatchObject({ status: "ACCEPT" });
    expect(await proposeFlow(api, first, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    expect(await due(api)).toEqual([]);
    await proposeFlow(api, first, "FAILED");
    expect(await due(api)).toEqual([second]);
    expect(await slotsTaken(api, deployment)).toBe(0);
  });

  test("goes by its priority before its age", async () => {
    await using api = await open();
    const { holder, waiters } = await fill(api, [{}, {}, { priority: 2 }]);
    const [first, second, urgent] = waiters;
    await api.patch(`/flow_runs/${second}`, { priority: 1 });
    const inOrder = [urgent, second, first];
    let last: string | undefined = holder;
    for (const next of inOrder) {
      await proposeFlow(api, last, "CANCELLED", { force: true });
      expect(await due(api)).toEqual([next]);
      await proposeFlow(api, next, "PENDING");
      last = next;
    }
  });

  test("is given to a worker that waits", async () => {
    await using api = await open();
    const { holder, waiters } = await fill(api, [{}, {}]);
    const answer = due(api, { wait_seconds: 60 });
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    await proposeFlow(api, holder, "CRASHED");
    expect(await answer).toEqual(waiters.slice(0, 1));
  });

  test("is due when its run is deleted, the limit is raised, or the limit goes", async () => {
    await using api = await open();
    const { deployment, holder, waiters } = await fill(api, [{}, {}, {}, {}, {}]);
    await api.delete(`/flow_runs/${holder}`);
    expect(await due(api)).toEqual(waiters.slice(0, 1));
    await api.patch(`/deployments/${deployment}`, { concurrency_limit: 2 });
    expect(await due(api)).toEqual(waiters.slice(0, 2));
    const { global_concurrency_limit: limit } = await readRecord(api, `/deployments/${deployment}`);
    const path = `/v2/concurrency_limits/${(limit as { id: string }).id}`;
    await api.patch(path, { limit: 3 });
    expect(await due(api)).toEqual(waiters.slice(0, 3));
    await api.patch(path, { active: false });
    expect((await due(api)).toSorted()).toEqual(waiters.toSorted());
  });

  test("is due when the limit goes with the flow for whose deployment it was made", async () => {
    await using api = await open();
    const { deployment } = await fill(api, []);
    const owner = await readRecord(api, `/deployments/${deployment}`);
    const { id: limit } = owner["global_concurrency_limit"] as { id: string };
    const { id: flow_id } = (await api.post("/flows/", { name: "other" })).body as { id: string };
    const sharing = await createTestDeployment(api, {
      flow_id,
      work_pool_name: "main",
      global_concurrency_limit_id: limit,
    });
    const ids = await createRunsOf(api, sharing, { count: 2 });
    for (const id of ids)
      expect(await proposeFlow(api, id, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await due(api)).toEqual([]);
    await api.delete(`/flows/${String(owner["flow_id"])}`);
    expect((await due(api)).toSorted()).toEqual(ids.toSorted());
    for (const id of ids)
      expect(await proposeFlow(api, id, "PENDING")).toMatchObject({ status: "ACCEPT" });
    expect((await api.post("/v2/concurrency_limits/filter")).body).toEqual([]);
    expect((await api.events()).map(({ event }) => event)).toContain(
      "orchestrator.concurrency-limit.deleted",
    );
  });

  test("says since when it may start in its state and in its history", async () => {
    await using api = await open();
    const { holder, waiters } = await fill(api, [{}]);
    await proposeFlow(api, holder, "COMPLETED");
    const run = await readRecord(api, `/flow_runs/${waiters[0]}`);
    const scheduled_time = run["next_scheduled_start_time"];
    expect(run).toMatchObject({
      state_name: "AwaitingConcurrencySlot",
      state: { state_details: { scheduled_time } },
    });
    const states = (await api.get(`/flow_run_states/?flow_run_id=${waiters[0]}`)).body as object[];
    expect(states.at(-1)).toMatchObject({ state_details: { scheduled_time } });
  });
});
