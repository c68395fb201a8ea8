import { followLog } from "@orchestrator/kernel/events";
import { openScope } from "@orchestrator/kernel/scope";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { explained } from "../../testing/explanations.ts";
import { fillTable } from "../../testing/many-rows.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { createTriggerPass } from "../automations/triggers/triggers.loop.ts";
import { createWaitEnder } from "./end-waits.service.ts";
import { wakeRuns } from "./wake-runs.loop.ts";
import { deleteAbandonedWaits } from "./wake-runs.store.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const MINUTE_MS = 60_000;
const PAID = { key: "$event/0", event: "order.paid", timeout_seconds: 3600 };
const NAP = { key: "$sleep/0", timeout_seconds: 60 };

let deployments = 0;

async function runningRun(api: TestApi): Promise<string> {
  deployments += 1;
  const deployment = await createTestDeployment(api, { name: `d${deployments}` });
  const [id = ""] = await createRunsOf(api, deployment);
  await resume(api, id);
  return id;
}

async function resume(api: TestApi, id: string): Promise<void> {
  await proposeFlow(api, id, "PENDING");
  await proposeFlow(api, id, "RUNNING");
}

async function waitFor(api: TestApi, id: string, wait: Body = PAID): Promise<Body> {
  const answer = await api.post(`/flow_runs/${id}/waits`, wait);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Body;
}

const suspend = async (api: TestApi, id: string, ...keys: string[]) =>
  (await api.post(`/flow_runs/${id}/suspend`, { keys })).body as Body;

async function send(api: TestApi, event: string, labels: Body = {}): Promise<string> {
  const id = api.ctx.ids.uuid7();
  const occurred = api.ctx.clock.now();
  const resource = { "orchestrator.resource.id": "order.7", ...labels };
  const sent = { id, occurred, event, resource, related: [], payload: { amount: 1.5 } };
  expect((await api.post("/events", [sent])).status).toBe(204);
  return id;
}

/** As a server that has just begun: it knows only what is stored. */
async function settle({ ctx }: Pick<TestApi, "ctx">): Promise<void> {
  await createTriggerPass(ctx, createWaitEnder())(FOREVER);
  await wakeRuns(ctx, FOREVER);
}

const stateOf = async (api: TestApi, id: string) => {
  const { state_type, state_name, next_scheduled_start_time, run_count, state } = await readRecord(
    api,
    `/flow_runs/${id}`,
  );
  const { message } = state as Body;
  return { state_type, state_name, next_scheduled_start_time, run_count, message };
};

describeEachApi("a run that waits for an event", (open) => {
  test("receives the first that is sent after the wait began, whoever asks and how often", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await send(api, "order.paid");
    expect(await waitFor(api, id)).toMatchObject({ outcome: null, received: null });
    await settle(api);
    expect(await waitFor(api, id)).toMatchObject({ outcome: null });
    await send(api, "order.shipped");
    const first = await send(api, "order.paid");
    await send(api, "order.paid");
    await settle(api);
    const ended = { outcome: "event", received: { id: first, payload: { amount: 1.5 } } };
    expect(await waitFor(api, id)).toMatchObject(ended);
    await send(api, "order.paid");
    await settle(api);
    expect(await waitFor(api, id)).toMatchObject(ended);
  });

  test("is scheduled at once by the event, in the same execution", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const id = await runningRun(api);
    await waitFor(api, id);
    expect(await suspend(api, id, PAID.key)).toMatchObject({ status: "ACCEPT" });
    expect(await stateOf(api, id)).toMatchObject({
      state_name: "AwaitingEvent",
      next_scheduled_start_time: "2026-11-14T10:00:00.000000Z",
      message: expect.stringContaining("waits for the event order.paid until 2026-11-14T10:00"),
    });
    expect((await explained(api, { id }))[0]).toMatchObject({
      code: "waiting-for-event",
      is_blocking: true,
      until: "2026-11-14T10:00:00.000000Z",
    });
    clock.advanceMs(MINUTE_MS);
    await send(api, "order.paid");
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({
      state_name: "Resuming",
      next_scheduled_start_time: "2026-11-14T09:01:00.000000Z",
    });
    await resume(api, id);
    expect(await stateOf(api, id)).toMatchObject({ state_type: "RUNNING", run_count: 1 });
    expect(await waitFor(api, id)).toMatchObject({ outcome: "event" });
  });

  test("is not suspended once the event has come", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await waitFor(api, id, { ...PAID, key: "other", event: "other" });
    await send(api, "order.paid");
    await settle(api);
    expect(await suspend(api, id, PAID.key, "other")).toMatchObject({ status: "REJECT" });
    expect(await suspend(api, id, "unknown")).toMatchObject({ status: "REJECT" });
    expect(await stateOf(api, id)).toMatchObject({ state_type: "RUNNING" });
    // What has come is known to the flow.
    expect(await suspend(api, id, "other")).toMatchObject({ status: "ACCEPT" });
  });

  test("is woken by a later pass if it was suspended while another replica ended the wait", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await waitFor(api, id, NAP);
    await send(api, "order.paid");
    await settle(api);
    // Its process read the answer to the first wait too late.
    expect(await suspend(api, id, NAP.key)).toMatchObject({ status: "ACCEPT" });
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({ state_name: "Resuming" });
  });

  test("goes on when the time is over, and does not receive what comes later", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    clock.advanceMs(61 * MINUTE_MS);
    await resume(api, id);
    expect(await waitFor(api, id)).toMatchObject({ outcome: "timeout", received: null });
    await send(api, "order.paid");
    await settle(api);
    expect(await waitFor(api, id)).toMatchObject({ outcome: "timeout" });
    // A retry of the flow waits anew.
    expect(await waitFor(api, id, { ...PAID, attempt: 1 })).toMatchObject({ outcome: null });
  });

  test("receives an event that came in time, also if it is read later", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const id = await runningRun(api);
    await waitFor(api, id);
    await settle(api);
    clock.advanceMs(59 * MINUTE_MS);
    const sent = await send(api, "order.paid");
    clock.advanceMs(MINUTE_MS + 1000);
    expect(await waitFor(api, id)).toMatchObject({ outcome: null, remaining_seconds: 0 });
    await settle(api);
    expect(await waitFor(api, id)).toMatchObject({ outcome: "event", received: { id: sent } });
  });

  test("matches names and labels as the trigger of an automation does", async () => {
    await using api = await open();
    const id = await runningRun(api);
    const waits: readonly (readonly [string, Body])[] = [
      ["exact", { match: { "orchestrator.resource.id": "order.7" } }],
      ["other id", { match: { "prefect.resource.id": "order.8" } }],
      ["pattern", { event: "order.*", match: { "orchestrator.resource.id": "order.*" } }],
      ["negated", { match: { city: "!Bern" } }],
      ["several", { match: { city: ["Bern", "Oslo"], "orchestrator.resource.id": "*" } }],
      ["absent", { match: { street: "*" } }],
      ["related", { match_related: { "orchestrator.resource.role": "shop" } }],
      ["any", { event: "*" }],
    ];
    for (const [key, given] of waits) await waitFor(api, id, { ...PAID, key, ...given });
    await send(api, "order.paid", { city: "Bern" });
    await settle(api);
    const open_ = (await api.get(`/flow_runs/${id}/waits`)).body as { readonly key: string }[];
    expect(open_.map(({ key }) => key).sort()).toEqual([
      "absent",
      "negated",
      "other id",
      "related",
    ]);
  });

  test("stays in its workspace and in its run; one event wakes every run that waits for it", async () => {
    await using api = await open();
    const ids = [await runningRun(api), await runningRun(api)];
    for (const id of ids) {
      await waitFor(api, id);
      await suspend(api, id, PAID.key);
    }
    await send(api, "order.paid");
    await settle(api);
    for (const id of ids) expect(await stateOf(api, id)).toMatchObject({ state_name: "Resuming" });
  });

  test("receives the event once, however many replicas read the log and wherever one of them dies", async () => {
    await using api = await open();
    const replica = (await api.openReplica?.()) ?? null;
    const { ctx } = api;
    const contexts = [ctx, ...(replica === null ? [] : [{ ...ctx, db: replica }])];
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    const sent = await send(api, "order.paid");
    const waits = createWaitEnder();
    const dies: typeof waits = {
      ...waits,
      async handle(...batch) {
        await waits.handle(...batch);
        throw new Error("The replica dies before the commit");
      },
    };
    await expect(createTriggerPass(ctx, dies)(FOREVER)).rejects.toThrow("dies");
    expect(await stateOf(api, id)).toMatchObject({ state_name: "AwaitingEvent" });
    await Promise.all(contexts.map((one) => createTriggerPass(one, createWaitEnder())(FOREVER)));
    // The replica that ended the wait is gone before it woke the run.
    await Promise.all(contexts.map((one) => wakeRuns(one, FOREVER)));
    expect(await waitFor(api, id)).toMatchObject({ outcome: "event", received: { id: sent } });
    const states = (await api.get(`/flow_run_states/?flow_run_id=${id}`)).body as Body[];
    expect(states.filter(({ name }) => name === "Resuming")).toHaveLength(1);
  });

  test("is woken once by an event that its flow no longer reads", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    await send(api, "order.paid");
    await settle(api);
    await resume(api, id);
    await waitFor(api, id, NAP);
    await suspend(api, id, NAP.key);
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({ state_name: "Sleeping" });
    await waitFor(api, id, { ...PAID, key: "shipped", event: "order.shipped" });
    await send(api, "order.shipped");
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({ state_name: "Resuming" });
  });

  test("is not suspended again for an event that it was woken for but has not read", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    const sent = await send(api, "order.paid");
    await settle(api);
    await resume(api, id);
    expect(await suspend(api, id, PAID.key)).toMatchObject({ status: "REJECT" });
    // Its process is lost before it reads the event.
    await proposeFlow(api, id, "CRASHED");
    await api.post(`/flow_runs/${id}/set_state`, { state: { type: "SCHEDULED" }, force: true });
    await resume(api, id);
    expect(await waitFor(api, id)).toMatchObject({ outcome: "event", received: { id: sent } });
  });

  test("is woken although 200 unread waits of a run that cannot be woken are older", async () => {
    await using api = await open();
    const broken = await runningRun(api);
    await waitFor(api, broken);
    await suspend(api, broken, PAID.key);
    const { workspaceId } = openScope("test");
    await fillTable(
      api,
      200,
      ({ numbers }) => `
      insert into flow_run_waits (workspace_id, created, flow_run_id, key, expires, attempt, event,
        pattern, after_position, anchor, outcome, unread_since)
      select '${workspaceId}', '', '${broken}', n, '3000', 1, 'order.paid', '{}', 0, '', 'event',
        '2020' from ${numbers}`,
    );
    const spoil = `update flow_runs set empirical_policy = 'null' where id = '${broken}'`;
    await api.ctx.db.exclusively((session) => session.execute(spoil));
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    await send(api, "order.paid");
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({ state_name: "Resuming" });
  });

  test("is woken by the request of another service to a webhook", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await suspend(api, id, PAID.key);
    const template =
      '{"event": "order.paid", "resource": {"orchestrator.resource.id": "order.7"}, "payload": {{ body | tojson }}}';
    const webhook = { name: "payments", template };
    const { token } = (await api.post("/webhooks/", webhook)).body as { readonly token: string };
    expect((await api.post(`/webhooks/${token}`, { amount: 12 })).status).toBeLessThan(300);
    await settle(api);
    expect(await stateOf(api, id)).toMatchObject({ state_name: "Resuming" });
    expect(await waitFor(api, id)).toMatchObject({ received: { payload: { amount: 12 } } });
  });

  test("begins another wait where it asks for something else under the same key", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await waitFor(api, id);
    await send(api, "order.paid");
    await settle(api);
    const other = await waitFor(api, id, { ...PAID, event: "order.shipped" });
    expect(other).toMatchObject({ outcome: null, event: "order.shipped" });
  });

  test("is refused under a lapsed claim, without a run, and with a name or pattern that is too large", async () => {
    await using api = await open();
    const id = await runningRun(api);
    const status = async (body: Body, run = id) =>
      (await api.post(`/flow_runs/${run}/waits`, { ...PAID, ...body })).status;
    const none = api.ctx.ids.uuid7();
    expect(await status({ claim: { flow_run_id: id, claim_id: none } })).toBe(409);
    expect(await status({}, none)).toBe(404);
    expect(await status({ match: { city: "x".repeat(1000), a: "y".repeat(1000) } })).toBe(200);
    const long = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`l${n}`, "x".repeat(1000)]));
    expect(await status({ match: long, key: "long" })).toBe(422);
    // Code points that no compression of the index makes shorter.
    const codes = Array.from({ length: 625 }, (_, n) => 0x1_0000 + ((n * 40_503) % 0xf_ffff));
    const name = String.fromCodePoint(...codes);
    expect(await status({ event: name, key: "2,500 bytes" })).toBe(200);
    expect(await status({ event: `${name}x`, key: "2,501 bytes" })).toBe(422);
    expect(await status({ timeout_seconds: -1, key: "never" })).toBe(422);
    expect(await suspend(api, await createTestFlowRun(api), "none")).toMatchObject({
      status: "REJECT",
    });
  });

  test("is one of 1,000 that wait for the same name and label, of which few events are read at once", async () => {
    await using api = await open();
    const id = await runningRun(api);
    const { workspaceId } = openScope("test");
    const alike = (count: number) =>
      fillTable(
        api,
        count,
        ({ numbers }) => `
        insert into flow_run_waits (workspace_id, created, flow_run_id, key, expires, attempt, event, pattern, after_position,
          lookup_name, anchor)
        select '${workspaceId}', '', '${id}', '${count} ' || n, '3000', 1, 'order.paid',
          '{"match":{"city":"B*"},"match_related":{}}', 0, 'order.paid', '' from ${numbers}`,
      );
    await alike(600);
    for (let n = 0; n < 20; n += 1) await send(api, "order.paid");
    const ender = createWaitEnder();
    const events = await followLog(api.ctx.db).next(0, 1000);
    const paid = events.filter(({ event }) => event === "order.paid");
    expect(ender.takes(paid)).toBe(20);
    await createTriggerPass(api.ctx, ender)(FOREVER);
    expect(ender.takes(paid)).toBe(16);
    await alike(399);
    const other = await runningRun(api);
    await waitFor(api, other);
    const refused = await api.post(`/flow_runs/${other}/waits`, { ...PAID, key: "one too many" });
    expect(refused).toMatchObject({ status: 422 });
    const exact = { match: { "orchestrator.resource.id": "order.7" } };
    await waitFor(api, other, { ...PAID, ...exact, key: "exact" });
  });

  test("is retried with the event that it had not read when it ended, and waits for nothing else", async () => {
    await using api = await open();
    const { ctx } = api;
    const id = await runningRun(api);
    await waitFor(api, id);
    await waitFor(api, id, { ...PAID, key: "shipped", event: "order.shipped" });
    const sent = await send(api, "order.paid");
    await settle(api);
    await proposeFlow(api, id, "CRASHED");
    await deleteAbandonedWaits(ctx.db);
    expect((await api.get(`/flow_runs/${id}/waits`)).body).toEqual([]);
    const retry = { state: { type: "SCHEDULED" }, force: true };
    await api.post(`/flow_runs/${id}/set_state`, retry);
    await resume(api, id);
    expect(await waitFor(api, id)).toMatchObject({ outcome: "event", received: { id: sent } });
  });

  test("waits on for as long as no server could receive the event", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock, hasGaps: true });
    const id = await runningRun(api);
    await waitFor(api, id);
    await outage(api, clock);
    expect(await waitFor(api, id)).toMatchObject({ outcome: null });
  });
});

async function outage(api: TestApi, clock: ManualClock): Promise<void> {
  clock.advanceMs(120 * MINUTE_MS);
  await api.ctx.hearing.listen();
}

describeEachApi("a run that sleeps", (open) => {
  test("is scheduled for the end of its sleep, and has slept then", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const id = await runningRun(api);
    expect(await waitFor(api, id, NAP)).toMatchObject({ outcome: null, remaining_seconds: 60 });
    await suspend(api, id, NAP.key);
    expect(await stateOf(api, id)).toMatchObject({
      state_name: "Sleeping",
      next_scheduled_start_time: "2026-11-14T09:01:00.000000Z",
    });
    expect((await explained(api, { id }))[0]).toMatchObject({ code: "sleeping" });
    await proposeFlow(api, id, "PENDING");
    expect(await proposeFlow(api, id, "RUNNING")).toMatchObject({ status: "WAIT" });
    clock.advanceMs(MINUTE_MS);
    expect(await proposeFlow(api, id, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    expect(await waitFor(api, id, NAP)).toMatchObject({ outcome: "timeout" });
    expect(await stateOf(api, id)).toMatchObject({ run_count: 1 });
  });

  test("is cancelled at once while it is suspended", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await api.patch(`/flow_runs/${id}`, { infrastructure_pid: "machine:1" });
    await waitFor(api, id, NAP);
    await suspend(api, id, NAP.key);
    expect(await proposeFlow(api, id, "CANCELLING")).toMatchObject({
      state: { type: "CANCELLED" },
    });
  });

  test("is not suspended without a deployment, which would be needed to go on", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    await waitFor(api, id, NAP);
    expect(await suspend(api, id, NAP.key)).toMatchObject({ status: "ABORT" });
  });
});
