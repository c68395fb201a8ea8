import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";
import { deleteLimit, setDeploymentLimit } from "./deployment-limit.service.ts";
import { secondsAfter } from "./occupancy.rules.ts";
import { releaseHolder, releaseLease } from "./release-slots.store.ts";
import { acquireLease, findLimit, renewLease } from "./slots.store.ts";

const DEPLOYMENT = "11111111-2222-4333-8444-555555555555";
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const run = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const { workspaceId } = openScope("test");

/** What the state machine does, each in a transaction of its own. */
function machine({ ctx }: TestApi) {
  const { db, clock } = ctx;
  return {
    limit: (limit: number) =>
      db.write(workspaceId, (tx) =>
        setDeploymentLimit(ctx, tx, { deploymentId: DEPLOYMENT, limit, now: clock.now() }),
      ),
    acquire: async (limitIds: readonly string[], id: string, ttlSeconds: number | null = 60) => {
      const holder = { type: "flow_run", id };
      const lease = await db.write(workspaceId, (tx) =>
        acquireLease(ctx, tx, { limitIds, slots: 1, holder, ttlSeconds, now: clock.now() }),
      );
      return "leaseId" in lease ? lease.leaseId : null;
    },
    renew: (leaseId: string, seconds: number | null) =>
      db.write(workspaceId, (tx) => {
        const now = clock.now();
        const expires = seconds === null ? null : secondsAfter(now, seconds);
        return renewLease(tx, { leaseId, expires, now });
      }),
    release: (leaseId: string) =>
      db.write(workspaceId, (tx) => releaseLease(ctx, tx, { leaseId, now: clock.now() })),
    releaseRun: (id: string) =>
      db.write(workspaceId, (tx) =>
        releaseHolder(ctx, tx, { type: "flow_run", id, now: clock.now() }),
      ),
  };
}

const inUse = async (api: TestApi, id: string): Promise<number> =>
  ((await api.get(`/v2/concurrency_limits/${id}`)).body as { active_slots: number }).active_slots;

describeEachApi("slots inside another transaction", (open) => {
  test("a deployment has one limit, made, changed and taken away with it", async () => {
    await using api = await open();
    const { ctx } = api;
    const { limit } = machine(api);
    const id = await limit(2);
    expect(await limit(3)).toBe(id);
    const found = await findLimit(ctx.db.in(workspaceId), { name: `deployment:${DEPLOYMENT}` });
    expect(found).toMatchObject({ id, slot_limit: 3, active: true });
    const now = ctx.clock.now();
    expect(await limit(4)).toBe(id);
    expect(await findLimit(ctx.db.in(workspaceId), { id })).toMatchObject({ slot_limit: 4 });
    const remove = () => ctx.db.write(workspaceId, (tx) => deleteLimit(ctx, tx, { id, now }));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(await findLimit(ctx.db.in(workspaceId), { id })).toBeNull();
    expect((await api.events()).map(({ event }) => event.split(".").at(-1))).toEqual([
      "created",
      "updated",
      "updated",
      "deleted",
    ]);
  });

  test("a run takes a slot, keeps it by renewing, and gives it back", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const { limit, acquire, renew, release } = machine(api);
    const id = await limit(1);
    const lease = (await acquire([id], run(1))) ?? "";
    expect(await acquire([id], run(2))).toBeNull();
    clock.advanceMs(45_000);
    expect(await renew(lease, 60)).toBe(true);
    clock.advanceMs(59_000);
    expect(await acquire([id], run(2))).toBeNull();
    expect([await release(lease), await release(lease)]).toEqual([true, false]);
    expect(await acquire([id], run(2))).not.toBeNull();
  });

  test("a lease that ran out cannot be renewed, and one without end never runs out", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const { limit, acquire, renew } = machine(api);
    const id = await limit(2);
    const first = (await acquire([id], run(1))) ?? "";
    const second = (await acquire([id], run(2))) ?? "";
    expect(await renew(second, null)).toBe(true);
    clock.advanceMs(1_000_000_000);
    expect([await renew(first, 60), await renew(second, 60)]).toEqual([false, true]);
    expect(await inUse(api, id)).toBe(1);
  });

  test("all that a run holds is given back at once", async () => {
    await using api = await open();
    const { limit, acquire, releaseRun } = machine(api);
    const id = await limit(3);
    await acquire([id], run(1));
    await acquire([id], run(1), null);
    await acquire([id], run(2));
    expect([await releaseRun(run(1)), await releaseRun(run(1))]).toEqual([2, 0]);
    expect(await inUse(api, id)).toBe(1);
  });

  test("limits that are not there or not active hold nobody up", async () => {
    await using api = await open();
    const { limit, acquire } = machine(api);
    const id = await limit(0);
    expect(await acquire([id], run(1))).toBeNull();
    await api.patch(`/v2/concurrency_limits/${id}`, { active: false });
    expect(await acquire([id, UNKNOWN_ID], run(1))).not.toBeNull();
    expect(await inUse(api, id)).toBe(0);
  });

  test("a deployment whose limit is deleted goes on without one", async () => {
    await using api = await open();
    const { db, clock } = api.ctx;
    const id = await machine(api).limit(1);
    const now = clock.now();
    const own = `'${workspaceId}', '${now}', '${now}'`;
    const linked = await db.exclusively(async (session) => {
      await session.execute(
        `insert into flows (id, workspace_id, created, updated, name, tags, labels) values ('${run(1)}', ${own}, 'f', '[]', '{}')`,
      );
      await session.execute(
        "insert into deployments (id, workspace_id, created, updated, name, flow_id, paused, concurrency_limit_id, job_variables," +
          " parameters, enforce_parameter_schema, tags, labels, status)" +
          ` values ('${DEPLOYMENT}', ${own}, 'd', '${run(1)}', false, '${id}', '{}', '{}', false, '[]', '{}', 'READY')`,
      );
      return session.rows("select concurrency_limit_id from deployments");
    });
    expect(linked).toEqual([{ concurrency_limit_id: id }]);
    expect((await api.delete(`/v2/concurrency_limits/${id}`)).status).toBe(204);
    const after = await db.exclusively((session) =>
      session.rows("select concurrency_limit_id from deployments"),
    );
    expect(after).toEqual([{ concurrency_limit_id: null }]);
  });
});
