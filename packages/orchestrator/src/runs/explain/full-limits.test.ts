import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  type Created,
  codes,
  createRunOf,
  deployed,
  explained,
  type JsonBody,
  made,
  sendWorkerHeartbeat,
} from "../../testing/explanations.ts";
import { plansOf } from "../../testing/plans.ts";
import { createRunsOf, proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { explainFlowRun } from "./explain.service.ts";

const MANY = 55;

const claim = (api: TestApi, { id }: Created) => proposeFlow(api, id, "PENDING");

/** A deployment with slots of a limit that others have slots of, too. */
async function sharing(api: TestApi, limit: JsonBody): Promise<Created> {
  const { id } = await made(api, "/v2/concurrency_limits/", { name: "shared", ...limit });
  const deployment = await deployed(api, { global_concurrency_limit_id: id });
  await sendWorkerHeartbeat(api);
  return deployment;
}

const take = (api: TestApi, how: string, body: JsonBody) =>
  made(api, `/v2/concurrency_limits/${how}`, { names: ["shared"], ...body });

describeEachApi("why a run is not running, where a limit is full,", (open) => {
  test("is the limit, however high, with the true number and some of its runs", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: MANY });
    await sendWorkerHeartbeat(api);
    await api.patch("/work_pools/pool", { concurrency_limit: MANY });
    await api.patch("/work_pools/pool/queues/default", { concurrency_limit: MANY });
    for (const id of await createRunsOf(api, deployment.id, { count: MANY }))
      await proposeFlow(api, id, "PENDING");
    const found = await explained(api, await createRunOf(api, deployment));
    expect(found).toMatchObject([
      { code: "queue-limit-reached", message: "The work queue default runs 55 of 55" },
      { code: "pool-limit-reached", message: "The work pool pool runs 55 of 55" },
      {
        code: "deployment-limit-reached",
        message: "The deployment runs 55 of 55 at the same time",
      },
    ]);
    for (const { flow_run_ids } of found) expect(new Set(flow_run_ids).size).toBe(50);
  });

  test("is the limit by its name, whoever holds its slots", async () => {
    await using api = await open();
    const run = await createRunOf(api, await sharing(api, { limit: 5 }));
    await take(api, "increment-with-lease", { slots: 4, lease_duration: 300 });
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    const holder = { type: "task_run", id: run.id };
    await take(api, "increment-with-lease", { slots: 1, lease_duration: 300, holder });
    const full = {
      code: "deployment-limit-reached",
      is_blocking: true,
      message:
        "The concurrency limit shared of the deployment has 5 of 5 slots in use, 4 by nobody who has a name, 1 by task runs",
      action:
        "Wait until slots are given back, give back those that nobody needs any more, or raise the limit",
      resource: { kind: "concurrency-limit", name: "shared" },
      flow_run_ids: [],
    };
    expect(await explained(api, run)).toMatchObject([full]);
    expect(await claim(api, run)).toMatchObject({ state: { name: "AwaitingConcurrencySlot" } });
    expect(await explained(api, run)).toMatchObject([{ code: "waiting-for-slot" }, full]);
  });

  test("is slots that were taken without a lease, and not those of a lease that has run out", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await sharing(api, { limit: 3 });
    await claim(api, await createRunOf(api, deployment));
    const run = await createRunOf(api, deployment);
    await take(api, "increment", { slots: 1 });
    await take(api, "increment-with-lease", { slots: 1, lease_duration: 60 });
    expect(await codes(api, run)).toEqual(["deployment-limit-reached"]);
    clock.advanceMs(61_000);
    await sendWorkerHeartbeat(api);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    await api.patch("/v2/concurrency_limits/shared", { limit: 2 });
    expect(await explained(api, run)).toMatchObject([
      {
        message: expect.stringMatching(/2 of 2 slots in use, 1 by \w+ \w+.*, 1 by \w+ \w+/),
        flow_run_ids: [expect.any(String)],
      },
    ]);
    await api.patch("/v2/concurrency_limits/shared", { active: false });
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });

  test("is slots that come back with time", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const run = await createRunOf(
      api,
      await sharing(api, { limit: 2, slot_decay_per_second: 0.1 }),
    );
    await take(api, "increment", { slots: 2, mode: "rate_limit" });
    expect(await explained(api, run)).toMatchObject([
      {
        message:
          "The concurrency limit shared of the deployment has 2 of 2 slots in use, which come back with time",
        action: "Wait, or raise the limit",
      },
    ]);
    clock.advanceMs(11_000);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });

  test("is not the slot that the run has kept itself, nor its own place, while its process waits to retry it", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await deployed(api, { concurrency_limit: 1 });
    await api.patch("/work_pools/pool", { concurrency_limit: 1 });
    const run = await createRunOf(api, deployment, {
      empirical_policy: { retries: 1, retry_delay: 60 },
    });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await proposeFlow(api, run.id, type);
    const begins = "The run waits for its retry, which the process that ran it begins itself";
    const failed = Date.parse(clock.now());
    const after = (ms: number) => new Date(failed + ms).toISOString().replace("Z", "000Z");
    expect(await explained(api, run)).toMatchObject([{ message: begins, until: after(60_000) }]);
    clock.advanceMs(61_000);
    const message = `${begins}; without a word from it the run is offered again`;
    expect(await explained(api, run)).toMatchObject([{ message, until: after(660_000) }]);
  });

  test("is that a run which finds no slot is cancelled, where its deployment wants that", async () => {
    await using api = await open();
    const concurrency_options = { collision_strategy: "CANCEL_NEW" };
    const deployment = await deployed(api, { concurrency_limit: 1, concurrency_options });
    await sendWorkerHeartbeat(api);
    const [first, run] = [await createRunOf(api, deployment), await createRunOf(api, deployment)];
    await claim(api, first);
    expect(await explained(api, run)).toMatchObject([
      {
        code: "deployment-limit-reached",
        message:
          "The deployment runs 1 of 1 at the same time; the run is cancelled when it is claimed before one is free",
        action: "Raise the limit, or let runs that find no slot wait",
        flow_run_ids: [first.id],
      },
    ]);
    expect(await claim(api, run)).toMatchObject({ state: { type: "CANCELLED" } });
  });

  test("is a limit of 0, which only a higher one helps", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: 1 });
    const run = await createRunOf(api, deployment);
    await sendWorkerHeartbeat(api);
    await api.patch(`/v2/concurrency_limits/deployment:${deployment.id}`, { limit: 0 });
    await api.patch("/work_pools/pool", { concurrency_limit: 0 });
    await api.patch("/work_pools/pool/queues/default", { concurrency_limit: 0 });
    const action = "Raise the limit";
    expect(await explained(api, run)).toMatchObject([
      { message: "The work queue default has the limit 0: none of its runs is started", action },
      { message: "The work pool pool has the limit 0: none of its runs is started", action },
      { message: "The deployment's concurrency limit is 0: none of its runs is started", action },
    ]);
  });

  test("is the slot that a paused run gave back and that another has by now", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: 1 });
    const [run, other] = [await createRunOf(api, deployment), await createRunOf(api, deployment)];
    for (const type of ["PENDING", "RUNNING", "PAUSED"]) await proposeFlow(api, run.id, type);
    expect(await codes(api, run)).toEqual(["paused"]);
    await claim(api, other);
    expect(await explained(api, run)).toMatchObject([
      { code: "deployment-limit-reached", flow_run_ids: [other.id] },
      { code: "paused", action: "Resume it" },
    ]);
    expect((await api.post(`/flow_runs/${run.id}/resume`)).body).toMatchObject({ status: "WAIT" });
  });

  test("is found without reading runs that have ended or wait elsewhere", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: 1 });
    await api.patch("/work_pools/pool", { concurrency_limit: 1 });
    await api.patch("/work_pools/pool/queues/default", { concurrency_limit: 1 });
    await claim(api, await createRunOf(api, deployment));
    const { id } = await createRunOf(api, deployment);
    const plans = await plansOf(api, (ctx) => explainFlowRun(ctx, openScope("test"), id));
    const ofRuns = plans.filter((plan) => /flow_runs/.test(plan));
    expect(ofRuns).toHaveLength(4);
    for (const plan of ofRuns) expect(plan).not.toMatch(/SCAN flow_runs|Seq Scan on flow_runs/);
    expect(ofRuns.filter((plan) => /flow_runs_occupying/.test(plan))).toHaveLength(3);
  });
});
