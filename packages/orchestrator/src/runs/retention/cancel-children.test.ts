import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import {
  createTestDeployment,
  createTestFlowRun,
  createTestTaskRun,
  proposeFlow,
  proposeTask,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createCancelChildrenTick } from "./cancel-children.loop.ts";

const signal = new AbortController().signal;
const START = "2026-03-01T10:00:00Z";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function cancelledRun(api: TestApi): Promise<string> {
  const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
  await proposeFlow(api, id, "CANCELLING");
  await proposeFlow(api, id, "CANCELLED");
  return id;
}

const runningTask = (api: TestApi, flow_run_id: string) =>
  createTestTaskRun(api, { flow_run_id, state: { type: "RUNNING" } });

const stateOf = async (api: TestApi, id: string) =>
  (await readRecord(api, `/task_runs/${id}`))["state_type"];

describeEachApi("what a cancelled run has left behind", (open) => {
  test("is found again when it is reported later, up to a day", async () => {
    const clock = manualClock(START);
    await using api = await open({ clock });
    const cancelChildren = createCancelChildrenTick(api.ctx);
    const run = await cancelledRun(api);
    expect(await cancelChildren(signal)).toBe(0);
    for (const waitMs of [6 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS]) {
      const late = await runningTask(api, run);
      clock.advanceMs(waitMs);
      expect(await cancelChildren(signal)).toBe(1);
      expect(await stateOf(api, late)).toBe("CANCELLED");
    }
  });

  test("is cancelled after a restart, however long ago within a day the run was cancelled", async () => {
    for (const waitMs of [MINUTE_MS, 30 * MINUTE_MS, 20 * 60 * MINUTE_MS, 1.5 * DAY_MS]) {
      const clock = manualClock(START);
      await using api = await open({ clock });
      const task = await runningTask(api, await cancelledRun(api));
      clock.advanceMs(waitMs);
      const cancelChildren = createCancelChildrenTick(api.ctx);
      expect([waitMs, await cancelChildren(signal)]).toEqual([waitMs, 1]);
      expect(await stateOf(api, task)).toBe("CANCELLED");
      expect(await cancelChildren(signal)).toBe(0);
    }
  });

  test.each([
    ["of its own process", false, ["RUNNING", "CANCELLED"]],
    ["of a deployment", true, ["RUNNING", "CANCELLING", "CANCELLED"]],
  ])("is told once to what stands for a run inside it %s", async (_whose, isDeployed, states) => {
    const clock = manualClock(START);
    await using api = await open({ clock });
    const run = await cancelledRun(api);
    const parent_task_run_id = await createTestTaskRun(api, { flow_run_id: run });
    const deployment = isDeployed ? await createTestDeployment(api, { name: "daily" }) : null;
    const child = await createTestFlowRun(api, {
      parent_task_run_id,
      state: { type: "RUNNING" },
      ...(deployment !== null && { deployment_id: deployment }),
    });
    clock.advanceMs(1000);
    await createCancelChildrenTick(api.ctx)(signal);
    if (isDeployed) await proposeFlow(api, child, "CANCELLED");
    const told = await api.get(`/task_run_states/?task_run_id=${parent_task_run_id}`);
    const types = (told.body as { type: string }[]).map(({ type }) => type);
    expect(types.slice(types.indexOf("RUNNING"))).toEqual(states);
  });

  test("is cancelled over several passes where it is very much", async () => {
    const clock = manualClock(START);
    await using api = await open({ clock });
    const cancelChildren = createCancelChildrenTick(api.ctx);
    const run = await cancelledRun(api);
    for (let n = 0; n < 210; n += 1) await runningTask(api, run);
    clock.advanceMs(1000);
    expect(await cancelChildren(signal)).toBe(200);
    expect(await cancelChildren(signal)).toBe(10);
    expect(await cancelChildren(signal)).toBe(0);
  });

  test("is not looked for where nothing was cancelled since the last pass", async () => {
    const clock = manualClock(START);
    await using api = await open({ clock });
    for (let n = 0; n < 3; n += 1) await runningTask(api, await cancelledRun(api));
    clock.advanceMs(1000);
    const plans = await plansOf(api, async (ctx) => {
      const cancelChildren = createCancelChildrenTick(ctx);
      expect(await cancelChildren(signal)).toBe(3);
      await cancelChildren(signal);
    });
    const idle = plans.slice(-5);
    for (const plan of idle.slice(0, 4)) expect(plan).toContain("flow_runs_cancelled");
    expect(idle[4]).toContain("concurrency_leases_by_expiry");
    expect(idle[4]).not.toMatch(/B-TREE|Sort/);
    for (const plan of plans)
      expect(plan).not.toMatch(/SCAN (flow_runs|task_runs|child)\b|Seq Scan/);
    expect(plans.at(-6)).not.toContain("flow_runs_cancelled");
  });

  test("gives back the slots of task runs that never came, or whose flow run has ended", async () => {
    const clock = manualClock(START);
    await using api = await open({ clock });
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 3 });
    const ends = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const stays = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const unknown = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
    const asked = { names: ["db"], task_run_id: unknown };
    expect((await api.post("/concurrency_limits/increment", asked)).status).toBe(200);
    const tasks = [unknown];
    for (const flow_run_id of [ends, stays]) {
      const task = await createTestTaskRun(api, { flow_run_id, tags: ["db"] });
      await proposeTask(api, task, "RUNNING");
      tasks.push(task);
    }
    await proposeFlow(api, ends, "COMPLETED");
    const cancelChildren = createCancelChildrenTick(api.ctx);
    await cancelChildren(signal);
    const active = async () =>
      (await readRecord(api, "/concurrency_limits/tag/db"))["active_slots"];
    expect(await active()).toEqual(tasks);
    clock.advanceMs(6 * MINUTE_MS);
    await cancelChildren(signal);
    expect(await active()).toEqual(tasks.slice(2));
  });
});
