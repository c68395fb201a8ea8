import { formatMicros } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { addDeployment, addFlow } from "../../testing/run-fixtures.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { flushPolls } from "../pools/poll-flush.service.ts";
import { checkWorkerHealth } from "./worker-health.loop.ts";

interface Worker {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

async function openPool(open: OpenTestApi): Promise<TestApi> {
  const api = await open();
  await api.post("/work_pools/", { name: "main", type: "process" });
  return api;
}

const beat = (api: TestApi, name: string, more: object = {}) =>
  api.post("/work_pools/main/workers/heartbeat", { name, ...more });
const list = async (api: TestApi, body: object = {}) =>
  (await api.post("/work_pools/main/workers/filter", body)).body as Worker[];
const told = async (api: TestApi) =>
  (await api.events()).map(({ event }) => event.split(".").slice(1).join(".")).slice(3);
const pool = async (api: TestApi) =>
  (await api.get("/work_pools/main")).body as { status: string; default_queue_id: string };

/** The same service some seconds later. */
function later(api: TestApi, seconds: number): OrchestratorContext {
  const { clock } = api.ctx;
  const nowMicros = () => clock.nowMicros() + seconds * 1_000_000;
  return { ...api.ctx, clock: { nowMicros, now: () => formatMicros(nowMicros()) } };
}

const look = (api: TestApi, seconds: number) =>
  checkWorkerHealth(later(api, seconds), new AbortController().signal);

describeEachApi("workers", (open) => {
  test("are known from their first heartbeat, which makes their pool ready", async () => {
    await using api = await openPool(open);
    const answer = await beat(api, "w", { heartbeat_interval_seconds: 10 });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(await list(api)).toEqual([
      {
        id: expect.any(String),
        created: expect.any(String),
        updated: expect.any(String),
        name: "w",
        work_pool_id: expect.any(String),
        last_heartbeat_time: expect.any(String),
        heartbeat_interval_seconds: 10,
        status: "ONLINE",
      },
    ]);
    expect((await pool(api)).status).toBe("READY");
    expect(await told(api)).toEqual(["work-pool.ready"]);
  });

  test("stay the same worker with every heartbeat", async () => {
    await using api = await openPool(open);
    await beat(api, "w");
    const [first] = await list(api);
    await beat(api, "w", { heartbeat_interval_seconds: 5 });
    expect(await list(api)).toMatchObject([{ id: first?.id, heartbeat_interval_seconds: 5 }]);
    expect(await told(api)).toEqual(["work-pool.ready"]);
  });

  test("learn their id as plain text when they ask for it, and may send more than is kept", async () => {
    await using api = await openPool(open);
    const answer = await beat(api, "w", { metadata: { packages: [] }, return_id: true, other: 1 });
    const [worker] = await list(api);
    expect(answer).toMatchObject({ status: 200, body: worker?.id });
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
  });

  test("of one name that come at once are one worker, and the pool is ready once", async () => {
    await using api = await openPool(open);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => beat(api, "w")));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await list(api)).toHaveLength(1);
    expect(await told(api)).toEqual(["work-pool.ready"]);
  });

  test("do not wake a pool that is paused", async () => {
    await using api = await openPool(open);
    await api.patch("/work_pools/main", { is_paused: true });
    await beat(api, "w");
    expect((await pool(api)).status).toBe("PAUSED");
  });

  test("are listed the last heard of first, and filtered by status and time", async () => {
    await using api = await openPool(open);
    await api.post("/work_pools/", { name: "other", type: "process" });
    await api.post("/work_pools/other/workers/heartbeat", { name: "elsewhere" });
    for (const name of ["a", "b", "c"]) await beat(api, name);
    const names = async (workers: object) => (await list(api, { workers })).map(({ name }) => name);
    expect((await names({})).toSorted()).toEqual(["a", "b", "c"]);
    expect(await names({ status: { any_: ["OFFLINE"] } })).toEqual([]);
    expect(await names({ status: { not_any_: ["OFFLINE"] } })).toHaveLength(3);
    expect(await names({ last_heartbeat_time: { after_: "2999-01-01" } })).toEqual([]);
    const either = {
      operator: "or_",
      status: { any_: ["ONLINE"] },
      last_heartbeat_time: { before_: "2999-01-01" },
    };
    expect(await names(either)).toHaveLength(3);
    expect(await list(api, { limit: 1, offset: 1 })).toHaveLength(1);
    expect(
      (
        await api.post("/work_pools/main/workers/filter", {
          workers: { status: { any_: ["AWAY"] } },
        })
      ).status,
    ).toBe(422);
  });

  test("are listed in the order that is asked for", async () => {
    await using api = await openPool(open);
    for (const name of ["b", "a", "c"]) await beat(api, name);
    const names = async (sort: string) => (await list(api, { sort })).map(({ name }) => name);
    expect(await names("NAME_ASC")).toEqual(["a", "b", "c"]);
    expect(await names("NAME_DESC")).toEqual(["c", "b", "a"]);
    expect(await names("CREATED_DESC")).toEqual(["c", "a", "b"]);
    const answer = await api.post("/work_pools/main/workers/filter", { sort: "COLOUR_ASC" });
    expect(answer.status).toBe(422);
  });

  test("are forgotten when they are deleted", async () => {
    await using api = await openPool(open);
    await beat(api, "w");
    expect((await api.delete("/work_pools/main/workers/w")).status).toBe(204);
    expect((await api.delete("/work_pools/main/workers/w")).status).toBe(404);
    expect(await list(api)).toEqual([]);
  });

  test("that send no name are refused", async () => {
    await using api = await openPool(open);
    expect((await api.post("/work_pools/main/workers/heartbeat", {})).status).toBe(422);
    expect((await beat(api, "")).status).toBe(422);
    expect((await beat(api, "w", { heartbeat_interval_seconds: 0 })).status).toBe(422);
  });
});

describeEachApi("the worker health loop", (open) => {
  test("turns silent workers offline after three missed heartbeats, and their pool with the last of them", async () => {
    await using api = await openPool(open);
    await beat(api, "slow");
    await beat(api, "quick", { heartbeat_interval_seconds: 10 });
    const online = { workers: { status: { any_: ["ONLINE"] } } };
    await look(api, 60);
    expect((await list(api, online)).map(({ name }) => name)).toEqual(["slow"]);
    expect((await pool(api)).status).toBe("READY");
    await look(api, 100);
    expect(await list(api, online)).toEqual([]);
    expect((await pool(api)).status).toBe("NOT_READY");
    expect(await told(api)).toEqual(["work-pool.ready", "work-pool.not-ready"]);
    await beat(api, "slow");
    expect((await pool(api)).status).toBe("READY");
  });

  test("turns queues and deployments that nobody polls any more not ready, once", async () => {
    await using api = await openPool(open);
    const { default_queue_id: work_queue_id } = await pool(api);
    const { id: flow_id } = await addFlow(api);
    await addDeployment(api, { flow_id, work_queue_id });
    await api.post("/work_pools/main/get_scheduled_flow_runs");
    await flushPolls(api.ctx);
    await look(api, 50);
    expect(await told(api)).toEqual(["work-queue.ready", "deployment.ready"]);
    await look(api, 70);
    await look(api, 90);
    expect(await told(api)).toEqual([
      "work-queue.ready",
      "deployment.ready",
      "deployment.not-ready",
      "work-queue.not-ready",
    ]);
    expect((await api.get(`/work_queues/${work_queue_id}`)).body).toMatchObject({
      status: "NOT_READY",
    });
    expect((await api.post("/deployments/filter", {})).body).toMatchObject([
      { status: "NOT_READY", last_polled: expect.any(String) },
    ]);
  });

  test("leaves a deployment ready whose queue is polled, however long ago its own last poll was", async () => {
    await using api = await openPool(open);
    const { default_queue_id: work_queue_id } = await pool(api);
    const { id: flow_id } = await addFlow(api);
    const last_polled = "2026-01-01T00:00:00.000000Z";
    await addDeployment(api, { flow_id, work_queue_id, status: "READY", last_polled });
    await api.patch(`/work_queues/${work_queue_id}`, { last_polled: api.ctx.clock.now() });
    await look(api, 30);
    expect(await told(api)).toEqual(["work-queue.ready"]);
  });

  test("does nothing where all is well", async () => {
    await using api = await openPool(open);
    await beat(api, "w");
    await look(api, 0);
    expect(await told(api)).toEqual(["work-pool.ready"]);
  });
});
