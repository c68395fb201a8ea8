import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { addFlowRun } from "../../testing/run-fixtures.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import type { TestEvent } from "../../testing/test-api.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { executeActions } from "../automations/actions.service.ts";
import { createTriggerPass } from "../automations/triggers/triggers.loop.ts";
import { createSlaPass } from "./slas.loop.ts";

type Body = Readonly<Record<string, unknown>>;
const FOREVER = new AbortController().signal;
const START = "2026-11-14T09:00:00.000000Z";

interface Scene extends AsyncDisposable {
  readonly api: TestApi;
  readonly clock: ManualClock;
  readonly deployment: string;
  /** Lets time go by and looks at it once, as a server does that has just started. */
  readonly pass: (seconds?: number) => Promise<void>;
  readonly sla: (given: Body) => Promise<string>;
  /** What was told about SLAs, without their own changes. */
  readonly told: () => Promise<TestEvent[]>;
}

const verbs = async ({ told }: Scene) =>
  (await told()).map(({ event }) => event.replace("orchestrator.sla.", ""));

const runOf = async ({ api, deployment }: Scene): Promise<string> => {
  const [id = ""] = await createRunsOf(api, deployment);
  return id;
};

describeEachApi("an SLA", (open) => {
  async function scene(): Promise<Scene> {
    const clock = manualClock(START);
    const api = await open({ clock });
    const deployment = await createTestDeployment(api, {});
    return {
      api,
      clock,
      deployment,
      async pass(seconds = 0) {
        clock.advanceMs(seconds * 1000);
        await createSlaPass(api.ctx)(FOREVER);
      },
      async sla(given) {
        const answer = await api.post(`/deployments/${deployment}/slas`, { name: "it", ...given });
        expect(answer).toMatchObject({ status: 201 });
        return (answer.body as { id: string }).id;
      },
      async told() {
        const events = await api.events();
        return events.filter(({ event }) => /\.sla\.(violated|restored)$/.test(event));
      },
      [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
    };
  }

  test("of duration is violated once by a run that takes too long, and restored by its end", async () => {
    await using s = await scene();
    const id = await s.sla({ duration: 60, severity: "critical" });
    const run = await runOf(s);
    s.clock.advanceMs(1000);
    await proposeFlow(s.api, run, "RUNNING");
    await s.pass();
    await s.pass(59);
    expect(await s.told()).toEqual([]);
    await s.pass(5);
    await s.pass(60);
    const violated = "2026-11-14T09:01:01.000000Z";
    expect(await s.told()).toMatchObject([
      {
        event: "orchestrator.sla.violated",
        occurred: violated,
        received: "2026-11-14T09:01:05.000000Z",
        resource: {
          "orchestrator.resource.id": `orchestrator.sla.${id}`,
          "orchestrator.sla.kind": "duration",
          "orchestrator.sla.severity": "critical",
        },
        related: [
          {
            "orchestrator.resource.id": `orchestrator.flow-run.${run}`,
            "orchestrator.resource.role": "flow-run",
          },
          { "orchestrator.resource.id": `orchestrator.deployment.${s.deployment}` },
          { "orchestrator.resource.role": "flow", "orchestrator.resource.name": "etl" },
          {
            "orchestrator.resource.id": "orchestrator.service.slas",
            "orchestrator.resource.role": "actor",
            "orchestrator.service.role": "runner",
          },
        ],
        payload: {
          kind: "duration",
          seconds: 60,
          severity: "critical",
          flow_run_id: run,
          since: "2026-11-14T09:00:01.000000Z",
        },
      },
    ]);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({
      status: "VIOLATED",
      open_violations: 1,
      violations: 1,
      last_violated: violated,
      last_violated_flow_run_id: run,
      last_restored: null,
    });
    await proposeFlow(s.api, run, "COMPLETED");
    await s.pass(1);
    await s.pass(100);
    expect(await verbs(s)).toEqual(["violated", "restored"]);
    const [first, second] = (await s.told()) as (TestEvent & { id: string })[];
    expect(second).toMatchObject({ follows: first?.id, payload: { flow_run_id: run, violated } });
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({
      status: "OK",
      open_violations: 0,
      last_restored: "2026-11-14T09:02:05.000000Z",
    });
  });

  test("of duration is kept by a run that ends in time, also if nobody looked meanwhile", async () => {
    await using s = await scene();
    await s.sla({ duration: 60 });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    s.clock.advanceMs(60_000);
    await proposeFlow(s.api, run, "FAILED");
    await s.pass(100);
    await s.pass(100);
    expect(await s.told()).toEqual([]);
  });

  test("of duration tells of a run that ended too late before anybody looked", async () => {
    await using s = await scene();
    await s.sla({ duration: 60 });
    const run = await runOf(s);
    await s.pass();
    await proposeFlow(s.api, run, "RUNNING");
    s.clock.advanceMs(61_000);
    await proposeFlow(s.api, run, "COMPLETED");
    await s.pass();
    await s.pass(100);
    expect(await verbs(s)).toEqual(["violated", "restored"]);
  });

  test("is told of once, however many look at the same time", async () => {
    await using s = await scene();
    await s.sla({ duration: 60 });
    await s.sla({ name: "late", within: 30 });
    await s.sla({ name: "stale", stale_after: 90 });
    const runs = await createRunsOf(s.api, s.deployment, { count: 5 });
    for (const run of runs) await proposeFlow(s.api, run, "RUNNING");
    await createRunsOf(s.api, s.deployment, { count: 3 });
    s.clock.advanceMs(200_000);
    const passes = [1, 2, 3].map(() => createSlaPass(s.api.ctx));
    await Promise.all(passes.map((pass) => pass(FOREVER)));
    for (const run of runs) await proposeFlow(s.api, run, "COMPLETED");
    await Promise.all(passes.map((pass) => pass(FOREVER)));
    await s.pass();
    const counts = new Map<string, number>();
    for (const { event, payload } of await s.told()) {
      const name = `${event} ${String(payload["kind"])}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const counted = [...counts].map(([name, count]) => `${name} ${count}`);
    expect(counted.sort()).toEqual([
      "orchestrator.sla.restored duration 5",
      "orchestrator.sla.restored freshness 1",
      "orchestrator.sla.violated duration 5",
      "orchestrator.sla.violated freshness 1",
      "orchestrator.sla.violated lateness 3",
    ]);
  });

  test("covers the runs that are under way when it is created", async () => {
    await using s = await scene();
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await s.pass(50);
    await s.sla({ duration: 60 });
    await s.pass(5);
    expect(await s.told()).toEqual([]);
    await s.pass(6);
    expect(await verbs(s)).toEqual(["violated"]);
  });

  test("covers all of them, however many they are", { timeout: 60_000 }, async () => {
    await using s = await scene();
    const { flow_id } = await readRecord(s.api, `/deployments/${s.deployment}`);
    const count = 530;
    for (let number = 0; number < count; number += 1)
      await addFlowRun(s.api, {
        flow_id: flow_id as string,
        deployment_id: s.deployment,
        state_type: "RUNNING",
        state_timestamp: START,
        run_count: 1,
        start_time: START,
        end_time: null,
      });
    const id = await s.sla({ duration: 60 });
    await s.pass(61);
    for (let look = 0; look < 3; look += 1) await s.pass(1);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({ open_violations: count });
  });

  test("tells nothing of runs that ended before it was created", async () => {
    await using s = await scene();
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    s.clock.advanceMs(500_000);
    await proposeFlow(s.api, run, "COMPLETED");
    s.clock.advanceMs(1000);
    await s.sla({ duration: 60 });
    await s.sla({ name: "late", within: 1 });
    await s.pass();
    expect(await s.told()).toEqual([]);
  });

  test("of duration counts anew when a run that ended is started again", async () => {
    await using s = await scene();
    await s.sla({ duration: 60 });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await proposeFlow(s.api, run, "FAILED");
    await s.pass(10);
    s.clock.advanceMs(3_600_000);
    await proposeFlow(s.api, run, { type: "SCHEDULED", name: "AwaitingRetry" }, { force: true });
    await proposeFlow(s.api, run, "RUNNING", { force: true });
    await s.pass();
    await s.pass(59);
    expect(await s.told()).toEqual([]);
    await s.pass(2);
    expect(await verbs(s)).toEqual(["violated"]);
  });

  test("of lateness is violated by a run of a schedule that nobody has begun", async () => {
    await using s = await scene();
    const { flow_id } = await readRecord(s.api, `/deployments/${s.deployment}`);
    const id = await s.sla({ within: 300 });
    const at = "2026-11-14T09:10:00.000000Z";
    // As the scheduler writes it: in no event.
    const run = await addFlowRun(s.api, {
      flow_id: flow_id as string,
      deployment_id: s.deployment,
      state_type: "SCHEDULED",
      run_count: 0,
      expected_start_time: at,
      next_scheduled_start_time: at,
      start_time: null,
      end_time: null,
    });
    for (let minute = 0; minute < 15; minute += 1) await s.pass(60);
    expect(await verbs(s)).toEqual(["violated"]);
    expect(await s.told()).toMatchObject([
      {
        occurred: "2026-11-14T09:15:00.000000Z",
        payload: { kind: "lateness", seconds: 300, flow_run_id: run.id, since: at },
      },
    ]);
    await proposeFlow(s.api, run.id, "PENDING", { force: true });
    await s.pass(60);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({ status: "VIOLATED" });
    await proposeFlow(s.api, run.id, "RUNNING", { force: true });
    await s.pass();
    expect(await verbs(s)).toEqual(["violated", "restored"]);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({ status: "OK", violations: 1 });
    await proposeFlow(s.api, run.id, "COMPLETED");
    await s.pass(1000);
    expect(await verbs(s)).toEqual(["violated", "restored"]);
  });

  test("of lateness bears a run that is expected at the end of all times", async () => {
    await using s = await scene();
    await s.sla({ within: 300 });
    const scheduled_time = "9999-12-31T23:59:59Z";
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    await createRunsOf(s.api, s.deployment, { state });
    const late = await runOf(s);
    await s.pass();
    await s.pass(301);
    expect(await s.told()).toMatchObject([{ payload: { flow_run_id: late } }]);
  });

  test("of lateness tells of a run that began too late before anybody looked", async () => {
    await using s = await scene();
    await s.sla({ within: 30 });
    const run = await runOf(s);
    s.clock.advanceMs(31_000);
    await proposeFlow(s.api, run, "RUNNING");
    await proposeFlow(s.api, run, "COMPLETED");
    await s.pass();
    await s.pass(100);
    expect(await verbs(s)).toEqual(["violated", "restored"]);
  });

  test("of lateness is kept by runs that begin in time or are cancelled before", async () => {
    await using s = await scene();
    await s.sla({ within: 30 });
    const [begun, cancelled] = await createRunsOf(s.api, s.deployment, { count: 2 });
    await s.pass(20);
    await proposeFlow(s.api, begun, "RUNNING");
    await proposeFlow(s.api, cancelled, "CANCELLED", { force: true });
    await s.pass();
    await s.pass(100);
    expect(await s.told()).toEqual([]);
  });

  test("of freshness is violated when no run completes for too long, once, and restored by the next", async () => {
    await using s = await scene();
    const id = await s.sla({ stale_after: 100 });
    await s.pass(90);
    const failed = await runOf(s);
    await proposeFlow(s.api, failed, "RUNNING");
    await proposeFlow(s.api, failed, "FAILED");
    await s.pass(5);
    expect(await s.told()).toEqual([]);
    await s.pass(10);
    await s.pass(500);
    expect(await s.told()).toMatchObject([
      {
        event: "orchestrator.sla.violated",
        occurred: "2026-11-14T09:01:40.000000Z",
        payload: { kind: "freshness", flow_run_id: null, since: START },
      },
    ]);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({
      status: "VIOLATED",
      open_violations: 1,
      last_violated_flow_run_id: null,
    });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await proposeFlow(s.api, run, "COMPLETED");
    await s.pass();
    expect(await verbs(s)).toEqual(["violated", "restored"]);
    await s.pass(99);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({ status: "OK", violations: 1 });
    await s.pass(2);
    expect(await verbs(s)).toEqual(["violated", "restored", "violated"]);
  });

  test("stops at once when it is disabled or deleted, and begins anew when it is enabled", async () => {
    await using s = await scene();
    const disabled = await s.sla({ duration: 60 });
    const deleted = await s.sla({ name: "gone", duration: 60 });
    const stale = await s.sla({ name: "stale", stale_after: 60 });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await s.pass(59);
    for (const id of [disabled, stale]) await s.api.patch(`/slas/${id}`, { enabled: false });
    await s.api.delete(`/slas/${deleted}`);
    await s.pass(100);
    expect(await s.told()).toEqual([]);
    expect(await readRecord(s.api, `/slas/${disabled}`)).toMatchObject({ status: "DISABLED" });
    for (const id of [disabled, stale]) await s.api.patch(`/slas/${id}`, { enabled: true });
    await s.pass();
    const kinds = async () => (await s.told()).map(({ payload }) => payload["kind"]);
    expect(await kinds()).toEqual(["duration"]);
    await s.pass(61);
    expect(await kinds()).toEqual(["duration", "freshness"]);
  });

  test("with another bound is judged by that", async () => {
    await using s = await scene();
    const id = await s.sla({ duration: 60 });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await s.pass();
    await s.api.patch(`/slas/${id}`, { seconds: 120 });
    await s.pass(119);
    expect(await s.told()).toEqual([]);
    await s.pass(2);
    expect(await verbs(s)).toEqual(["violated"]);
  });

  test("is no longer violated when the run is deleted", async () => {
    await using s = await scene();
    const id = await s.sla({ duration: 60 });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    await s.pass();
    await s.pass(61);
    await s.api.delete(`/flow_runs/${run}`);
    await s.pass(10);
    expect(await readRecord(s.api, `/slas/${id}`)).toMatchObject({ status: "OK", violations: 1 });
  });

  test("lets an automation act: it cancels the run that takes too long", async () => {
    await using s = await scene();
    const trigger = { type: "event", posture: "Reactive", threshold: 1, within: 0 };
    const automation = await s.api.post("/automations/", {
      name: "stop it",
      trigger: {
        ...trigger,
        expect: ["prefect.sla.violated"],
        match: { "prefect.sla.severity": "critical" },
        match_related: { "prefect.resource.id": `prefect.deployment.${s.deployment}` },
      },
      actions: [{ type: "cancel-flow-run" }],
    });
    expect(automation).toMatchObject({ status: 201 });
    await s.sla({ duration: 60, severity: "critical" });
    const run = await runOf(s);
    await proposeFlow(s.api, run, "RUNNING");
    const act = async () => {
      await createTriggerPass(s.api.ctx)(FOREVER);
      await executeActions(s.api.ctx, FOREVER);
    };
    await s.pass();
    await act();
    expect(await readRecord(s.api, `/flow_runs/${run}`)).toMatchObject({ state_type: "RUNNING" });
    await s.pass(61);
    await act();
    expect(await readRecord(s.api, `/flow_runs/${run}`)).toMatchObject({
      state_type: "CANCELLING",
    });
  });
});
