import { followLog } from "@orchestrator/kernel/events";
import { formatMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { expireLeases } from "../../testing/deliveries.ts";
import {
  createTestDeployment,
  createTestFlowRun,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import type { OpenTestApi, TestApi, TestEvent } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { executeActions } from "./actions.service.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const EVENT = { type: "event", expect: ["x.*"], posture: "Reactive", threshold: 1, within: 0 };
const PAST = "2026-11-14T09:00:00.000000Z";

async function create(api: TestApi, given: Body): Promise<string> {
  const body = { name: "watch", trigger: EVENT, actions: [{ type: "do-nothing" }], ...given };
  const answer = await api.post("/automations/", body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

let sent = 0;
function eventOf(api: TestApi, given: Body = {}): Body & { readonly id: string } {
  sent += 1;
  return {
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event: "x.happened",
    resource: { "prefect.resource.id": `thing.${sent}` },
    ...given,
  };
}

async function send(api: TestApi, ...events: readonly Body[]): Promise<void> {
  const answer = await api.post("/events", JSON.stringify(events));
  expect(answer.status).toBe(204);
}

/**
 * The events about automations so far; events sent twice leave gaps in the log, which are read
 * past.
 */
async function named(api: TestApi, end: string): Promise<TestEvent[]> {
  const follower = followLog(api.ctx.db);
  const found: TestEvent[] = [];
  for (let after = 0; ; ) {
    const events = await follower.next(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return found;
    after = last.position;
    for (const { event, body } of events)
      if (event.endsWith(`.automation.${end}`)) found.push(JSON.parse(body) as TestEvent);
  }
}

function inAMinute({ ctx: { clock } }: TestApi): TestApi["ctx"]["clock"] {
  const nowMicros = (): number => clock.nowMicros() + 60_000_000;
  return { nowMicros, now: () => formatMicros(nowMicros()) };
}

/** One pass of everything, as the loops make it. */
async function settle(api: TestApi): Promise<void> {
  await createTriggerPass(api.ctx)(FOREVER);
  await executeActions(api.ctx, FOREVER);
}

describeEachApi("an automation", (open: OpenTestApi) => {
  test("cancels the run that its event is about", async () => {
    await using api = await open();
    await create(api, {
      trigger: { ...EVENT, expect: ["prefect.flow-run.Running"] },
      actions: [{ type: "cancel-flow-run" }],
    });
    const run = await createTestFlowRun(api);
    await proposeFlow(api, run, "RUNNING");
    await settle(api);
    expect(await readRecord(api, `/flow_runs/${run}`)).toMatchObject({ state_type: "CANCELLING" });
    expect(await named(api, "action.executed")).toMatchObject([
      {
        payload: {
          action_index: 0,
          action_type: "cancel-flow-run",
          invocation: expect.any(String),
        },
        resource: {
          "orchestrator.posture": "Reactive",
          "orchestrator.trigger-type": "event",
        },
        related: [
          {
            "orchestrator.resource.id": `orchestrator.flow-run.${run}`,
            "orchestrator.resource.role": "target",
          },
          { "orchestrator.resource.role": "automation-triggered-event" },
          { "orchestrator.resource.role": "triggering-event" },
          {
            "orchestrator.resource.id": "orchestrator.service.automations",
            "orchestrator.resource.role": "actor",
          },
        ],
      },
    ]);
  });

  test("runs a deployment once for a failed run, however many look at it at once", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {
      parameters: { mode: "usual" },
      enforce_parameter_schema: false,
    });
    const automation = await create(api, {
      name: "again",
      trigger: { ...EVENT, expect: ["orchestrator.flow-run.Failed"] },
      actions: [
        {
          type: "run-deployment",
          deployment_id: deployment,
          parameters: {
            name: "{{ event.resource.name }} of {{ flow.name }}",
            count: "{{ event.payload.intended }}",
            state: "{{ flow_run.state.type }}",
          },
        },
      ],
    });
    const run = await createTestFlowRun(api, { name: "calm-otter" });
    await proposeFlow(api, run, "RUNNING");
    await proposeFlow(api, run, "FAILED");
    const passes = [createTriggerPass(api.ctx), createTriggerPass(api.ctx)];
    await Promise.all(passes.map((pass) => pass(FOREVER)));
    // Whoever evaluated may be gone by now.
    await Promise.all([executeActions(api.ctx, FOREVER), executeActions(api.ctx, FOREVER)]);
    await settle(api);
    // What a busy database has refused is done when the claim on it has ended, and nothing else is
    // done then.
    await executeActions({ ...api.ctx, clock: inAMinute(api) }, FOREVER);
    const runs = await api.post("/flow_runs/filter", {
      flow_runs: { deployment_id: { any_: [deployment] } },
    });
    expect(runs.body).toMatchObject([
      {
        parameters: {
          mode: "usual",
          name: "calm-otter of etl",
          count: { from: "RUNNING", to: "FAILED" },
          state: "FAILED",
        },
        job_variables: null,
        created_by: { id: automation, type: "AUTOMATION", display_value: "again" },
      },
    ]);
    expect(await named(api, "triggered")).toHaveLength(1);
  });

  test("names a queue with its late runs, and a run in the state that its event tells in full", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { enforce_parameter_schema: false });
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const { default_queue_id } = pool.body as { default_queue_id: string };
    await create(api, {
      actions: [
        {
          type: "run-deployment",
          deployment_id: deployment,
          parameters: {
            late: "{{ work_queue.late_runs_count }}",
            healthy: "{{ work_queue.healthy }}",
            state: "{{ flow_run.state.name }}",
          },
        },
      ],
    });
    const run = await createTestFlowRun(api);
    const queue = { "prefect.resource.id": `prefect.work-queue.${default_queue_id}` };
    const related = [{ ...queue, "prefect.resource.role": "work-queue" }];
    const part = {
      "prefect.resource.id": `prefect.flow-run.${run}`,
      "prefect.state-type": "FAILED",
      "prefect.state-name": "Failed",
    };
    const whole = {
      ...part,
      "prefect.state-message": "",
      "prefect.state-timestamp": api.ctx.clock.now(),
    };
    for (const resource of [part, whole]) {
      await send(api, eventOf(api, { resource, related }));
      await settle(api);
    }
    const runs = await api.post("/flow_runs/filter", {
      sort: "EXPECTED_START_TIME_ASC",
      flow_runs: { deployment_id: { any_: [deployment] } },
    });
    const told = { late: 0, healthy: false };
    expect((runs.body as { parameters: unknown }[]).map(({ parameters }) => parameters)).toEqual([
      { ...told, state: "Pending" },
      { ...told, state: "Failed" },
    ]);
  });

  test("does what was left by somebody who died, when their claim has ended", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    await create(api, {});
    await send(api, eventOf(api));
    await createTriggerPass(api.ctx)(FOREVER);
    const dying = { ...api.ctx, db: { ...failing(api) } };
    await executeActions(dying, FOREVER).catch(() => undefined);
    clock.advanceMs(61_000);
    expect(await executeActions(api.ctx, FOREVER)).toBe(0);
    await expireLeases(api);
    expect(await executeActions(api.ctx, FOREVER)).toBe(1);
    expect(await named(api, "action.executed")).toHaveLength(1);
  });

  test("tells why an action failed, and goes on with the next", async () => {
    await using api = await open();
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const { id } = pool.body as { id: string };
    await create(api, {
      actions: [
        { type: "pause-deployment", source: "inferred" },
        { type: "send-notification", block_document_id: id, body: "x" },
        { type: "pause-work-pool", work_pool_id: id },
      ],
    });
    await send(api, eventOf(api));
    await settle(api);
    expect(await named(api, "action.failed")).toMatchObject([
      { payload: { action_index: 0, reason: "The event names no deployment" } },
      { payload: { action_index: 1 } },
    ]);
    expect(await readRecord(api, "/work_pools/pool")).toMatchObject({ is_paused: true });
    const [executed] = await named(api, "action.executed");
    expect(executed?.related).toContainEqual({
      "orchestrator.resource.id": `orchestrator.work-pool.${id}`,
      "orchestrator.resource.name": "pool",
      "orchestrator.resource.role": "target",
    });
  });

  test("tells what the request would be answered that an action is there", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, { enforce_parameter_schema: true });
    const nobody = "01980000-0000-7000-8000-00000000dead";
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const work_pool_id = (pool.body as { id: string }).id;
    const run = await createTestFlowRun(api);
    await create(api, {
      actions: [
        { type: "run-deployment", deployment_id },
        { type: "pause-deployment", deployment_id },
        { type: "pause-work-pool", work_pool_id },
        { type: "change-flow-run-state", state: "COMPLETED" },
        { type: "delete-flow-run" },
        { type: "do-nothing" },
        { type: "resume-deployment", deployment_id: nobody },
        { type: "cancel-flow-run" },
        { type: "pause-work-pool", work_pool_id: nobody },
        { type: "send-notification", block_document_id: nobody, body: "x" },
      ],
    });
    await proposeFlow(api, run, "RUNNING");
    const resource = { "prefect.resource.id": `prefect.flow-run.${run}` };
    await send(api, eventOf(api, { resource }));
    await settle(api);
    const answers = async (end: string): Promise<unknown[]> =>
      (await named(api, end)).map(({ payload }) => [
        (payload as Body)["action_type"],
        (payload as Body)["status_code"],
      ]);
    expect(await answers("action.executed")).toEqual([
      ["run-deployment", 201],
      ["pause-deployment", 200],
      ["pause-work-pool", 204],
      ["change-flow-run-state", 201],
      ["delete-flow-run", 204],
      ["do-nothing", undefined],
    ]);
    expect(await answers("action.failed")).toEqual([
      ["resume-deployment", 404],
      ["cancel-flow-run", 404],
      // Nothing was asked of the pool or of the service that is to be told.
      ["pause-work-pool", undefined],
      ["send-notification", undefined],
    ]);
  });

  test("tells the answer of a request that is refused for what it asks", async () => {
    await using api = await open({ dialect: "prefect" });
    const deployment_id = await createTestDeployment(api, {
      parameter_openapi_schema: { type: "object", properties: { n: { type: "integer" } } },
      enforce_parameter_schema: true,
    });
    await create(api, {
      trigger: { ...EVENT, expect: ["prefect.flow-run.Completed"] },
      actions: [
        { type: "run-deployment", deployment_id, parameters: { n: "no number" } },
        { type: "suspend-flow-run" },
        { type: "resume-flow-run" },
      ],
    });
    const run = await createTestFlowRun(api);
    await proposeFlow(api, run, "COMPLETED");
    await settle(api);
    expect((await named(api, "action.failed")).map(({ payload }) => payload)).toMatchObject([
      { status_code: 409, validation_error: expect.any(String) },
      { status_code: 200, reason: expect.stringContaining("not accepted") },
      expect.not.objectContaining({ status_code: expect.anything() }),
    ]);
  });

  test("does nothing more once it is deleted, and what it has begun to do where it is switched off", async () => {
    await using api = await open();
    const [kept, deleted] = [
      await createTestDeployment(api, { name: "kept" }),
      await createTestDeployment(api, { name: "deleted" }),
    ];
    const pause = (deployment_id: string) =>
      create(api, {
        actions: [{ type: "pause-deployment", deployment_id }, { type: "do-nothing" }],
      });
    const [off, gone] = [await pause(kept), await pause(deleted)];
    await send(api, eventOf(api));
    await createTriggerPass(api.ctx)(FOREVER);
    expect((await api.patch(`/automations/${off}`, { enabled: false })).status).toBe(204);
    expect((await api.delete(`/automations/${gone}`)).status).toBe(204);
    expect(await executeActions(api.ctx, FOREVER)).toBe(2);
    expect(await readRecord(api, `/deployments/${kept}`)).toMatchObject({ paused: true });
    expect(await readRecord(api, `/deployments/${deleted}`)).toMatchObject({ paused: false });
  });

  test("does nothing more where it is deleted while its action is in hand", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const id = await create(api, { actions: [{ type: "pause-deployment", deployment_id }] });
    await send(api, eventOf(api));
    await createTriggerPass(api.ctx)(FOREVER);
    const dying = { ...api.ctx, db: { ...failing(api) } };
    await executeActions(dying, FOREVER).catch(() => undefined);
    expect((await api.delete(`/automations/${id}`)).status).toBe(204);
    await expireLeases(api);
    expect(await executeActions(api.ctx, FOREVER)).toBe(0);
    expect(await readRecord(api, `/deployments/${deployment_id}`)).toMatchObject({ paused: false });
  });

  test("names what a failed action was to be done to", async () => {
    await using api = await open();
    const deployment_id = "01980000-0000-7000-8000-00000000dead";
    await create(api, { actions: [{ type: "pause-deployment", deployment_id }] });
    await send(api, eventOf(api));
    await settle(api);
    const [failed] = await named(api, "action.failed");
    expect(failed?.related).toContainEqual({
      "orchestrator.resource.id": `orchestrator.deployment.${deployment_id}`,
      "orchestrator.resource.role": "target",
    });
  });

  test("is live at once, silent while it is switched off, and gone when it is deleted", async () => {
    await using api = await open();
    const pass = createTriggerPass(api.ctx);
    await pass(FOREVER);
    const id = await create(api, {});
    await send(api, eventOf(api));
    await pass(FOREVER);
    await api.patch(`/automations/${id}`, { enabled: false });
    await send(api, eventOf(api));
    await pass(FOREVER);
    await api.patch(`/automations/${id}`, { enabled: true });
    await send(api, eventOf(api));
    await pass(FOREVER);
    await api.delete(`/automations/${id}`);
    await send(api, eventOf(api));
    await pass(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(2);
  });

  test("counts an event once, however often it is sent, and across a restart", async () => {
    await using api = await open();
    await create(api, { trigger: { ...EVENT, threshold: 3, within: 60 } });
    const event = eventOf(api);
    await send(api, event, event);
    await createTriggerPass(api.ctx)(FOREVER);
    await send(api, event, eventOf(api));
    await createTriggerPass(api.ctx)(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(0);
    await send(api, eventOf(api));
    await createTriggerPass(api.ctx)(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(1);
  });

  test("fires for what did not happen, once a window, and not for what did", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const trigger = { ...EVENT, posture: "Proactive", within: 30 };
    await create(api, { trigger });
    const pass = createTriggerPass(api.ctx);
    await send(api, eventOf(api));
    await pass(FOREVER);
    clock.advanceMs(31_000);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(0);
    clock.advanceMs(31_000);
    await pass(FOREVER);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toMatchObject([
      { payload: { triggering_event: { event: "x.happened" } } },
    ]);
  });

  test.each([
    ["orchestrator", []],
    ["prefect", [31, 93]],
  ] as const)(
    "that waits for another event first fires before it in dialect %s as it is said",
    async (dialect, expected) => {
      const clock = manualClock(PAST);
      await using api = await open({ clock, dialect });
      const absence = { ...EVENT, posture: "Proactive", after: ["y.began"], within: 30 };
      const trigger = { type: "compound", require: "any", within: null, triggers: [absence] };
      const id = await create(api, { trigger });
      const pass = createTriggerPass(api.ctx);
      const fired: number[] = [];
      for (let seconds = 31, before = 0; seconds <= 93; seconds += 31) {
        clock.advanceMs(31_000);
        await pass(FOREVER);
        const { length } = await named(api, "triggered");
        if (length > before) fired.push(seconds);
        before = length;
      }
      expect(fired).toEqual(expected);
      const simulated = await api.post("/automations/simulate", {
        automation_id: id,
        since: PAST,
        until: clock.now(),
      });
      expect(simulated.body).toMatchObject({ firings_total: expected.length });
    },
  );

  test("does not fire for an absence while the event is waiting to be read", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    await create(api, { trigger: { ...EVENT, posture: "Proactive", within: 30 } });
    clock.advanceMs(29_000);
    await send(api, eventOf(api));
    clock.advanceMs(10_000);
    await createTriggerPass(api.ctx)(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(0);
  });

  test("waits for each value of a label by itself", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const trigger = {
      type: "event",
      posture: "Proactive",
      after: ["x.down"],
      expect: ["x.up"],
      for_each: ["prefect.resource.id"],
      within: 30,
    };
    await create(api, { trigger });
    const about = (name: string, event: string) =>
      eventOf(api, { event, resource: { "orchestrator.resource.id": name } });
    await send(api, about("a", "x.down"), about("b", "x.down"), about("a", "x.up"));
    const pass = createTriggerPass(api.ctx);
    await pass(FOREVER);
    clock.advanceMs(31_000);
    await pass(FOREVER);
    clock.advanceMs(31_000);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toMatchObject([
      { payload: { triggering_labels: { "prefect.resource.id": "b" } } },
    ]);
  });

  test("fires when its triggers have, whichever way they are put together", async () => {
    await using api = await open();
    const on = (name: string) => ({ expect: [name], posture: "Reactive" });
    const triggers = [on("x.a"), on("x.b")];
    await create(api, {
      name: "all",
      trigger: { type: "compound", require: "all", within: 60, triggers },
    });
    await create(api, {
      name: "any",
      trigger: { type: "compound", require: "any", within: 60, triggers },
    });
    await create(api, { name: "row", trigger: { type: "sequence", within: null, triggers } });
    const pass = createTriggerPass(api.ctx);
    const names = async () =>
      (await named(api, "triggered")).map(({ resource }) => resource["orchestrator.resource.name"]);
    await send(api, eventOf(api, { event: "x.b" }));
    await pass(FOREVER);
    expect(await names()).toEqual(["any"]);
    await send(api, eventOf(api, { event: "x.a" }));
    await pass(FOREVER);
    expect((await names()).sort(byText)).toEqual(["all", "any", "any"]);
    await send(api, eventOf(api, { event: "x.b" }));
    await pass(FOREVER);
    expect((await names()).sort(byText)).toEqual(["all", "any", "any", "any", "row"]);
  });

  test("that waits for an event twice in a row is not content with one", async () => {
    await using api = await open();
    const triggers = ["x.*", "x.a"].map((name) => ({ ...EVENT, expect: [name] }));
    await create(api, { trigger: { type: "sequence", within: 60, triggers } });
    for (const count of [0, 1, 2]) {
      await send(api, eventOf(api, { event: "x.a" }));
      await createTriggerPass(api.ctx)(FOREVER);
      expect(await named(api, "triggered")).toHaveLength(count);
    }
  });

  test("sees events in the order they follow each other in", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const trigger = { ...EVENT, after: ["x.begun"], expect: ["x.ended"], within: 60 };
    await create(api, { trigger });
    const begun = eventOf(api, { event: "x.begun" });
    await send(api, eventOf(api, { event: "x.ended", follows: begun.id }));
    const pass = createTriggerPass(api.ctx);
    await pass(FOREVER);
    await send(api, begun);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(1);
    const lost = eventOf(api, { event: "x.ended", follows: api.ctx.ids.uuid7() });
    await send(api, eventOf(api, { event: "x.begun" }), lost);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(1);
    clock.advanceMs(16 * 60_000);
    await pass(FOREVER);
    await pass(FOREVER);
    expect(await named(api, "triggered")).toHaveLength(2);
  });

  test("that waits for a sequence takes an event that came early for one that came in its turn", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const triggers = ["x.begun", "x.ended", "x.told"].map((name) => ({ ...EVENT, expect: [name] }));
    const automation_id = await create(api, {
      trigger: { type: "sequence", within: 60, triggers },
    });
    const begun = eventOf(api, { event: "x.begun" });
    const steps = [
      eventOf(api, { event: "x.ended", follows: begun.id }),
      begun,
      eventOf(api, { event: "x.told" }),
    ];
    for (const event of steps) {
      clock.advanceMs(45_000);
      await send(api, event);
      await createTriggerPass(api.ctx)(FOREVER);
    }
    expect(await named(api, "triggered")).toHaveLength(1);
    const simulated = await api.post("/automations/simulate", { automation_id, since: PAST });
    expect(simulated.body).toMatchObject({ firings_total: 1 });
  });

  test("acts on the event of its own firing, and is not made to fire by it", async () => {
    await using api = await open();
    const first = await create(api, { name: "first", actions: [] });
    await create(api, {
      name: "second",
      trigger: { ...EVENT, expect: ["prefect.automation.triggered"] },
      actions: [],
      actions_on_trigger: [{ type: "pause-automation", automation_id: first }],
    });
    await settle(api);
    await send(api, eventOf(api));
    await settle(api);
    await settle(api);
    await settle(api);
    expect(await readRecord(api, `/automations/${first}`)).toMatchObject({ enabled: false });
    const about = (await named(api, "triggered")).map(
      ({ resource }) => resource["orchestrator.resource.name"],
    );
    expect(about.filter((name) => name === "first")).toHaveLength(1);
    expect(about.length).toBeLessThan(12);
  });
});

const byText = (a = "", b = ""): number => (a < b ? -1 : Number(a > b));

/** A database that goes away after the first write. */
function failing(api: TestApi): TestApi["ctx"]["db"] {
  let writes = 0;
  const { db } = api.ctx;
  return {
    ...db,
    write: () => Promise.reject(new Error("away")),
    writeSystem: (work) => {
      writes += 1;
      return writes === 1 ? db.writeSystem(work) : Promise.reject(new Error("away"));
    },
    close: () => Promise.resolve(),
  };
}
