import { randomUUID } from "node:crypto";
import type { WorkerHello } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { type SocketClient, until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { welcomeWorker } from "./worker-channel.service.ts";

type Body = Readonly<Record<string, unknown>>;
const TEMPLATE = {
  job_configuration: { command: "{{ command }}" },
  variables: { type: "object", properties: { command: { type: "string" } } },
};
const consumer_id = randomUUID();

const hello: Body = {
  consumer_id,
  worker_name: "w1",
  worker_type: "process",
  heartbeat_interval_seconds: 30,
  supported_channel_versions: ["work_pool_worker_channel.v1"],
  requested_capabilities: ["worker_heartbeat.v1", "work_pool_snapshot.v1", "cleanup_delivery.v1"],
  work_queue_names: [],
  handled_cleanup_kinds: ["cancelling_timeout_teardown.v1"],
  max_cleanup_concurrency: 1,
  create_pool_if_not_found: true,
  default_base_job_template: TEMPLATE,
  worker_metadata: null,
};
const beat: Body = { consumer_id, worker_name: "w1", heartbeat_interval_seconds: 30 };

function say(client: SocketClient, type: string, payload: Body, more: Body = {}): void {
  client.send({ type, id: randomUUID(), sent_at: new Date().toISOString(), payload, ...more });
}

async function connect(api: TestApi, given: Body = {}, pool = "main"): Promise<SocketClient> {
  const client = await api.socket(`/work_pools/${pool}/workers/connect`);
  say(client, "worker.hello.v1", { ...hello, ...given });
  return client;
}

async function workers(api: TestApi): Promise<Body[]> {
  return (await api.post("/work_pools/main/workers/filter")).body as Body[];
}

describeEachApi("the channel of a worker", (open) => {
  test("makes the pool if asked to, and shows it whole", async () => {
    await using api = await open({ dialect: "prefect" });
    await using client = await connect(api);
    const ready = await client.next();
    expect(ready).toEqual({
      type: "worker.ready.v1",
      id: expect.any(String),
      sent_at: expect.any(String),
      payload: {
        consumer_id,
        worker_id: null,
        selected_channel_version: "work_pool_worker_channel.v1",
        effective_heartbeat_interval_seconds: 30,
        accepted_capabilities: [
          "worker_heartbeat.v1",
          "work_pool_snapshot.v1",
          "cleanup_delivery.v1",
        ],
        rejected_capabilities: [],
        effective_max_cleanup_concurrency: 1,
        resolved_work_queues: [{ id: expect.any(String), name: "default" }],
        initial_snapshot: {
          snapshot_sequence: 1,
          reason: "initial",
          work_pool: (await api.get("/work_pools/main")).body,
        },
      },
    });
    expect(ready).toMatchObject({
      payload: {
        initial_snapshot: {
          work_pool: { type: "process", status: "READY", base_job_template: TEMPLATE },
        },
      },
    });
  });

  test("names the queues that are there, and gives an empty pool the worker's template", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "main", type: "process" });
    await api.post("/work_pools/main/queues", { name: "low" });
    const given = { create_pool_if_not_found: false, work_queue_names: ["low", "none"] };
    await using client = await connect(api, given);
    expect(await client.next()).toMatchObject({
      payload: {
        resolved_work_queues: [{ name: "low" }],
        initial_snapshot: { work_pool: { base_job_template: TEMPLATE } },
      },
    });
  });

  test("counts as a heartbeat, and so does each one that comes through it", async () => {
    await using api = await open();
    await using client = await connect(api);
    await client.next();
    const [before] = await workers(api);
    expect(before).toMatchObject({
      name: "w1",
      status: "ONLINE",
      heartbeat_interval_seconds: 30,
    });
    say(client, "worker.heartbeat.v1", { ...beat, heartbeat_interval_seconds: 20 });
    await until(async () => {
      expect(await workers(api)).toMatchObject([
        { id: before?.["id"], heartbeat_interval_seconds: 20 },
      ]);
    });
  });

  test("tells of every change that matters to a worker", async () => {
    await using api = await open();
    await using client = await connect(api);
    await client.next();
    await api.patch("/work_pools/main", { is_paused: true });
    expect(await client.next()).toMatchObject({
      type: "work_pool.snapshot.v1",
      payload: {
        snapshot_sequence: 2,
        reason: "work_pool_updated",
        work_pool: { is_paused: true },
      },
    });
    await api.patch("/work_pools/main", { description: "described" });
    say(client, "worker.heartbeat.v1", beat);
    expect(await client.next()).toMatchObject({
      payload: { snapshot_sequence: 3, work_pool: { description: "described" } },
    });
    await api.patch("/work_pools/main", { concurrency_limit: 3 });
    expect(await client.next()).toMatchObject({
      payload: { snapshot_sequence: 4, work_pool: { concurrency_limit: 3 } },
    });
  });

  test("ends with the pool", async () => {
    await using api = await open();
    await using client = await connect(api);
    await client.next();
    await api.delete("/work_pools/main");
    expect(await client.closed).toEqual({ code: 1008, reason: "authorization_failed" });
  });

  test("is refused with the reason in the words that workers know", async () => {
    await using api = await open();
    const refusals: [Body, string | undefined, number, string][] = [
      [{ create_pool_if_not_found: false }, "main", 1008, "authorization_failed"],
      [{}, "prefect-pool", 1008, "authorization_failed"],
      [{}, "no%26name", 1008, "authorization_failed"],
      [{ supported_channel_versions: ["v9"] }, "main", 1008, "unsupported_version"],
      [{ requested_capabilities: ["worker_heartbeat.v1"] }, "main", 1002, "protocol_error"],
      [{ unknown: 1 }, "main", 1002, "protocol_error"],
      [{ worker_name: "" }, "main", 1002, "protocol_error"],
    ];
    for (const [given, pool, code, reason] of refusals) {
      await using client = await connect(api, given, pool);
      expect(await client.closed, JSON.stringify(given)).toEqual({ code, reason });
    }
    expect((await api.post("/work_pools/count", {})).body).toBe(0);
  });

  test("ends when something else is said than that the worker lives", async () => {
    await using api = await open();
    const frames: [string, Body, Body?][] = [
      ["worker.hello.v1", hello],
      ["worker.heartbeat.v1", { ...beat, consumer_id: randomUUID() }],
      ["worker.heartbeat.v1", { ...beat, worker_name: "another" }],
      ["worker.heartbeat.v1", beat, { extra: 1 }],
      ["cleanup.ack.v1", { message_id: randomUUID(), reservation_token: "t" }],
    ];
    // This one was not told of anything.
    const given = {
      requested_capabilities: ["worker_heartbeat.v1", "work_pool_snapshot.v1"],
      handled_cleanup_kinds: [],
      max_cleanup_concurrency: 0,
    };
    for (const [type, payload, more] of frames) {
      await using client = await connect(api, given);
      await client.next();
      say(client, type, payload, more);
      expect(await client.closed).toEqual({ code: 1002, reason: "protocol_error" });
    }
  });

  test("neither makes a pool nor gives it a template for a worker that may only run", async () => {
    await using api = await open();
    const scope = openScope("test");
    const runner = { ...scope, caller: { ...scope.caller, isKeptFromChanges: true } };
    const greeting = hello as unknown as WorkerHello;
    const greet = () => welcomeWorker(api.ctx, runner, { poolName: "main", hello: greeting });
    await expect(greet()).rejects.toMatchObject({ code: "not_found" });
    await api.post("/work_pools/", { name: "main", type: "process" });
    expect((await greet()).pool).toMatchObject({ name: "main", base_job_template: {} });
    expect(await workers(api)).toMatchObject([{ name: "w1" }]);
  });
});
