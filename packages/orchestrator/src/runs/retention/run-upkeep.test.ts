import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createRecorderTick } from "../task-run-recorder/task-run-recorder.loop.ts";
import { createCancelChildrenTick } from "./cancel-children.loop.ts";
import { markLateRuns } from "./late-runs.loop.ts";
import { endOverdueRuns as decideOverdue } from "./overdue-runs.loop.ts";
import { deleteEndedRuns } from "./run-retention.loop.ts";

type Body = Record<string, unknown>;
const signal = new AbortController().signal;

async function createRun(api: TestApi, given: Body = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const answer = await api.post("/flow_runs/", { flow_id, ...given });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

/** A run of a deployment, which workers poll for. */
async function createDeployed(api: TestApi, given: Body = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const deployment = await api.post("/deployments/", { name: "prod", flow_id });
  const deployment_id = (deployment.body as { id: string }).id;
  return createRun(api, { deployment_id, state: { type: "SCHEDULED" }, ...given });
}

const read = async (api: TestApi, id: string) => (await api.get(`/flow_runs/${id}`)).body as Body;

const propose = async (api: TestApi, id: string, state: Body) =>
  (await api.post(`/flow_runs/${id}/set_state`, { state })).body as Body;

/** As a server decides that has been there all the time. */
const overdue = (ctx: OrchestratorContext) => decideOverdue(ctx, signal);

/** The same server, so many seconds from now. */
function later({ ctx }: TestApi, seconds: number): OrchestratorContext {
  const nowMicros = () => ctx.clock.nowMicros() + seconds * 1_000_000;
  return { ...ctx, clock: { nowMicros, now: () => formatMicros(nowMicros()) } };
}

describeEachApi("what keeps runs moving", (open) => {
  test("calls a run late once it has waited too long, and keeps the time it was due", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "SCHEDULED" } });
    expect(await markLateRuns(api.ctx, signal)).toBe(0);
    const due = (await read(api, id))["next_scheduled_start_time"];
    expect(await markLateRuns(later(api, 20), signal)).toBe(1);
    expect(await read(api, id)).toMatchObject({
      state_type: "SCHEDULED",
      state_name: "Late",
      next_scheduled_start_time: due,
    });
    expect(await markLateRuns(later(api, 40), signal)).toBe(0);
    expect((await api.events()).map(({ event }) => event)).toContain("orchestrator.flow-run.Late");
  });

  test("offers a claimed run again when its claimant goes silent, and fences that claimant off", async () => {
    await using api = await open();
    const id = await createDeployed(api);
    const claim = await propose(api, id, { type: "PENDING" });
    const claim_id = (claim["state"] as Body)["id"];
    expect(await overdue(later(api, 599))).toBe(0);
    expect(await overdue(later(api, 601))).toBe(1);
    expect(await read(api, id)).toMatchObject({
      state_type: "SCHEDULED",
      state_name: "AwaitingClaim",
    });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ABORT" });
    expect(await propose(api, id, { type: "PENDING" })).toMatchObject({ status: "ACCEPT" });
    const late = { type: "RUNNING", state_details: { claim_id } };
    expect(await propose(api, id, late)).toMatchObject({
      status: "ABORT",
      details: { reason: expect.stringContaining("offered to others") },
    });
    // The loop ran ahead of the clock, so the run is due only then; its new claimant is told to
    // wait, not to stop.
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "WAIT" });
  });

  test("takes a run for crashed that its own process made and never started", async () => {
    await using api = await open();
    const id = await createRun(api);
    expect(await overdue(later(api, 601))).toBe(1);
    expect(await read(api, id)).toMatchObject({ state_type: "CRASHED" });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
  });

  test("takes a run for crashed that nobody polls for any more, because its deployment is gone", async () => {
    await using api = await open();
    const id = await createDeployed(api);
    await propose(api, id, { type: "PENDING" });
    const { deployment_id } = await read(api, id);
    await api.delete(`/deployments/${String(deployment_id)}`);
    expect(await overdue(later(api, 601))).toBe(1);
    expect(await read(api, id)).toMatchObject({ state_type: "CRASHED" });
  });

  test("offers a run again whose process went away while it waited to retry", async () => {
    await using api = await open();
    const id = await createDeployed(api, {
      state: { type: "RUNNING" },
      empirical_policy: { retries: 3, retry_delay: 10 },
    });
    await propose(api, id, { type: "FAILED" });
    expect(await read(api, id)).toMatchObject({ state_name: "AwaitingRetry" });
    expect(await overdue(later(api, 605))).toBe(0);
    expect(await overdue(later(api, 615))).toBe(1);
    expect(await read(api, id)).toMatchObject({
      state_name: "AwaitingClaim",
      empirical_policy: { retry_type: null },
    });
  });

  test.each([
    ["after its end", true, {}],
    ["after its end, by force", true, { force: true }],
    ["while it runs", false, {}],
  ])(
    "leaves a run to whoever starts it when somebody has it tried again %s",
    async (_, hasEnded, how) => {
      await using api = await open();
      const id = await createDeployed(api, {
        state: { type: "RUNNING" },
        empirical_policy: { retries: 3, retry_delay: 10 },
      });
      await propose(api, id, { type: "FAILED" });
      await propose(api, id, { type: "RUNNING" });
      if (hasEnded) await propose(api, id, { type: "CRASHED" });
      const again = { type: "SCHEDULED", name: "AwaitingRetry" };
      await api.post(`/flow_runs/${id}/set_state`, { state: again, ...how });
      expect(await overdue(later(api, 100_000))).toBe(0);
      expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    },
  );

  test("cancels a run whose deployment is gone when somebody claims it", async () => {
    await using api = await open();
    const id = await createDeployed(api);
    await propose(api, id, { type: "PENDING" });
    await propose(api, id, { type: "RUNNING" });
    const { deployment_id } = await read(api, id);
    await api.delete(`/deployments/${String(deployment_id)}`);
    await api.post(`/flow_runs/${id}/set_state`, { state: { type: "SCHEDULED" }, force: true });
    expect(await propose(api, id, { type: "PENDING" })).toMatchObject({
      status: "REJECT",
      state: { type: "CANCELLED" },
    });
  });

  test("gives back the slots of task runs that went with their flow run", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    const id = await createRun(api, { state: { type: "RUNNING" } });
    const task = { flow_run_id: id, task_key: "t", dynamic_key: "0", tags: ["db"] };
    const made = await api.post("/task_runs/", task);
    const { id: taskId } = made.body as { id: string };
    await api.post(`/task_runs/${taskId}/set_state`, { state: { type: "RUNNING" } });
    await propose(api, id, { type: "CRASHED" });
    expect(await api.get("/concurrency_limits/tag/db")).toMatchObject({
      body: { active_slots: [taskId] },
    });
    await createCancelChildrenTick(later(api, 301))(signal);
    expect(await api.get("/concurrency_limits/tag/db")).toMatchObject({
      body: { active_slots: [] },
    });
  });

  test("gives back the slots that a task run without a flow run took after it had ended", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    const task = { task_key: "t", dynamic_key: "0", state: { type: "COMPLETED" } };
    const { id } = (await api.post("/task_runs/", task)).body as { id: string };
    await api.post("/concurrency_limits/increment", { names: ["db"], task_run_id: id });
    const slots = async () => (await api.get("/concurrency_limits/tag/db")).body;
    expect(await slots()).toMatchObject({ active_slots: [id] });
    await createCancelChildrenTick(later(api, 301))(signal);
    expect(await slots()).toMatchObject({ active_slots: [] });
  });

  test("gives a claimant that says how far it is more time", async () => {
    await using api = await open();
    const id = await createDeployed(api);
    await propose(api, id, { type: "PENDING" });
    expect(await propose(api, id, { type: "PENDING" })).toMatchObject({ status: "ABORT" });
    expect(await propose(api, id, { type: "PENDING", name: "Submitting" })).toMatchObject({
      status: "ACCEPT",
      state: { name: "Submitting" },
    });
    expect(await propose(api, id, { type: "RUNNING" })).toMatchObject({ status: "ACCEPT" });
    expect(await overdue(later(api, 10_000))).toBe(0);
  });

  test("takes a run for crashed that stopped its heartbeats", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "RUNNING" } });
    const now = api.ctx.clock.now();
    const prefix = "orchestrator";
    await api.post("/events", [
      {
        id: "11111111-2222-4333-8444-555555555555",
        occurred: now,
        event: `${prefix}.flow-run.heartbeat`,
        resource: { [`${prefix}.resource.id`]: `${prefix}.flow-run.${id}` },
      },
    ]);
    await createRecorderTick(api.ctx)(signal);
    expect(await overdue(later(api, 500))).toBe(0);
    expect(await overdue(later(api, 600))).toBe(1);
    expect(await read(api, id)).toMatchObject({ state_type: "CRASHED" });
  });

  test("fails a run that was paused and not resumed in time", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "RUNNING" } });
    const pause_timeout = formatMicros(parseMicros(api.ctx.clock.now()) + 60_000_000);
    await propose(api, id, { type: "PAUSED", state_details: { pause_timeout } });
    expect(await overdue(later(api, 59))).toBe(0);
    expect(await overdue(later(api, 61))).toBe(1);
    expect(await read(api, id)).toMatchObject({ state_type: "FAILED" });
  });

  test("cancels within half a minute what nobody confirms to have stopped", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "RUNNING" } });
    await propose(api, id, { type: "CANCELLING" });
    expect(await overdue(later(api, 27))).toBe(1);
    expect(await read(api, id)).toMatchObject({ state_type: "CANCELLED" });
  });

  test("leaves alone what has moved on meanwhile", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "RUNNING" } });
    await propose(api, id, { type: "CANCELLING" });
    await propose(api, id, { type: "CANCELLED" });
    expect(await overdue(later(api, 100))).toBe(0);
  });

  test("cancels the task runs and the runs inside a run that was cancelled", async () => {
    await using api = await open();
    const id = await createRun(api, { state: { type: "RUNNING" } });
    const task = { flow_run_id: id, task_key: "t", state: { type: "RUNNING" } };
    const plain = await api.post("/task_runs/", { ...task, dynamic_key: "0" });
    const dummy = await api.post("/task_runs/", { ...task, dynamic_key: "1" });
    const parent_task_run_id = (dummy.body as { id: string }).id;
    const child = await createRun(api, { parent_task_run_id, state: { type: "RUNNING" } });
    await propose(api, id, { type: "CANCELLING" });
    await propose(api, id, { type: "CANCELLED" });
    const cancelChildren = createCancelChildrenTick(api.ctx);
    // What stands for the child is cancelled with it.
    expect(await cancelChildren(signal)).toBe(2);
    expect(await read(api, child)).toMatchObject({ state_type: "CANCELLED" });
    const { id: taskId } = plain.body as { id: string };
    for (const each of [taskId, parent_task_run_id]) {
      expect(await api.get(`/task_runs/${each}`)).toMatchObject({
        body: { state_type: "CANCELLED" },
      });
    }
    expect(await cancelChildren(signal)).toBe(0);
  });

  test("deletes the runs inside a run after it, and leaves alone what was started again", async () => {
    await using api = await open({ settings: { runRetention: 3_600_000 } });
    const parent = await createRun(api, { state: { type: "COMPLETED" } });
    const task = { flow_run_id: parent, task_key: "t", dynamic_key: "0" };
    const made = await api.post("/task_runs/", task);
    const parent_task_run_id = (made.body as { id: string }).id;
    const child = await createRun(api, { parent_task_run_id, state: { type: "COMPLETED" } });
    expect(await deleteEndedRuns(later(api, 3700), signal)).toBe(1);
    expect(await deleteEndedRuns(later(api, 3700), signal)).toBe(1);
    expect(await api.get(`/flow_runs/${child}`)).toMatchObject({ status: 404 });
  });

  test("deletes runs that ended long ago only where that is wanted", async () => {
    await using api = await open({ settings: { runRetention: 3_600_000 } });
    const old = await createRun(api, { state: { type: "COMPLETED" } });
    const running = await createRun(api, { state: { type: "RUNNING" } });
    expect(await deleteEndedRuns(later(api, 3500), signal)).toBe(0);
    expect(await deleteEndedRuns(later(api, 3700), signal)).toBe(1);
    expect(await api.get(`/flow_runs/${old}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/flow_runs/${running}`)).toMatchObject({ status: 200 });
    const forever = { ...later(api, 1e6), settings: { ...api.ctx.settings, runRetention: null } };
    expect(await deleteEndedRuns(forever, signal)).toBe(0);
  });
});
