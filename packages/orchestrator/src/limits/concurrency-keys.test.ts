import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { createCollisionsTick } from "../runs/retention/collisions.loop.ts";
import { markLateRuns } from "../runs/retention/late-runs.loop.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

const { signal } = new AbortController();
const endTakenOver = (ctx: TestApi["ctx"], until: AbortSignal) => createCollisionsTick(ctx)(until);
const CUSTOMER = "{{ parameters.customer }}";
const WAITS = "AwaitingConcurrencySlot";

const keyed = (api: TestApi, given: object = {}) =>
  createTestDeployment(api, { concurrency_limit: 1, concurrency_key: CUSTOMER, ...given });

async function runOf(api: TestApi, deployment: string, customer = "acme", given: object = {}) {
  const [id = ""] = await createRunsOf(api, deployment, { parameters: { customer }, ...given });
  return id;
}

/** What a claim led to: the name of the state the run is in then. */
const claim = async (api: TestApi, id: string) =>
  (await proposeFlow(api, id, "PENDING")).state?.name;

const stateOf = async (api: TestApi, id: string) =>
  (await readRecord(api, `/flow_runs/${id}`))["state"] as Record<string, unknown>;

async function start(api: TestApi, id: string): Promise<void> {
  for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
}

/** Runs that are due one after the other, the oldest first. */
async function dueOf(api: TestApi, deployment: string, count: number): Promise<string[]> {
  const runs = [];
  for (let i = count; i > 0; i -= 1) {
    const scheduled_time = new Date(Date.parse(api.ctx.clock.now()) - i * 1000).toISOString();
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    runs.push(await runOf(api, deployment, "acme", { state }));
  }
  return runs;
}

describeEachApi("a concurrency key", (open) => {
  test("gives the deployment its slots once for each value", async () => {
    await using api = await open();
    const deployment = await keyed(api);
    const runs = [];
    for (const customer of ["acme", "acme", "umbrella"])
      runs.push(await runOf(api, deployment, customer));
    const states = [];
    for (const id of runs) states.push(await claim(api, id));
    expect(states).toEqual(["Pending", WAITS, "Pending"]);
    expect(await readRecord(api, `/flow_runs/${runs[1]}`)).toMatchObject({
      concurrency_key: "acme",
    });
    const explained = await readRecord(api, `/flow_runs/${runs[1]}/explain`);
    expect(JSON.stringify(explained)).toContain(
      "The deployment runs 1 of 1 at the same time for the concurrency key acme",
    );
    await proposeFlow(api, runs[0], "COMPLETED");
    expect(await claim(api, runs[1] ?? "")).toBe("Pending");
  });

  test("is kept by a run whose parameters change afterwards", async () => {
    await using api = await open();
    const deployment = await keyed(api);
    const [first, second] = [await runOf(api, deployment), await runOf(api, deployment)];
    await start(api, first);
    await api.patch(`/flow_runs/${second}`, { parameters: { customer: "other" } });
    expect(await claim(api, second)).toBe(WAITS);
  });

  test("belongs to runs of schedules and to runs from before the key", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {
      concurrency_limit: 1,
      parameters: { customer: "acme" },
    });
    const before = await runOf(api, deployment);
    await api.patch(`/deployments/${deployment}`, {
      concurrency_key: CUSTOMER,
      schedules: [{ schedule: { interval: 60 } }],
    });
    await api.post(`/deployments/${deployment}/schedule`, { min_runs: 2, max_runs: 2 });
    const { body } = await api.post("/flow_runs/filter", {
      flow_runs: { state: { type: { any_: ["SCHEDULED"] } } },
    });
    const keys = (body as { id: string; concurrency_key: string | null }[])
      .filter(({ id }) => id !== before)
      .map(({ concurrency_key }) => concurrency_key);
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys)).toEqual(new Set(["acme"]));
    expect(await claim(api, before)).toBe("Pending");
    expect(await readRecord(api, `/flow_runs/${before}`)).toMatchObject({
      concurrency_key: "acme",
    });
  });

  test("without a value refuses a run with the reason, and fails one that exists already", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [early = ""] = await createRunsOf(api, deployment);
    await api.patch(`/deployments/${deployment}`, { concurrency_key: CUSTOMER });
    const refused = await api.post(`/deployments/${deployment}/create_flow_run`, {});
    const reason = `The concurrency key ${CUSTOMER} has no value: the run has no parameters.customer`;
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain(reason);
    const explained = await readRecord(api, `/flow_runs/${early}/explain`);
    expect(JSON.stringify(explained)).toContain(`${reason}; the run fails when it is claimed`);
    await claim(api, early);
    expect(await stateOf(api, early)).toMatchObject({ type: "FAILED", message: reason });
  });

  test("is checked, and changes nothing where it is refused", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "skip" });
    const shared = (await api.post("/v2/concurrency_limits/", { name: "shared", limit: 1 })).body;
    const global_concurrency_limit_id = (shared as { id: string }).id;
    const before = await readRecord(api, `/deployments/${deployment}`);
    for (const given of [
      { concurrency_key: "customer" },
      { concurrency_key: "" },
      { concurrency_key: CUSTOMER, concurrency_limit: null },
      { concurrency_key: CUSTOMER, global_concurrency_limit_id },
      { on_collision: "sometimes" },
      { on_collision: "skip", concurrency_options: { collision_strategy: "ENQUEUE" } },
    ]) {
      const { status } = await api.patch(`/deployments/${deployment}`, given);
      expect([given, status]).toEqual([given, 422]);
    }
    const bad = { key: { template: "{{ customer }}" } };
    expect((await api.patch("/v2/concurrency_limits/shared", bad)).status).toBe(422);
    expect(await readRecord(api, `/deployments/${deployment}`)).toEqual(before);
    await api.patch(`/deployments/${deployment}`, { concurrency_key: null });
    expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({
      global_concurrency_limit: { limit: 1, key: null },
    });
  });

  test("makes a limit of one slot where there is none, and established clients read a strategy they know", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {
      concurrency_key: CUSTOMER,
      on_collision: "skip",
    });
    const strategy = async () => readRecord(api, `/deployments/${deployment}`);
    expect(await strategy()).toMatchObject({
      on_collision: "skip",
      concurrency_options: { collision_strategy: "CANCEL_NEW" },
      global_concurrency_limit: { limit: 1, key: { template: CUSTOMER } },
    });
    await api.patch(`/deployments/${deployment}`, { on_collision: "cancel-running" });
    expect(await strategy()).toMatchObject({
      on_collision: "cancel-running",
      concurrency_options: { collision_strategy: "ENQUEUE" },
    });
    const concurrency_options = { collision_strategy: "CANCEL_NEW" };
    await api.patch(`/deployments/${deployment}`, { concurrency_options });
    expect(await strategy()).toMatchObject({ on_collision: null, concurrency_options });
  });
});

describeEachApi("a run that finds no free slot", (open) => {
  test("is cancelled with the key in its reason, with skip", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "skip" });
    const [first, second] = [await runOf(api, deployment), await runOf(api, deployment)];
    await start(api, first);
    await claim(api, second);
    expect(await stateOf(api, second)).toMatchObject({
      type: "CANCELLED",
      message: "The deployment's concurrency limit was reached for the concurrency key acme",
    });
  });

  test("has the running one of its key cancelled, and starts when that has ended", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "cancel-running" });
    const other = await runOf(api, deployment, "umbrella");
    const [first = "", second = ""] = await dueOf(api, deployment, 2);
    for (const id of [other, first]) await start(api, id);
    expect(await endTakenOver(api.ctx, signal)).toBe(0);
    expect(await claim(api, second)).toBe(WAITS);
    expect(await endTakenOver(api.ctx, signal)).toBe(1);
    const state = await stateOf(api, first);
    expect(state).toMatchObject({ type: "CANCELLING" });
    expect(state["message"]).toContain(`(${second}) of the concurrency key acme takes its place`);
    expect(await stateOf(api, other)).toMatchObject({ type: "RUNNING" });
    // Another replica, or a pass after a crash, finds nothing left to do.
    expect(await endTakenOver(api.ctx, signal)).toBe(0);
    expect(await claim(api, second)).toBe(WAITS);
    await proposeFlow(api, first, "CANCELLED");
    expect(await claim(api, second)).toBe("Pending");
  });

  test("is cancelled itself where a newer one of its key runs, with cancel-running", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "cancel-running" });
    const [first = "", second = ""] = await dueOf(api, deployment, 2);
    await start(api, second);
    expect(await claim(api, first)).toBe("Cancelled");
    expect((await stateOf(api, first))["message"]).toContain(second);
    expect(await stateOf(api, second)).toMatchObject({ type: "RUNNING" });
  });

  test("leaves the running one alone once nobody would start it, with cancel-running", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await keyed(api, { on_collision: "cancel-running" });
    const [first = "", second = ""] = await dueOf(api, deployment, 2);
    await start(api, first);
    await claim(api, second);
    clock.advanceMs(5 * 60_000);
    expect(await endTakenOver(api.ctx, signal)).toBe(0);
    await proposeFlow(api, second, "CANCELLED");
    expect(await endTakenOver(api.ctx, signal)).toBe(0);
    expect(await stateOf(api, first)).toMatchObject({ type: "RUNNING" });
  });

  test("keeps as many of the newest as there are slots, with cancel-running", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "cancel-running", concurrency_limit: 2 });
    const [a = "", b = "", c = ""] = await dueOf(api, deployment, 3);
    for (const id of [a, b]) await start(api, id);
    expect(await claim(api, c)).toBe(WAITS);
    expect(await endTakenOver(api.ctx, signal)).toBe(1);
    expect(await stateOf(api, a)).toMatchObject({ type: "CANCELLING" });
    expect(await stateOf(api, b)).toMatchObject({ type: "RUNNING" });
  });

  test.each(["skip", "cancel-running", "replace-queued"])(
    "waits for the next one if it has begun and was suspended, with %s",
    async (on_collision) => {
      const clock = manualClock();
      await using api = await open({ clock });
      const deployment = await keyed(api, { on_collision });
      const [slept = "", running = "", newest = ""] = await dueOf(api, deployment, 3);
      await start(api, slept);
      const scheduled_time = clock.now();
      await proposeFlow(api, slept, {
        type: "SCHEDULED",
        name: "Sleeping",
        state_details: { scheduled_time },
      });
      await start(api, running);
      expect(await claim(api, slept)).toBe(WAITS);
      // A newer run that waits, too, does not take its place either.
      if (on_collision === "replace-queued") expect(await claim(api, newest)).toBe(WAITS);
      expect(await endTakenOver(api.ctx, signal)).toBe(0);
      expect(await claim(api, slept)).toBe(WAITS);
      clock.advanceMs(60_000);
      await markLateRuns(api.ctx, signal);
      expect(await stateOf(api, slept)).toMatchObject({ type: "SCHEDULED" });
      await proposeFlow(api, running, "COMPLETED");
      expect(await claim(api, slept)).toBe("Pending");
    },
  );

  test("leaves the running one alone if a slot came back meanwhile, with cancel-running", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "cancel-running", concurrency_limit: 2 });
    const [a = "", b = "", c = ""] = await dueOf(api, deployment, 3);
    for (const id of [a, b]) await start(api, id);
    expect(await claim(api, c)).toBe(WAITS);
    // The other one ends after the pass has read who holds slots, and before it ends a run.
    const { db } = api.ctx;
    const write: typeof db.write = async (...request) => {
      await proposeFlow(api, b, "COMPLETED");
      return db.write(...request);
    };
    const ctx = { ...api.ctx, db: Object.assign(Object.create(db), { write }) };
    expect(await endTakenOver(ctx, signal)).toBe(0);
    expect(await stateOf(api, a)).toMatchObject({ type: "RUNNING" });
    expect(await claim(api, c)).toBe("Pending");
  });

  test("leaves the running one alone if it has begun itself, with cancel-running", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "cancel-running" });
    const [older = "", slept = ""] = await dueOf(api, deployment, 2);
    await start(api, slept);
    await proposeFlow(api, slept, { type: "SCHEDULED", name: "Sleeping" });
    await start(api, older);
    expect(await claim(api, slept)).toBe(WAITS);
    expect(await endTakenOver(api.ctx, signal)).toBe(0);
    expect(await stateOf(api, older)).toMatchObject({ type: "RUNNING" });
  });

  test("takes the place of the one that waits, with replace-queued", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "replace-queued" });
    const [running = "", older = "", newer = ""] = await dueOf(api, deployment, 3);
    await start(api, running);
    for (const id of [older, newer]) expect(await claim(api, id)).toBe(WAITS);
    expect(await endTakenOver(api.ctx, signal)).toBe(1);
    expect(await stateOf(api, older)).toMatchObject({ type: "CANCELLED" });
    expect((await stateOf(api, older))["message"]).toContain(newer);
    expect(await stateOf(api, running)).toMatchObject({ type: "RUNNING" });
    await proposeFlow(api, running, "COMPLETED");
    expect(await claim(api, newer)).toBe("Pending");
  });

  test("takes that place however many other keys are busy, with replace-queued", async () => {
    await using api = await open();
    const deployment = await keyed(api, { on_collision: "replace-queued" });
    for (const customer of ["a", "b", "c", "x"])
      await claim(api, await runOf(api, deployment, customer));
    const wait = async (customer: string) => {
      const id = await runOf(api, deployment, customer);
      expect(await claim(api, id)).toBe(WAITS);
      return id;
    };
    for (const customer of ["a", "b", "c"]) await wait(customer);
    const [older, newer] = [await wait("x"), await wait("x")];
    // Less fits into a page, and a page into a pass, than waits.
    const tick = createCollisionsTick(api.ctx, { limit: 2, pages: 1 });
    const passes = async () => {
      let ended = 0;
      for (let pass = 0; pass < 6; pass += 1) ended += await tick(signal);
      return ended;
    };
    expect(await tick(signal)).toBe(0);
    expect(await passes()).toBe(1);
    expect(await stateOf(api, older)).toMatchObject({ type: "CANCELLED" });
    expect(await stateOf(api, newer)).toMatchObject({ type: "SCHEDULED" });
    // Behind the last of them, the passes begin again with the first.
    await wait("a");
    expect(await passes()).toBe(1);
    // One pass goes through as many pages as it may.
    await wait("x");
    expect(await createCollisionsTick(api.ctx, { limit: 2 })(signal)).toBe(1);
  });

  test("gives the free slot to the newest, also where an older one asks first", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await keyed(api, { on_collision: "replace-queued" });
    const [running = "", older = "", newer = ""] = await dueOf(api, deployment, 3);
    await start(api, running);
    for (const id of [older, newer]) await claim(api, id);
    await proposeFlow(api, running, "COMPLETED");
    // The oldest is called to a free slot.
    expect(await claim(api, older)).toBe("Cancelled");
    const { next_scheduled_start_time: next } = await readRecord(api, `/flow_runs/${newer}`);
    expect((next as string) <= clock.now()).toBe(true);
    expect(await claim(api, newer)).toBe("Pending");
  });

  test.each(["cancel-running", "replace-queued"])(
    "leaves one of many that are claimed at once to run, with %s",
    async (on_collision) => {
      await using api = await open();
      const deployment = await keyed(api, { on_collision });
      const runs = await dueOf(api, deployment, 6);
      await Promise.all(runs.map((id) => proposeFlow(api, id, "PENDING")));
      await Promise.all([endTakenOver(api.ctx, signal), endTakenOver(api.ctx, signal)]);
      const states = [];
      for (const id of runs) states.push(await stateOf(api, id));
      const types = states.map(({ type }) => type);
      const newest = runs.length - 1;
      expect(types[newest]).toMatch(/^(PENDING|SCHEDULED)$/);
      expect(types.filter((type) => type === "SCHEDULED").length).toBeLessThanOrEqual(1);
      const held = types.filter((type) => type === "PENDING" || type === "CANCELLING");
      expect(held).toHaveLength(1);
    },
  );
});
