import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  type Created,
  codes,
  createRunOf,
  deployed,
  explained,
  made,
  sendWorkerHeartbeat,
} from "../../testing/explanations.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { flushPolls } from "../../work/pools/poll-flush.service.ts";

/** Asks for runs, and until it is known that somebody did; tells which were offered. */
async function polled(api: TestApi, path: string, body: object = {}): Promise<string[]> {
  const answer = await api.post(path, body);
  expect(answer.status).toBe(200);
  await flushPolls(api.ctx);
  return (answer.body as { id?: string; flow_run?: { id: string } }[]).map(
    ({ id, flow_run }) => flow_run?.id ?? id ?? "",
  );
}

const pollPool = (api: TestApi, pool = "pool", names: string[] = []) =>
  polled(api, `/work_pools/${pool}/get_scheduled_flow_runs`, { work_queue_names: names });

const serve = (api: TestApi, { id }: Created) =>
  polled(api, "/deployments/get_scheduled_flow_runs", { deployment_ids: [id] });

describeEachApi("why a run is not running, by who works,", (open) => {
  test("is that its queue is the one nobody polls", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await made(api, "/work_pools/", { name: "pool", type: "process" });
    await sendWorkerHeartbeat(api);
    await pollPool(api);
    const queue = await made(api, "/work_pools/pool/queues", { name: "special" });
    const run = await createRunOf(api, await deployed(api, { work_queue_name: "special" }));
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    clock.advanceMs(1000);
    expect(await pollPool(api, "pool", ["default"])).toEqual([]);
    expect(await explained(api, run)).toMatchObject([
      {
        code: "nobody-polls-queue",
        is_blocking: true,
        message:
          "Nobody asks for runs of the work queue special, only for those of others of the pool pool",
        action: "Start a worker for the work queue special, or one for the whole pool",
        resource: { kind: "work-queue", id: queue.id },
      },
    ]);
    expect(await pollPool(api)).toEqual([run.id]);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });

  test("is not that one worker has gone, while another is online", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const run = await createRunOf(api, await deployed(api));
    const path = "/work_pools/pool/workers/heartbeat";
    await api.post(path, { name: "slow", heartbeat_interval_seconds: 300 });
    clock.advanceMs(1000);
    await api.post(path, { name: "fast", heartbeat_interval_seconds: 1 });
    clock.advanceMs(10_000);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    clock.advanceMs(900_000);
    expect(await explained(api, run)).toMatchObject([
      {
        code: "no-worker-online",
        message:
          "No worker of the pool pool is online; fast was last heard at 2026-01-01T00:00:01.000000Z",
      },
    ]);
  });

  test("is not that no worker has sent a heartbeat, while somebody polls the pool", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const run = await createRunOf(api, await deployed(api));
    expect(await pollPool(api)).toEqual([run.id]);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    clock.advanceMs(61_000);
    expect(await explained(api, run)).toMatchObject([
      {
        code: "no-worker-online",
        message:
          "No worker of the pool pool is online; somebody last asked for runs at 2026-01-01T00:00:00.000000Z",
      },
    ]);
  });

  test("is not that no worker is online, while an agent polls the queue", async () => {
    await using api = await open();
    await made(api, "/work_pools/", { name: "pool", type: "prefect-agent" });
    const run = await createRunOf(api, await deployed(api));
    const { body } = await api.get("/work_pools/pool/queues/default");
    const path = `/work_queues/${(body as Created).id}/get_runs`;
    expect(await polled(api, path)).toEqual([run.id]);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });

  test("is not that no worker is online, or that the pool is paused, while a process serves the deployment", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    const run = await createRunOf(api, deployment);
    await api.patch("/work_pools/pool", { is_paused: true });
    expect(await codes(api, run)).toEqual(["pool-paused", "no-worker-online"]);
    expect(await serve(api, deployment)).toEqual([run.id]);
    expect(await explained(api, run)).toMatchObject([
      { code: "pool-paused", is_blocking: false },
      { code: "about-to-be-claimed" },
    ]);
  });

  test("is that it is in no queue, which a pool for its deployment does not change", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    const run = await createRunOf(api, deployment);
    await api.delete("/work_pools/pool");
    expect(await explained(api, run)).toMatchObject([
      {
        code: "nobody-serves-deployment",
        message: "No process serves the deployment, and the run is in no work queue",
        action:
          "Serve the deployment, or execute the run by hand; a work pool would help only runs that are made afterwards",
        resource: { kind: "deployment", id: deployment.id },
      },
    ]);
    await made(api, "/work_pools/", { name: "new", type: "process" });
    await api.patch(`/deployments/${deployment.id}`, { work_pool_name: "new" });
    const another = await createRunOf(api, deployment);
    expect(await pollPool(api, "new")).toEqual([another.id]);
    expect(await explained(api, run)).toMatchObject([
      {
        code: "nobody-serves-deployment",
        is_blocking: true,
        message:
          "The run is in no work queue, and workers of the pool new are offered only runs that were made for it: nobody but a process that serves the deployment would come for it",
        action: "Make a new run of the deployment, serve it, or execute this run by hand",
      },
    ]);
    expect(await codes(api, another)).toEqual(["about-to-be-claimed"]);
  });

  test("is nothing for a run in no queue while a process serves its deployment beside a worker that polls the new pool", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await deployed(api);
    const run = await createRunOf(api, deployment);
    await api.delete("/work_pools/pool");
    await made(api, "/work_pools/", { name: "new", type: "process" });
    await api.patch(`/deployments/${deployment.id}`, { work_pool_name: "new" });
    await pollPool(api, "new");
    expect(await codes(api, run)).toEqual(["nobody-serves-deployment"]);
    expect(await serve(api, deployment)).toEqual([run.id]);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
    clock.advanceMs(61_000);
    await pollPool(api, "new");
    expect(await codes(api, run)).toEqual(["nobody-serves-deployment"]);
  });

  test("is nothing for a run in no queue whose deployment a process serves", async () => {
    await using api = await open();
    const deployment = await deployed(api);
    const run = await createRunOf(api, deployment);
    await api.delete("/work_pools/pool");
    expect(await serve(api, deployment)).toEqual([run.id]);
    expect(await codes(api, run)).toEqual(["about-to-be-claimed"]);
  });
});
