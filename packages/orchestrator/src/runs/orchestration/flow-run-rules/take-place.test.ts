import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  ANY_ID,
  FROM_ALL,
  flowRun,
  pairs,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
  slotsTaken,
} from "../../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../../testing.ts";
import { takePlace } from "./take-place.ts";

test("only a claim of a run that is in a queue asks for a place", async () => {
  const run = { work_queue_id: ANY_ID };
  expect(await verdicts(takePlace, (pair) => flowRun({ ...pair, run }))).toEqual(
    pairs(without(FROM_ALL, "PENDING", "RUNNING", "CANCELLING"), ["PENDING"], "DATABASE"),
  );
  expect(await verdicts(takePlace, flowRun)).toEqual({});
});

const POOL = "/work_pools/main";
const QUEUE = `${POOL}/queues/default`;

/** Runs in the default queue of a pool that has no limit yet. */
async function queued(api: TestApi, count: number, given: object = {}) {
  await api.post("/work_pools/", { name: "main", type: "process" });
  const deployment = await createTestDeployment(api, { work_pool_name: "main", ...given });
  return { deployment, runs: await createRunsOf(api, deployment, { count }) };
}

async function due(api: TestApi, body: object = { wait_seconds: 0 }): Promise<string[]> {
  const answer = await api.post(`${POOL}/get_scheduled_flow_runs`, body);
  return (answer.body as { flow_run: { id: string } }[]).map(({ flow_run }) => flow_run.id);
}

const claim = async (api: TestApi, id: string | undefined) =>
  (await proposeFlow(api, id, "PENDING")).status;

describeEachApi("a claim of a run whose queue or pool has a limit", (open) => {
  test("takes a place, or leaves the run as it is, however many claim at the same moment", async () => {
    await using api = await open();
    const { runs } = await queued(api, 6);
    await api.patch(POOL, { concurrency_limit: 3 });
    await api.patch(QUEUE, { concurrency_limit: 2 });
    const answers = await Promise.all(runs.map((id) => proposeFlow(api, id, "PENDING")));
    expect(answers.filter(({ status }) => status === "ACCEPT")).toHaveLength(2);
    const refused = answers.filter(({ status }) => status === "ABORT");
    expect(refused).toHaveLength(4);
    for (const { state, details } of refused) {
      expect(state).toMatchObject({ type: "SCHEDULED", name: "Scheduled" });
      expect(details).toMatchObject({ reason: "The work queue default runs 2 of 2" });
    }
    await api.patch(QUEUE, { concurrency_limit: null });
    const again = await Promise.all(runs.map((id) => proposeFlow(api, id, "PENDING")));
    expect(again.filter(({ status }) => status === "ACCEPT")).toHaveLength(1);
    const reasons = new Set(again.map(({ details }) => details["reason"]));
    expect(reasons).toContain("The work pool main runs 3 of 3");
    expect(await readRecord(api, POOL)).toMatchObject({ active_slots: 3 });
  });

  test("is offered again to a worker that waits as soon as a place is free", async () => {
    await using api = await open();
    const { runs } = await queued(api, 2);
    await api.patch(POOL, { concurrency_limit: 1 });
    const [first, second] = runs;
    expect([await claim(api, first), await claim(api, second)]).toEqual(["ACCEPT", "ABORT"]);
    expect(await due(api)).toEqual([]);
    const answer = due(api, { wait_seconds: 60 });
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    await proposeFlow(api, first, "CRASHED");
    expect(await answer).toEqual([second]);
    expect(await claim(api, second)).toBe("ACCEPT");
  });

  test("is offered again when the run in its place is deleted or the limit is raised or taken away", async () => {
    await using api = await open();
    const { runs } = await queued(api, 4);
    await api.patch(QUEUE, { concurrency_limit: 1 });
    const [first, ...others] = runs;
    await claim(api, first);
    const changes = [
      () => api.delete(`/flow_runs/${first}`),
      () => api.patch(QUEUE, { concurrency_limit: 2 }),
      () => api.patch(QUEUE, { concurrency_limit: null }),
    ];
    for (const change of changes) {
      const answer = due(api, { wait_seconds: 60, limit: 1 });
      await until(() => expect(api.ctx.waits.count()).toBe(1));
      await change();
      const [offered] = await answer;
      expect(others).toContain(offered);
      expect(await claim(api, offered)).toBe("ACCEPT");
    }
  });

  test("finds no place below a limit that was lowered until enough runs have ended", async () => {
    await using api = await open();
    const { runs } = await queued(api, 4);
    await api.patch(POOL, { concurrency_limit: 3 });
    for (const id of runs.slice(0, 3)) expect(await claim(api, id)).toBe("ACCEPT");
    await api.patch(POOL, { concurrency_limit: 1 });
    const last = runs[3];
    for (const id of runs.slice(0, 3)) {
      expect(await claim(api, last)).toBe("ABORT");
      await proposeFlow(api, id, "COMPLETED");
    }
    expect(await claim(api, last)).toBe("ACCEPT");
    await proposeFlow(api, last, "CANCELLED");
    await api.patch(POOL, { concurrency_limit: 0 });
    expect(await due(api)).toEqual([]);
  });

  test("needs none once its queue or its pool is gone", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "main", type: "process", concurrency_limit: 1 });
    await api.post(`${POOL}/queues`, { name: "side", concurrency_limit: 1 });
    const place = { work_pool_name: "main", work_queue_name: "side" };
    const deployment = await createTestDeployment(api, place);
    const runs = await createRunsOf(api, deployment, { count: 2 });
    expect(await claim(api, runs[0])).toBe("ACCEPT");
    expect(await claim(api, runs[1])).toBe("ABORT");
    await api.delete(`${POOL}/queues/side`);
    // What was claimed there goes on, and takes up no place in the pool any more.
    expect(await readRecord(api, POOL)).toMatchObject({ active_slots: 0 });
    expect(await claim(api, runs[1])).toBe("ACCEPT");
    await api.patch(`/deployments/${deployment}`, { ...place, work_queue_name: "default" });
    const later = await createRunsOf(api, deployment, { count: 2 });
    expect([await claim(api, later[0]), await claim(api, later[1])]).toEqual(["ACCEPT", "ABORT"]);
    await api.delete(POOL);
    expect(await claim(api, later[1])).toBe("ACCEPT");
  });

  test("keeps the place of a run that its own process tries again", async () => {
    await using api = await open();
    const { deployment, runs } = await queued(api, 1);
    const [again = ""] = await createRunsOf(api, deployment, { empirical_policy: { retries: 1 } });
    await api.patch(POOL, { concurrency_limit: 1 });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await proposeFlow(api, again, type);
    expect(await readRecord(api, `/flow_runs/${again}`)).toMatchObject({
      state_name: "AwaitingRetry",
    });
    expect(await due(api)).toEqual([]);
    expect(await claim(api, runs[0])).toBe("ABORT");
    expect(await proposeFlow(api, again, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    await proposeFlow(api, again, "FAILED");
    expect(await due(api)).toEqual(runs);
    expect(await claim(api, runs[0])).toBe("ACCEPT");
  });

  test("is asked for again by a run that was suspended and goes on", async () => {
    await using api = await open();
    const { runs } = await queued(api, 2);
    await api.patch(POOL, { concurrency_limit: 1 });
    const [first, second] = runs;
    for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, first, type);
    const state_details = { pause_reschedule: true };
    await proposeFlow(api, first, { type: "PAUSED", name: "Suspended", state_details });
    expect(await claim(api, second)).toBe("ACCEPT");
    expect((await api.post(`/flow_runs/${first}/resume`)).status).toBe(201);
    expect(await readRecord(api, `/flow_runs/${first}`)).toMatchObject({ state_name: "Resuming" });
    expect([await due(api), await claim(api, first)]).toEqual([[], "ABORT"]);
    await proposeFlow(api, second, "COMPLETED");
    expect([await due(api), await claim(api, first)]).toEqual([[first], "ACCEPT"]);
  });

  test("finds none while runs that were put there by force are more than the limit", async () => {
    await using api = await open();
    const { runs } = await queued(api, 4);
    await api.patch(POOL, { concurrency_limit: 1 });
    const [first, second, third, last] = runs;
    for (const id of [first, second]) await proposeFlow(api, id, "PENDING", { force: true });
    await proposeFlow(api, third, "RUNNING", { force: true });
    expect(await readRecord(api, POOL)).toMatchObject({ active_slots: 3 });
    for (const id of [first, second, third]) {
      expect([await due(api), await claim(api, last)]).toEqual([[], "ABORT"]);
      await proposeFlow(api, id, "COMPLETED");
    }
    expect([await due(api), await claim(api, last)]).toEqual([[last], "ACCEPT"]);
  });

  test("takes no slot of the deployment when there is no place", async () => {
    await using api = await open();
    const { deployment, runs } = await queued(api, 2, { concurrency_limit: 2 });
    await api.patch(POOL, { concurrency_limit: 1 });
    expect([await claim(api, runs[0]), await claim(api, runs[1])]).toEqual(["ACCEPT", "ABORT"]);
    expect(await slotsTaken(api, deployment)).toBe(1);
  });
});
