import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { overlapSpanAt } from "../../runs/orchestration/flow-run-rules/respect-overlap.ts";
import { readRunsInFront } from "../../runs/orchestration/overlap.store.ts";
import { plansOf } from "../../testing/plans.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { cancelOverlapped } from "./overlap.loop.ts";

const { signal } = new AbortController();
const { workspaceId } = openScope("test");
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Run {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** A deployment with a schedule, and the ids of runs that are due, the earliest first. */
async function dueRuns(api: TestApi, overlap: string, count = 2): Promise<string[]> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as Run).id;
  const schedules = [{ schedule: { interval: 60 }, overlap }];
  const { body } = await api.post("/deployments/", { name: "minutely", flow_id, schedules });
  const { id } = body as Run;
  const start_time = new Date(Date.parse(api.ctx.clock.now()) - (count + 1) * 60_000).toISOString();
  await api.post(`/deployments/${id}/schedule`, { start_time, min_runs: count, min_time: 0 });
  const runs = await api.post("/flow_runs/filter", { sort: "EXPECTED_START_TIME_ASC" });
  return (runs.body as Run[]).map((run) => run.id);
}

const propose = async (api: TestApi, id: string | undefined, type: string) =>
  (await api.post(`/flow_runs/${id}/set_state`, { state: { type } })).body;

const stateOf = async (api: TestApi, id: string | undefined) =>
  ((await api.get(`/flow_runs/${id}`)).body as Run).state;

describeEachApi("runs of a schedule that overlap", (open) => {
  test("are allowed unless the schedule says otherwise", async () => {
    await using api = await open();
    const [first, second] = await dueRuns(api, "allow");
    expect(await propose(api, first, "PENDING")).toMatchObject({ status: "ACCEPT" });
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("are left out while an earlier one is under way, and not afterwards", async () => {
    await using api = await open();
    const [first, second, ...others] = await dueRuns(api, "skip");
    expect(others).toEqual([]);
    await propose(api, first, "PENDING");
    await propose(api, first, "RUNNING");
    expect(await propose(api, second, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { type: "CANCELLED", name: "Skipped" },
    });
    expect(await stateOf(api, first)).toMatchObject({ type: "RUNNING" });
  });

  test("wait for the earlier one to end", async () => {
    await using api = await open();
    const [first, second] = await dueRuns(api, "queue");
    await propose(api, first, "PENDING");
    expect(await propose(api, second, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { type: "SCHEDULED", name: "AwaitingConcurrencySlot" },
    });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
    await propose(api, first, "RUNNING");
    await propose(api, first, "COMPLETED");
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("wait in the order of their times", async () => {
    await using api = await open();
    const [first, second, third] = await dueRuns(api, "queue", 3);
    await propose(api, first, "PENDING");
    await propose(api, first, "RUNNING");
    await propose(api, second, "PENDING");
    await propose(api, first, "COMPLETED");
    expect(await propose(api, third, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { type: "SCHEDULED", name: "AwaitingConcurrencySlot" },
    });
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
    await propose(api, second, "RUNNING");
    await propose(api, second, "COMPLETED");
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("wait no longer behind one that nobody asks for", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const [first, second, third] = await dueRuns(api, "queue", 3);
    await propose(api, first, "PENDING");
    await propose(api, second, "PENDING");
    await propose(api, first, "RUNNING");
    await propose(api, first, "COMPLETED");
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "REJECT" });
    clock.advanceMs(2 * 60_000);
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("wait no longer behind one that a clock which went ahead has put off", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const [first, second, third] = await dueRuns(api, "queue", 3);
    await propose(api, first, "PENDING");
    clock.advanceMs(24 * 60 * 60_000);
    await propose(api, second, "PENDING");
    clock.advanceMs(-24 * 60 * 60_000);
    await propose(api, first, "RUNNING");
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "REJECT" });
    await propose(api, first, "COMPLETED");
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("go first where they are more urgent", async () => {
    await using api = await open();
    const [first, second, third] = await dueRuns(api, "queue", 3);
    await propose(api, first, "PENDING");
    await propose(api, second, "PENDING");
    await propose(api, first, "RUNNING");
    await propose(api, first, "COMPLETED");
    await api.patch(`/flow_runs/${third}`, { priority: 1 });
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("wait for the earlier one to be cancelled", async () => {
    await using api = await open();
    const [first, second] = await dueRuns(api, "cancel-running");
    await propose(api, first, "PENDING");
    await propose(api, first, "RUNNING");
    expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(1);
    expect(await stateOf(api, first)).toMatchObject({ type: "CANCELLING" });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
    await propose(api, first, "CANCELLED");
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("are cancelled only for a later one, and only while that is asked for", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const [first, second, third] = await dueRuns(api, "cancel-running", 3);
    for (const type of ["PENDING", "RUNNING"]) await propose(api, second, type);
    expect(await propose(api, first, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "REJECT" });
    clock.advanceMs(2 * 60_000);
    expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
    expect(await propose(api, third, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(1);
  });

  test("wait for the earlier one to be cancelled, also where that waits to be tried again", async () => {
    await using api = await open();
    const [first, second] = await dueRuns(api, "cancel-running");
    await api.patch(`/flow_runs/${first}`, { empirical_policy: { retries: 2, retry_delay: 600 } });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await propose(api, first, type);
    expect(await stateOf(api, first)).toMatchObject({ name: "AwaitingRetry" });
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await cancelOverlapped(api.ctx, signal)).toBe(1);
    await propose(api, first, "CANCELLED");
    expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test.each(["skip", "queue", "cancel-running"])(
    "are not decided about before their time, with %s",
    async (overlap) => {
      await using api = await open();
      const [first, second] = await dueRuns(api, overlap);
      await propose(api, first, "PENDING");
      const soon = new Date(Date.parse(api.ctx.clock.now()) + 3_600_000).toISOString();
      const state = { type: "SCHEDULED", state_details: { scheduled_time: soon } };
      await api.post(`/flow_runs/${second}/set_state`, { state, force: true });
      const waiting = await propose(api, second, "PENDING");
      expect(waiting).toMatchObject({ status: "WAIT" });
      expect(
        (waiting as { details: { delay_seconds: number } }).details.delay_seconds,
      ).toBeGreaterThan(60);
      expect(await cancelOverlapped(api.ctx, signal)).toBe(0);
      await propose(api, first, "COMPLETED");
      expect(await propose(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
    },
  );

  test("are found from the few that wait or are under way", async () => {
    await using api = await open();
    const [underWay, toBeContinued] = await plansOf(api, (ctx) => cancelOverlapped(ctx, signal));
    expect(underWay).toContain("flow_runs_under_way_by_schedule");
    expect(toBeContinued).toContain("flow_runs_awaiting_slot");
    for (const plan of [underWay, toBeContinued])
      expect(plan).not.toMatch(/flow_runs_by_schedule|SCAN flow_runs|Seq Scan on flow_runs/);
  });

  test("that go first are found from the few that wait", async () => {
    await using api = await open();
    const ask = (ctx: TestApi["ctx"]) =>
      readRunsInFront(ctx.db.in(workspaceId), {
        schedule_id: UNKNOWN_ID,
        deployment_id: UNKNOWN_ID,
        run_id: UNKNOWN_ID,
        ...overlapSpanAt(ctx.clock.now()),
      });
    const [plan] = await plansOf(api, ask);
    expect(plan).toMatch(/flow_runs_(awaiting_slot|waiting_for_deployment)/);
  });

  test("are claimed one at a time when two are claimed at once", async () => {
    await using api = await open();
    const [first, second] = await dueRuns(api, "skip");
    const answers = await Promise.all([first, second].map((id) => propose(api, id, "PENDING")));
    const statuses = answers.map((answer) => (answer as { status: string }).status).sort();
    expect(statuses).toEqual(["ACCEPT", "REJECT"]);
  });
});
