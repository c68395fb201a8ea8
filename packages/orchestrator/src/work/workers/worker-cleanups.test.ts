// What a run has left behind when nobody confirmed that it was stopped is taken down by a worker of
// its pool.

import { randomUUID } from "node:crypto";
import { openScope } from "@orchestrator/kernel/scope";
import { manualClock, type SocketClient } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { endOverdueRuns as decideOverdue } from "../../runs/retention/overdue-runs.loop.ts";
import { createRunsOf, createTestDeployment } from "../../testing/run-requests.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { findInfrastructure, insertCleanup } from "./worker-cleanups.store.ts";

type Body = Readonly<Record<string, unknown>>;
interface Frame {
  readonly type: string;
  readonly payload: Body;
}

const CAPABILITIES = ["worker_heartbeat.v1", "work_pool_snapshot.v1", "cleanup_delivery.v1"];
const scope = openScope("test");
const signal = new AbortController().signal;

async function openPool(open: OpenTestApi) {
  const clock = manualClock("2026-11-14T09:00:00.000000Z");
  const api = await open({ clock });
  await api.post("/work_pools/", { name: "main", type: "process" });
  const low = await api.post("/work_pools/main/queues", { name: "low" });
  const deployment = await createTestDeployment(api, { name: "d", work_pool_name: "main" });
  /** The run is cancelled, and nobody says that it was stopped. */
  const cancelInVain = async (id: string, more: Body): Promise<void> => {
    for (const type of ["PENDING", "RUNNING"])
      await api.post(`/flow_runs/${id}/set_state`, { state: { type } });
    await api.patch(`/flow_runs/${id}`, more);
    await api.post(`/flow_runs/${id}/set_state`, { state: { type: "CANCELLING" } });
    clock.advanceMs(60_000);
    await decideOverdue(api.ctx, signal);
    expect(await api.get(`/flow_runs/${id}`)).toMatchObject({
      body: { state_type: "CANCELLED" },
    });
  };
  return {
    api,
    clock,
    lowId: (low.body as { readonly id: string }).id,
    cancelInVain,
    abandon: async (
      more: Body = { infrastructure_pid: "host:7" },
      queue?: string,
    ): Promise<string> => {
      const place = queue === undefined ? {} : { work_queue_name: queue };
      const [id = ""] = await createRunsOf(api, deployment, { count: 1, ...place });
      await cancelInVain(id, more);
      return id;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** Leaves so much more behind where a run has left something, and before everything else. */
async function fillUp(api: TestApi, flow_run_id: string, count: number): Promise<void> {
  const { state_id } = (await api.get(`/flow_runs/${flow_run_id}`)).body as { state_id: string };
  await api.ctx.db.write(scope.workspaceId, async (tx) => {
    const place = await findInfrastructure(tx, { flow_run_id, state_id });
    if (place === null) throw new Error("The run has left nothing behind");
    for (let number = 0; number < count; number += 1)
      await insertCleanup(tx, {
        ...place,
        id: randomUUID(),
        created: "2026-11-14T08:00:00.000000Z",
        flow_run_id,
        // One of each kind is left in a place.
        kind: `kind ${number}`,
        delivery_count: 0,
        reservation_token: null,
        lease_expires_at: null,
      });
  });
}

/** A worker that has been let in. */
async function connect(api: TestApi, given: Body = {}): Promise<SocketClient> {
  const client = await api.socket("/work_pools/main/workers/connect");
  const payload = {
    consumer_id: randomUUID(),
    worker_name: "w1",
    worker_type: "process",
    heartbeat_interval_seconds: 30,
    supported_channel_versions: ["work_pool_worker_channel.v1"],
    requested_capabilities: CAPABILITIES,
    handled_cleanup_kinds: ["cancelling_timeout_teardown.v1"],
    max_cleanup_concurrency: 1,
    ...given,
  };
  client.send({ type: "worker.hello.v1", id: randomUUID(), sent_at: new Date(), payload });
  expect(await client.next()).toMatchObject({ type: "worker.ready.v1" });
  return client;
}

/** The next frame of a kind; the pool may be shown in between. */
async function heard(client: SocketClient, type: string): Promise<Body> {
  for (;;) {
    const frame = (await client.next()) as Frame;
    if (frame.type === type) return frame.payload;
  }
}

const message = (client: SocketClient) => heard(client, "cleanup.message.v1");

async function answer(
  client: SocketClient,
  operation: string,
  { message_id, reservation_token }: Body,
  more: Body = {},
): Promise<Body> {
  client.send({
    type: `cleanup.${operation}.v1`,
    id: randomUUID(),
    sent_at: new Date(),
    payload: { message_id, reservation_token, ...more },
  });
  return heard(client, "cleanup.operation_result.v1");
}

describeEachApi("infrastructure that a run has left behind", (open) => {
  test("is told to a worker that is there, and is done when it says so", async () => {
    await using pool = await openPool(open);
    await using client = await connect(pool.api);
    const flow_run_id = await pool.abandon();
    const told = await message(client);
    expect(told).toEqual({
      message_id: expect.any(String),
      kind: "cancelling_timeout_teardown.v1",
      reservation_token: expect.any(String),
      lease_expires_at: expect.any(String),
      delivery_count: 1,
      work_queue_id: expect.any(String),
      target: { flow_run_id, infrastructure_pid: "host:7" },
      data: {},
    });
    pool.clock.advanceMs(20_000);
    const renewed = await answer(client, "renew", told);
    expect(renewed).toMatchObject({ operation: "renew", status: "accepted", reason: null });
    expect(String(renewed["lease_expires_at"]) > String(told["lease_expires_at"])).toBe(true);
    const wrong = { ...told, reservation_token: "another" };
    expect(await answer(client, "ack", wrong)).toMatchObject({ status: "invalid_token" });
    expect(await answer(client, "ack", told)).toEqual({
      request_frame_id: expect.any(String),
      message_id: told["message_id"],
      operation: "ack",
      status: "accepted",
      lease_expires_at: null,
      reason: null,
      detail: null,
    });
    expect(await answer(client, "ack", told)).toMatchObject({
      status: "not_found",
      reason: expect.any(String),
    });
  });

  test("waits for a worker, of which each is told as much at once as it wants", async () => {
    await using pool = await openPool(open);
    const runs = [await pool.abandon(), await pool.abandon(), await pool.abandon()];
    await using one = await connect(pool.api);
    const first = await message(one);
    expect(first["target"]).toMatchObject({ flow_run_id: runs[0] });
    await using two = await connect(pool.api, { worker_name: "w2", max_cleanup_concurrency: 5 });
    const others = [await message(two), await message(two)];
    expect(others.map(({ target }) => (target as Body)["flow_run_id"])).toEqual(runs.slice(1));
    // Each is told to one of them.
    expect(one.waiting()).toBe(0);
  });

  test("is told again when it was given back or the lease has run out, but not for ever", async () => {
    await using pool = await openPool(open);
    await pool.abandon();
    await using client = await connect(pool.api);
    const first = await message(client);
    const reason = { reason: "busy" };
    expect(await answer(client, "release", first, reason)).toMatchObject({ status: "accepted" });
    const second = await message(client);
    expect(second).toMatchObject({ message_id: first["message_id"], delivery_count: 2 });
    pool.clock.advanceMs(31_000);
    expect(await answer(client, "ack", second)).toMatchObject({ status: "expired" });
    const third = await message(client);
    expect(third).toMatchObject({ delivery_count: 3 });
    expect(await answer(client, "release", third, reason)).toMatchObject({
      status: "dead_lettered",
    });
    expect(await answer(client, "ack", third)).toMatchObject({ status: "not_found" });
  });

  test("is not told to a worker of other queues, nor to one that takes nothing down", async () => {
    await using pool = await openPool(open);
    await pool.abandon();
    await using elsewhere = await connect(pool.api, { work_queue_names: ["low"] });
    await using idle = await connect(pool.api, {
      worker_name: "w2",
      requested_capabilities: CAPABILITIES.slice(0, 2),
      handled_cleanup_kinds: [],
      max_cleanup_concurrency: 0,
    });
    await using taker = await connect(pool.api, { worker_name: "w3" });
    const told = await message(taker);
    expect(await answer(taker, "ack", told)).toMatchObject({ status: "accepted" });
    for (const client of [elsewhere, idle]) {
      await client.ping();
      expect(client.waiting()).toBe(0);
    }
  });

  test("is all of it, where a run was tried again before anybody came", async () => {
    await using pool = await openPool(open);
    const id = await pool.abandon();
    await pool.api.post(`/flow_runs/${id}/set_state`, {
      state: { type: "SCHEDULED" },
      force: true,
    });
    await pool.cancelInVain(id, { infrastructure_pid: "host:8" });
    await using client = await connect(pool.api);
    for (const infrastructure_pid of ["host:7", "host:8"]) {
      const told = await message(client);
      expect(told["target"]).toEqual({ flow_run_id: id, infrastructure_pid });
      expect(await answer(client, "ack", told)).toMatchObject({ status: "accepted" });
    }
    expect(client.waiting()).toBe(0);
  });

  test("is told to the workers of its queue, however much there is in another", async () => {
    await using pool = await openPool(open);
    const first = await pool.abandon();
    const last = await pool.abandon(undefined, "low");
    await fillUp(pool.api, first, 100);
    await using client = await connect(pool.api, { work_queue_names: ["low"] });
    expect((await message(client))["target"]).toMatchObject({ flow_run_id: last });
  });

  test("is nothing where the run had none", async () => {
    await using pool = await openPool(open);
    await pool.abandon({});
    const kept = await pool.abandon();
    await using client = await connect(pool.api);
    expect((await message(client))["target"]).toMatchObject({ flow_run_id: kept });
    expect(client.waiting()).toBe(0);
  });
});
