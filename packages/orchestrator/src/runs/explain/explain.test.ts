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
import { proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

describeEachApi("why a run is not running", (open) => {
  test("is that no worker has ever come to its pool, with what to do about it", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    expect(await explained(api, run)).toMatchObject([
      {
        code: "no-worker-online",
        is_blocking: true,
        message: "The work pool pool has never had a worker",
        action: "Start a worker for the work pool pool",
        resource: { kind: "work-pool" },
      },
    ]);
  });

  test("is nothing once a worker is online", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    await sendWorkerHeartbeat(api);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });

  test("is its time, while that lies ahead", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    await sendWorkerHeartbeat(api);
    const scheduled_time = "2099-01-01T00:00:00Z";
    const run = await createRunOf(api, deployment, {
      state: { type: "SCHEDULED", state_details: { scheduled_time } },
    });
    expect(await explained(api, run)).toMatchObject([
      { code: "scheduled-later", until: "2099-01-01T00:00:00.000000Z" },
    ]);
  });

  test("is a paused queue or pool", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    await sendWorkerHeartbeat(api);
    await api.patch("/work_pools/pool", { is_paused: true });
    expect(await codes(api, run)).toEqual(["pool-paused"]);
    await api.patch("/work_pools/pool", { is_paused: false });
    await api.patch("/work_pools/pool/queues/default", { is_paused: true });
    expect(await codes(api, run)).toEqual(["queue-paused"]);
  });

  test("is a full pool, queue or deployment, with the runs that fill it", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: 1 });
    await sendWorkerHeartbeat(api);
    await api.patch("/work_pools/pool", { concurrency_limit: 1 });
    await api.patch("/work_pools/pool/queues/default", { concurrency_limit: 1 });
    const first = await createRunOf(api, deployment);
    const waiting = await createRunOf(api, deployment);
    await api.post(`/flow_runs/${first.id}/set_state`, { state: { type: "PENDING" } });
    expect(await explained(api, waiting)).toMatchObject([
      { code: "queue-limit-reached", flow_run_ids: [first.id] },
      { code: "pool-limit-reached", flow_run_ids: [first.id] },
      { code: "deployment-limit-reached", flow_run_ids: [first.id] },
    ]);
    await api.patch("/work_pools/pool", { concurrency_limit: 2 });
    await api.patch("/work_pools/pool/queues/default", { concurrency_limit: 2 });
    await api.post(`/flow_runs/${waiting.id}/set_state`, { state: { type: "PENDING" } });
    const resource = { kind: "concurrency-limit", name: `deployment:${deployment.id}` };
    expect(await explained(api, waiting)).toMatchObject([
      { code: "waiting-for-slot", resource, flow_run_ids: [first.id] },
      { code: "deployment-limit-reached", resource, flow_run_ids: [first.id] },
    ]);
  });

  test("is a limit that is full for its customer, by name", async () => {
    await using api = await open();
    const deployment = await deployed(api, { concurrency_limit: 1 });
    await sendWorkerHeartbeat(api);
    const limit = `/v2/concurrency_limits/deployment:${deployment.id}`;
    const of = (customer?: string) =>
      createRunOf(api, deployment, { parameters: { customer }, tags: ["team:data"] });
    const claim = async (run: Created) =>
      api.post(`/flow_runs/${run.id}/set_state`, { state: { type: "PENDING" } });
    await api.patch(limit, { key: { parameter: "customer" } });
    const [acme, other, none] = [await of("acme"), await of("umbrella"), await of()];
    for (const run of [acme, none]) await claim(run);
    const messageOf = async (run: Created) => (await explained(api, run)).at(-1);
    expect(await messageOf(await of("acme"))).toMatchObject({
      code: "deployment-limit-reached",
      message: "The deployment runs 1 of 1 at the same time for customer acme",
      flow_run_ids: [acme.id],
    });
    expect(await messageOf(await of())).toMatchObject({
      message: "The deployment runs 1 of 1 at the same time among those without customer",
      flow_run_ids: [none.id],
    });
    expect(await codes(api, other)).toEqual(["about-to-be-claimed"]);
    await api.patch(limit, { key: { tag_prefix: "team:" } });
    await claim(other);
    expect(await messageOf(await of())).toMatchObject({
      message: "The deployment runs 1 of 1 at the same time for the tag team:data",
      flow_run_ids: [other.id],
    });
  });

  test("is that no process serves its deployment, where it has no pool", async () => {
    await using api = await open();
    const flow = await made(api, "/flows/", { name: "etl" });
    const deployment = await made(api, "/deployments/", { name: "served", flow_id: flow.id });
    const run = await createRunOf(api, deployment);
    expect(await codes(api, run)).toEqual(["nobody-serves-deployment"]);
    const alone = await made(api, "/flow_runs/", {
      flow_id: flow.id,
      state: { type: "SCHEDULED" },
    });
    expect(await codes(api, alone)).toEqual(["not-in-a-queue"]);
  });

  test("is that its deployment is paused, as far as that matters", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    await sendWorkerHeartbeat(api);
    await api.post(`/deployments/${deployment.id}/pause_deployment`);
    const run = await createRunOf(api, deployment);
    expect(await explained(api, run)).toMatchObject([
      { code: "deployment-paused", is_blocking: false, resource: { id: deployment.id } },
      { code: "about-to-be-claimed" },
    ]);
  });

  test("is that its deployment is gone, by its id", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    await sendWorkerHeartbeat(api);
    const run = await createRunOf(api, deployment);
    await proposeFlow(api, run.id, "PENDING");
    await api.delete(`/deployments/${deployment.id}`);
    await proposeFlow(api, run.id, "SCHEDULED");
    expect((await explained(api, run))[0]).toMatchObject({
      code: "deployment-gone",
      action: "Delete the run",
      resource: { kind: "deployment", id: deployment.id, name: null },
    });
  });

  test("is an earlier run of its schedule, where that minds", async () => {
    await using api = await open();
    const schedules = [{ schedule: { interval: 60 }, overlap: "queue" }];
    const deployment = await deployed(api, { schedules });
    await sendWorkerHeartbeat(api);
    const start_time = new Date(Date.parse(api.ctx.clock.now()) - 4 * 60_000).toISOString();
    await api.post(`/deployments/${deployment.id}/schedule`, {
      start_time,
      min_runs: 3,
      min_time: 0,
    });
    const { body } = await api.post("/flow_runs/filter", { sort: "EXPECTED_START_TIME_ASC" });
    const [first, second, third] = body as [Created, Created, Created];
    const propose = (run: Created, type: string) =>
      api.post(`/flow_runs/${run.id}/set_state`, { state: { type } });
    expect(await codes(api, second)).toEqual(["about-to-be-claimed"]);
    await propose(first, "PENDING");
    expect(await explained(api, second)).toMatchObject([
      {
        code: "earlier-run-under-way",
        is_blocking: true,
        message: "An earlier run of the schedule has not ended: the run waits until there is none",
        resource: { kind: "schedule" },
        flow_run_ids: [first.id],
      },
    ]);
    await propose(second, "PENDING");
    const resource = { kind: "schedule", id: expect.any(String) };
    expect(await explained(api, second)).toMatchObject([
      { code: "waiting-for-slot", resource, flow_run_ids: [first.id] },
      { code: "earlier-run-under-way", resource, flow_run_ids: [first.id] },
    ]);
    await propose(first, "RUNNING");
    await propose(first, "COMPLETED");
    expect(await explained(api, second)).toMatchObject([
      {
        code: "waiting-for-slot",
        action: expect.stringContaining("asks at once"),
        resource,
        flow_run_ids: [],
      },
    ]);
    expect(await explained(api, third)).toMatchObject([
      { code: "earlier-run-under-way", is_blocking: true, flow_run_ids: [second.id] },
    ]);
    await propose(second, "SCHEDULED");
    expect(await codes(api, second)).toEqual(["about-to-be-claimed"]);
  });

  test("is what it is doing instead", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    const propose = (state: JsonBody) => api.post(`/flow_runs/${run.id}/set_state`, { state });
    await propose({ type: "PENDING" });
    expect(await codes(api, run)).toEqual(["claimed"]);
    await propose({ type: "RUNNING" });
    expect(await codes(api, run)).toEqual(["running"]);
    await propose({ type: "PAUSED" });
    expect(await codes(api, run)).toEqual(["paused"]);
    await propose({ type: "CANCELLING" });
    expect(await codes(api, run)).toEqual(["cancelling"]);
    await propose({ type: "CANCELLED" });
    expect(await codes(api, run)).toEqual(["ended"]);
  });

  test("is its time, also once it was claimed", async () => {
    await using api = await open();
    const state = {
      type: "SCHEDULED",
      state_details: { scheduled_time: "2099-01-01T00:00:00Z" },
    };
    const run = await createRunOf(api, await deployed(api), { state });
    const propose = (type: string) =>
      api.post(`/flow_runs/${run.id}/set_state`, { state: { type } });
    await propose("PENDING");
    expect(await explained(api, run)).toMatchObject([
      {
        code: "claimed",
        message: expect.stringMatching(
          /ahead of its time, and begins at 2099-01-01T00:00:00.000000Z$/,
        ),
        action: "Wait for its time",
        until: "2099-01-01T00:00:00.000000Z",
      },
    ]);
    expect((await propose("RUNNING")).body).toMatchObject({ status: "WAIT" });
  });

  test("is whoever claimed it, and what comes of it otherwise", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    const flow = await made(api, "/flows/", { name: "etl" });
    const alone = await made(api, "/flow_runs/", { flow_id: flow.id });
    for (const { id } of [run, alone])
      await api.post(`/flow_runs/${id}/set_state`, { state: { type: "PENDING" } });
    const actionOf = async (one: Created) => (await explained(api, one))[0]?.action;
    expect(await actionOf(run)).toMatch(/without a word from it the run is offered again$/);
    expect(await actionOf(alone)).toMatch(/without a word from it the run is taken for crashed$/);
  });

  test("is an input that it asks for while it is paused", async () => {
    await using api = await open();
    const run = await createRunOf(api, await deployed(api));
    const propose = (state: JsonBody) => api.post(`/flow_runs/${run.id}/set_state`, { state });
    await propose({ type: "PENDING" });
    await propose({ type: "RUNNING" });
    const run_input_keyset = { schema: "schema", response: "response", description: "text" };
    await propose({ type: "PAUSED", state_details: { run_input_keyset } });
    expect(await explained(api, run)).toMatchObject([
      {
        code: "paused",
        message: expect.stringMatching(/, and waits for an input$/),
        action: "Resume it with the input that it asks for",
      },
    ]);
  });

  test("is not known of a run that does not exist", async () => {
    await using api = await open();
    expect(await api.get(`/flow_runs/${UNKNOWN_ID}/explain`)).toMatchObject({ status: 404 });
  });
});
