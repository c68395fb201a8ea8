import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { deleteFlow } from "../../flows/flows.service.ts";
import { executeActions } from "../../reacting/automations/actions.service.ts";
import { createTriggerPass } from "../../reacting/automations/triggers/triggers.loop.ts";
import { anAutomation, expireLeases, happen } from "../../testing/deliveries.ts";
import { addOverdue, countTableRows, fillTable, refuseDeletes } from "../../testing/many-rows.ts";
import { plansOf } from "../../testing/plans.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  createTestTaskRun,
  proposeFlow,
  proposeTask,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { deleteEndedRuns } from "../retention/run-retention.loop.ts";

const WORKSPACE = openScope("test").workspaceId;
const EARLY = "2020-01-01T00:00:00.000000Z";
const UNKNOWN = "00000009-0000-4000-8000-000000000000";
const signal = new AbortController().signal;

const addLogs = (api: TestApi, run: string, count: number) =>
  fillTable(
    api,
    count,
    ({ id, numbers }) => `
      insert into logs (id, workspace_id, created, name, level, message, timestamp, flow_run_id)
      select ${id(1, "n")}, '${WORKSPACE}', '', 'x', 20, 'x', '${EARLY}', '${run}' from ${numbers}`,
  );

/** Task runs, with three states each. */
async function addTasks(api: TestApi, run: string, count: number): Promise<void> {
  await fillTable(
    api,
    count,
    ({ id, numbers }) => `
      insert into task_runs (id, workspace_id, created, updated, name, flow_run_id, task_key, dynamic_key,
        empirical_policy, tags, labels, task_inputs, run_count, flow_run_run_count, total_run_time)
      select ${id(2, "n")}, '${WORKSPACE}', '', '', 'x', '${run}', 'x', cast(n as text), '{}', '["a"]', '{}', '{}', 1, 1, 0
      from ${numbers}`,
  );
  await fillTable(
    api,
    count * 3,
    ({ id, numbers }) => `
      insert into task_run_states (id, workspace_id, task_run_id, timestamp, type, name, state)
      select ${id(3, "n")}, '${WORKSPACE}', ${id(2, `(n % ${count} + 1)`)}, '${EARLY}', 'RUNNING', 'Running', '{}'
      from ${numbers}`,
  );
}

const addResults = (api: TestApi, run: string, count: number) =>
  fillTable(
    api,
    count,
    ({ numbers }) => `
      insert into journal_entries (workspace_id, created, flow_run_id, key, finished, value)
      select '${WORKSPACE}', '${EARLY}', '${run}', cast(n as text), '${EARLY}', '' from ${numbers}`,
  );

const addWaits = (api: TestApi, run: string, count: number) =>
  fillTable(
    api,
    count,
    ({ numbers }) => `
      insert into flow_run_waits (workspace_id, created, flow_run_id, key, expires, attempt, pattern, after_position, anchor)
      select '${WORKSPACE}', '${EARLY}', '${run}', cast(n as text), '${EARLY}', 1, '{}', 0, '' from ${numbers}`,
  );

const BELOW = [
  "logs",
  "task_runs",
  "task_run_states",
  "flow_run_states",
  "flow_run_inputs",
  "journal_entries",
  "flow_run_waits",
];
const countBelow = (api: TestApi) => Promise.all(BELOW.map((table) => countTableRows(api, table)));

const statusOfDelete = async (api: TestApi, path: string) => (await api.delete(path)).status;

async function deletedEvents(api: TestApi): Promise<number> {
  return (await api.events()).filter(({ event }) => event.endsWith(".deleted")).length;
}

describeEachApi("deleting what has very much below it", (open) => {
  test("takes a run away last, so that one that breaks off can be done again", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    await addLogs(api, id, 2500);
    await addTasks(api, id, 450);
    await api.post(`/flow_runs/${id}/input`, { key: "k", value: "v" });
    await addResults(api, id, 1200);
    await addWaits(api, id, 1200);
    const allow = await refuseDeletes(api, "flow_runs");
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(500);
    expect(await api.get(`/flow_runs/${id}`)).toMatchObject({ status: 200 });
    const left = (await countBelow(api)).reduce((sum, count) => sum + count, 0);
    expect(left).toBeLessThanOrEqual(1000);
    await allow();
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
    expect(await countBelow(api)).toEqual(BELOW.map(() => 0));
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(404);
  });

  test("is one change where it is little", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    await addLogs(api, id, 300);
    await addTasks(api, id, 100);
    const before = await countBelow(api);
    const allow = await refuseDeletes(api, "flow_runs");
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(500);
    expect(await countBelow(api)).toEqual(before);
    await allow();
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
    expect(await countBelow(api)).toEqual(BELOW.map(() => 0));
  });

  test("frees the slot that a run holds with the run itself", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id = ""] = await createRunsOf(api, deployment);
    await proposeFlow(api, id, "PENDING");
    await addLogs(api, id, 1500);
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
    expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({
      global_concurrency_limit: { active_slots: 0 },
    });
  });

  test.each(["PENDING", "RUNNING", "CANCELLING", "PAUSED", "SCHEDULED", "COMPLETED"])(
    "gives back the slot that a client took without a lease for a run that is %s",
    async (type) => {
      await using api = await open({ dialect: "prefect" });
      const deployment_id = await createTestDeployment(api, { concurrency_limit: 2 });
      const { flow_id } = (await readRecord(api, `/deployments/${deployment_id}`)) as {
        flow_id: string;
      };
      const made = await api.post("/flow_runs/", { flow_id, deployment_id, state: { type } });
      const slots = { names: [`deployment:${deployment_id}`], slots: 1 };
      expect((await api.post("/v2/concurrency_limits/increment", slots)).status).toBe(200);
      const { id } = made.body as { id: string };
      expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
      const isUnderWay = ["PENDING", "RUNNING", "CANCELLING"].includes(type);
      expect(await readRecord(api, `/deployments/${deployment_id}`)).toMatchObject({
        global_concurrency_limit: { active_slots: isUnderWay ? 0 : 1 },
      });
    },
  );

  test("gives back no slot beside the one that the run has leased", async () => {
    await using api = await open({ dialect: "prefect" });
    const deployment = await createTestDeployment(api, { concurrency_limit: 3 });
    const slots = { names: [`deployment:${deployment}`], slots: 1 };
    await api.post("/v2/concurrency_limits/increment", slots);
    const [id = ""] = await createRunsOf(api, deployment);
    await proposeFlow(api, id, "PENDING");
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
    expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({
      global_concurrency_limit: { active_slots: 1 },
    });
  });

  test.each([1, 450])(
    "frees the slots of its task runs, of which there are %i more",
    async (more) => {
      await using api = await open();
      await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 2 });
      const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
      const task = await createTestTaskRun(api, { flow_run_id: id, tags: ["db"] });
      expect(await proposeTask(api, task, "RUNNING")).toMatchObject({ status: "ACCEPT" });
      const other = await createTestFlowRun(api, { state: { type: "RUNNING" } });
      const kept = await createTestTaskRun(api, { flow_run_id: other, tags: ["db"] });
      expect(await proposeTask(api, kept, "RUNNING")).toMatchObject({ status: "ACCEPT" });
      await addTasks(api, id, more);
      expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
      expect(await readRecord(api, "/concurrency_limits/tag/db")).toMatchObject({
        active_slots: [kept],
      });
    },
  );

  test("takes results along, and leaves what has a key of its own", async () => {
    await using api = await open();
    const data = { value: 1 };
    const id = await createTestFlowRun(api, { state: { type: "COMPLETED", data } });
    const other = await createTestFlowRun(api, { state: { type: "COMPLETED", data } });
    for (const key of ["report", null]) await api.post("/artifacts/", { key, flow_run_id: id });
    await fillTable(
      api,
      1500,
      ({ id: idOf, numbers }) => `
        insert into artifacts (id, workspace_id, created, updated, flow_run_id)
        select ${idOf(5, "n")}, '${WORKSPACE}', '', '', '${id}' from ${numbers}`,
    );
    expect(await statusOfDelete(api, `/flow_runs/${id}`)).toBe(204);
    const left = (await api.post("/artifacts/filter", { sort: "ID_DESC" })).body;
    expect(left).toMatchObject([{ key: "report" }, { flow_run_id: other, data }]);
  });

  test("takes all logs of a run along that was claimed and not begun", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const [id = ""] = await createRunsOf(api, deployment);
    await addLogs(api, id, 1500);
    expect(await statusOfDelete(api, `/deployments/${deployment}`)).toBe(204);
    expect([await countTableRows(api, "flow_runs"), await countTableRows(api, "logs")]).toEqual([
      0, 0,
    ]);
  });

  test("goes in pieces also where an automation asks for it", async () => {
    await using api = await open();
    const trigger = {
      type: "event",
      expect: ["orchestrator.flow-run.Completed"],
      posture: "Reactive",
      threshold: 1,
      within: 0,
    };
    const actions = [{ type: "delete-flow-run" }];
    await api.post("/automations/", { name: "tidy", trigger, actions });
    const id = await createTestFlowRun(api, { state: { type: "COMPLETED" } });
    await addLogs(api, id, 2500);
    await createTriggerPass(api.ctx)(signal);
    const allow = await refuseDeletes(api, "flow_runs");
    await executeActions(api.ctx, signal);
    expect(await api.get(`/flow_runs/${id}`)).toMatchObject({ status: 200 });
    expect(await countTableRows(api, "logs")).toBeLessThanOrEqual(1000);
    await allow();
    await expireLeases(api);
    await executeActions(api.ctx, signal);
    expect([await countTableRows(api, "flow_runs"), await countTableRows(api, "logs")]).toEqual([
      0, 0,
    ]);
  });

  test("takes nothing from a run that is not known", async () => {
    await using api = await open();
    await addLogs(api, UNKNOWN, 1500);
    expect(await statusOfDelete(api, `/flow_runs/${UNKNOWN}`)).toBe(404);
    expect(await countTableRows(api, "logs")).toBe(1500);
  });

  test("goes through many runs at a time", async () => {
    await using api = await open();
    const ids = [await createTestFlowRun(api), await createTestFlowRun(api)];
    await addLogs(api, ids[0] ?? "", 1500);
    const filter = { flow_runs: { id: { any_: ids } } };
    const { body } = await api.post("/flow_runs/bulk_delete", filter);
    expect(new Set((body as { deleted: string[] }).deleted)).toEqual(new Set(ids));
    expect(await countTableRows(api, "logs")).toBe(0);
  });

  test("takes a flow away last, with its event, after all of its runs", async () => {
    await using api = await open();
    const run = await createTestFlowRun(api);
    const { flow_id: flow } = await readRecord(api, `/flow_runs/${run}`);
    await addOverdue(api, run, 450);
    await addLogs(api, run, 1500);
    const allow = await refuseDeletes(api, "flows");
    expect(await statusOfDelete(api, `/flows/${String(flow)}`)).toBe(500);
    expect(await api.get(`/flows/${String(flow)}`)).toMatchObject({ status: 200 });
    expect(await countTableRows(api, "flow_runs")).toBeLessThanOrEqual(200);
    expect(await deletedEvents(api)).toBe(0);
    await allow();
    expect(await statusOfDelete(api, `/flows/${String(flow)}`)).toBe(204);
    expect([await countTableRows(api, "flow_runs"), ...(await countBelow(api))]).toEqual([
      0,
      ...BELOW.map(() => 0),
    ]);
    expect(await deletedEvents(api)).toBe(1);
  });

  test("takes a deployment away last, after the runs that nobody has begun", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const [run = ""] = await createRunsOf(api, deployment);
    await addOverdue(api, run, 450);
    await proposeFlow(api, run, "RUNNING");
    const allow = await refuseDeletes(api, "deployments");
    expect(await statusOfDelete(api, `/deployments/${deployment}`)).toBe(500);
    expect(await countTableRows(api, "flow_runs")).toBeLessThanOrEqual(201);
    expect(await deletedEvents(api)).toBe(0);
    await allow();
    expect(await statusOfDelete(api, `/deployments/${deployment}`)).toBe(204);
    expect(await countTableRows(api, "flow_runs")).toBe(1);
    expect(await deletedEvents(api)).toBe(1);
  });

  test("takes a schedule away after its overdue runs", async () => {
    await using api = await open();
    const schedules = [{ schedule: { cron: "0 0 1 1 *" } }];
    const deployment = await createTestDeployment(api, { schedules });
    const [run = ""] = await createRunsOf(api, deployment);
    const [schedule] = (await api.get(`/deployments/${deployment}/schedules`)).body as {
      id: string;
    }[];
    const path = `/deployments/${deployment}/schedules/${schedule?.id}`;
    await addOverdue(api, run, 450);
    await api.ctx.db.exclusively((session) =>
      session.execute(`update flow_runs set created_by_id = '${schedule?.id}' where run_count = 0`),
    );
    const allow = await refuseDeletes(api, "deployment_schedules");
    expect(await statusOfDelete(api, path)).toBe(500);
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBeLessThanOrEqual(200);
    await allow();
    expect(await statusOfDelete(api, path)).toBe(204);
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBe(0);
  });

  test("deletes overdue runs in pieces where an automation pauses the deployment", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const [run = ""] = await createRunsOf(api, deployment_id);
    await addOverdue(api, run, 450);
    await anAutomation(api, { type: "pause-deployment", deployment_id });
    const allow = await refuseDeletes(api, "flow_runs", "old.name = 'copy 450'");
    await happen(api);
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBe(50);
    await allow();
    await expireLeases(api);
    await executeActions(api.ctx, signal);
    expect(await readRecord(api, `/deployments/${deployment_id}`)).toMatchObject({ paused: true });
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBe(0);
  });

  test("pauses a deployment first and then deletes its overdue runs, the oldest first", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const [run = ""] = await createRunsOf(api, deployment);
    await addOverdue(api, run, 450);
    const path = `/deployments/${deployment}/pause_deployment`;
    const allow = await refuseDeletes(api, "flow_runs", "old.name = 'copy 450'");
    expect((await api.post(path)).status).toBe(500);
    expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({ paused: true });
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBe(50);
    await allow();
    expect((await api.post(path)).status).toBe(200);
    expect(await countTableRows(api, "flow_runs", "name like 'copy%'")).toBe(0);
    const updates = (await api.events()).filter(({ event }) =>
      event.endsWith("deployment.updated"),
    );
    expect(updates).toHaveLength(1);
  });

  test("is the same where runs are not kept any longer", async () => {
    await using api = await open({ settings: { runRetention: 60_000 } });
    const id = await createTestFlowRun(api, { state: { type: "COMPLETED" } });
    await addLogs(api, id, 2500);
    await api.ctx.db.exclusively((session) =>
      session.execute(`update flow_runs set end_time = '${EARLY}'`),
    );
    const allow = await refuseDeletes(api, "flow_runs");
    expect(await deleteEndedRuns(api.ctx, signal)).toBe(0);
    expect(await countTableRows(api, "logs")).toBeLessThanOrEqual(1000);
    await allow();
    expect(await deleteEndedRuns(api.ctx, signal)).toBe(1);
    expect(await countTableRows(api, "logs")).toBe(0);
  });

  test.each([1, 450])(
    "leaves subflows without a parent, where it has %i more task runs",
    async (more) => {
      await using api = await open();
      const run = await createTestFlowRun(api);
      const parent_task_run_id = await createTestTaskRun(api, { flow_run_id: run });
      const child = await createTestFlowRun(api, { parent_task_run_id });
      const other = await createTestTaskRun(api, { flow_run_id: await createTestFlowRun(api) });
      const kept = await createTestFlowRun(api, { parent_task_run_id: other });
      await addTasks(api, run, more);
      const { updated } = await readRecord(api, `/flow_runs/${child}`);
      expect(await statusOfDelete(api, `/flow_runs/${run}`)).toBe(204);
      const left = { parent_task_run_id: null, updated };
      expect(await readRecord(api, `/flow_runs/${child}`)).toMatchObject(left);
      const whole = { id: { any_: [child, kept] }, parent_task_run_id: { is_null_: true } };
      const { body } = await api.post("/flow_runs/filter", { flow_runs: whole });
      expect(body).toMatchObject([{ id: child }]);
    },
  );

  test("leaves them without one in pieces, also where the task run itself is deleted", async () => {
    await using api = await open();
    const task = await createTestTaskRun(api, { flow_run_id: await createTestFlowRun(api) });
    const child = await createTestFlowRun(api, { parent_task_run_id: task });
    await addOverdue(api, child, 1200);
    await api.ctx.db.exclusively((session) =>
      session.execute(
        `update flow_runs set parent_task_run_id = '${task}' where name like 'copy%'`,
      ),
    );
    const allow = await refuseDeletes(api, "task_runs");
    expect(await statusOfDelete(api, `/task_runs/${task}`)).toBe(500);
    expect(await countTableRows(api, "flow_runs", "parent_task_run_id is not null")).toBe(201);
    await allow();
    expect(await statusOfDelete(api, `/task_runs/${task}`)).toBe(204);
    expect(await countTableRows(api, "flow_runs", "parent_task_run_id is not null")).toBe(0);
  });

  test("finds all of it by indexes", async () => {
    await using api = await open();
    const run = await createTestFlowRun(api);
    const { flow_id: flow } = await readRecord(api, `/flow_runs/${run}`);
    await addOverdue(api, run, 450);
    await addLogs(api, run, 1500);
    await addTasks(api, run, 450);
    await createTestFlowRun(api, { parent_task_run_id: "00000002-0000-4000-8000-000000000001" });
    await proposeFlow(api, run, { type: "COMPLETED", data: { value: 1 } });
    const plans = await plansOf(api, (ctx) => deleteFlow(ctx, openScope("test"), String(flow)));
    const whole =
      /SCAN (item|run|task|child|lease|logs|artifacts|flow\w*|task_run\w*)\b(?! USING)|Seq Scan/u;
    for (const plan of plans) expect(plan).not.toMatch(whole);
    expect(plans.length).toBeGreaterThan(20);
  });
});
