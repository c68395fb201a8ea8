import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";
import { releaseExpiredLeases } from "./lease-repossessor.loop.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const RUN_ID = "11111111-2222-4333-8444-555555555555";
const ROOT = "/v2/concurrency_limits";

type Fields = Readonly<Record<string, unknown>>;

async function create(api: TestApi, name: string, limit: number, more: Fields = {}) {
  const answer = await api.post(`${ROOT}/`, { name, limit, ...more });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

async function inUse(api: TestApi, name: string): Promise<number> {
  return ((await api.get(`${ROOT}/${name}`)).body as { active_slots: number }).active_slots;
}

const increment = (api: TestApi, names: readonly string[], slots = 1, more: Fields = {}) =>
  api.post(`${ROOT}/increment`, { names, slots, ...more });
const decrement = (api: TestApi, names: readonly string[], slots = 1, more: Fields = {}) =>
  api.post(`${ROOT}/decrement`, { names, slots, ...more });

async function lease(api: TestApi, names: readonly string[], slots = 1, more: Fields = {}) {
  const answer = await api.post(`${ROOT}/increment-with-lease`, { names, slots, ...more });
  const { lease_id } = (answer.body ?? {}) as { lease_id: string };
  return { ...answer, lease_id };
}
const renew = (api: TestApi, id: string, body: Fields = {}) =>
  api.post(`${ROOT}/leases/${id}/renew`, body);
const release = (api: TestApi, lease_id: string) =>
  api.post(`${ROOT}/decrement-with-lease`, { lease_id });

async function holders(api: TestApi, name: string, query = "") {
  const answer = await api.get(`${ROOT}/${name}/holders${query}`);
  expect(answer.status).toBe(200);
  return answer.body as (Fields & { slots: number })[];
}

const unhurried = new AbortController().signal;

describeEachApi("concurrency slots", (open) => {
  test("are taken and given back without a lease", async () => {
    await using api = await open();
    const id = await create(api, "a", 3);
    const taken = await increment(api, ["a"], 2);
    expect(taken).toMatchObject({ status: 200, body: [{ id, name: "a", limit: 3 }] });
    expect((await increment(api, ["a"])).status).toBe(200);
    expect(await inUse(api, "a")).toBe(3);
    expect(await holders(api, "a")).toMatchObject([{ lease_id: null, holder: null, slots: 3 }]);
    expect((await decrement(api, ["a"], 2)).body).toEqual([{ id, name: "a", limit: 3 }]);
    expect(await inUse(api, "a")).toBe(1);
  });

  test("given back more often than taken leave none, and nothing of what leases hold", async () => {
    await using api = await open();
    await create(api, "a", 5);
    await increment(api, ["a"], 2);
    await lease(api, ["a"], 2);
    expect((await decrement(api, ["a"], 5)).status).toBe(200);
    expect((await decrement(api, ["a"], 5)).status).toBe(200);
    expect(await inUse(api, "a")).toBe(2);
  });

  test("are taken of all the limits or of none", async () => {
    await using api = await open();
    await create(api, "a", 2);
    await create(api, "b", 1);
    expect((await increment(api, ["a", "b", "a"])).body).toHaveLength(2);
    expect((await increment(api, ["a", "b"])).status).toBe(423);
    expect((await lease(api, ["b", "a"])).status).toBe(423);
    expect([await inUse(api, "a"), await inUse(api, "b")]).toEqual([1, 1]);
    expect((await lease(api, ["a"])).status).toBe(200);
  });

  test("that are not free are answered with 423 and when to ask again", async () => {
    await using api = await open();
    await create(api, "a", 1);
    await increment(api, ["a"]);
    const answer = await increment(api, ["a"]);
    expect(answer).toMatchObject({ status: 423, body: { detail: "Locked" } });
    const seconds = Number(answer.headers["retry-after"]);
    expect(seconds).toBeGreaterThanOrEqual(1.5);
    expect(seconds).toBeLessThanOrEqual(2.6);
    // Whoever asks next is told to wait behind the one before.
    const next = Number((await lease(api, ["a"])).headers["retry-after"]);
    expect(next).toBeGreaterThanOrEqual(3);
    expect(next).toBeLessThanOrEqual(5.2);
  });

  test("of limits that there are none of are taken at once", async () => {
    await using api = await open();
    expect(await increment(api, ["x"])).toMatchObject({ status: 200, body: [] });
    expect(await decrement(api, ["x"])).toMatchObject({ status: 200, body: [] });
    const { lease_id, ...answer } = await lease(api, ["x"]);
    expect(answer).toMatchObject({ status: 200, body: { lease_id, limits: [] } });
    expect((await renew(api, lease_id)).status).toBe(204);
    expect((await release(api, lease_id)).status).toBe(204);
    expect((await renew(api, lease_id)).status).toBe(410);
  });

  test("of an inactive limit never hold anybody up and are not counted", async () => {
    await using api = await open();
    const id = await create(api, "a", 0, { active: false });
    expect((await increment(api, ["a"], 5)).body).toEqual([{ id, name: "a", limit: 0 }]);
    expect((await lease(api, ["a"], 5)).status).toBe(200);
    expect(await inUse(api, "a")).toBe(0);
  });

  test("beyond the limit itself, or at a rate where there is none, are refused with 422", async () => {
    await using api = await open();
    await create(api, "a", 2);
    await create(api, "rate", 2, { slot_decay_per_second: 1 });
    for (const take of [increment, lease]) {
      const tooMany = await take(api, ["a"], 3);
      expect(tooMany.status).toBe(422);
      expect(tooMany.body).toMatchObject({
        detail: expect.stringContaining("2 slots"),
        exception_detail: [{ loc: ["body", "slots"], msg: expect.any(String) }],
      });
      expect((await take(api, ["a"], 1, { mode: "rate_limit" })).status).toBe(422);
      expect((await take(api, ["rate"], 1, { mode: "rate_limit" })).status).toBe(200);
    }
  });

  test.each([
    ["increment", { names: [], slots: 1 }],
    ["increment", { names: ["a"], slots: 0 }],
    ["increment", { slots: 1 }],
    ["increment", { names: ["a"], slots: 1, mode: "other" }],
    ["increment-with-lease", { names: ["a"], slots: 1, lease_duration: 59 }],
    ["increment-with-lease", { names: ["a"], slots: 1, lease_duration: 86_401 }],
    ["increment-with-lease", { names: ["a"], slots: 1, holder: { type: "cat", id: RUN_ID } }],
    ["decrement", { names: ["a"], slots: 1, occupancy_seconds: 0 }],
    ["decrement-with-lease", {}],
    [`leases/${UNKNOWN_ID}/renew`, { lease_duration: 1 }],
  ])("%s refuses %j", async (path, body) => {
    await using api = await open();
    expect((await api.post(`${ROOT}/${path}`, body)).status).toBe(422);
  });

  test("on a lease belong to their holder until they are given back", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api, "a", 3);
    const holder = { type: "task_run", id: RUN_ID };
    const { lease_id, ...answer } = await lease(api, ["a"], 2, { holder, lease_duration: 60 });
    expect(answer.body).toEqual({ lease_id, limits: [{ id, name: "a", limit: 3 }] });
    expect(await holders(api, "a")).toEqual([
      {
        lease_id,
        holder,
        slots: 2,
        key: null,
        acquired: "2026-01-01T00:00:00.000000Z",
        expires: "2026-01-01T00:01:00.000000Z",
      },
    ]);
    expect((await release(api, lease_id)).status).toBe(204);
    expect((await release(api, lease_id)).status).toBe(204);
    expect([await inUse(api, "a"), await holders(api, "a")]).toEqual([0, []]);
  });

  test("and their holders are listed a page at a time", async () => {
    await using api = await open();
    await create(api, "a", 3);
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await lease(api, ["a"])).lease_id);
    const page = await holders(api, "a", "?limit=1&offset=1");
    expect(page.map(({ lease_id }) => lease_id)).toEqual([ids[1]]);
  });

  test("on a lease that has run out are free at once", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 1);
    const first = await lease(api, ["a"], 1, { lease_duration: 60 });
    clock.advanceMs(59_999);
    expect((await lease(api, ["a"])).status).toBe(423);
    clock.advanceMs(1);
    expect([await inUse(api, "a"), await holders(api, "a")]).toEqual([0, []]);
    expect((await lease(api, ["a"])).status).toBe(200);
    expect((await renew(api, first.lease_id)).status).toBe(410);
    expect((await release(api, first.lease_id)).status).toBe(204);
    expect(await inUse(api, "a")).toBe(1);
  });

  test("are kept by renewing the lease, counted from now", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 1);
    const { lease_id } = await lease(api, ["a"], 1, { lease_duration: 60 });
    clock.advanceMs(45_000);
    expect((await renew(api, lease_id, { lease_duration: 60 })).status).toBe(204);
    clock.advanceMs(59_000);
    expect(await inUse(api, "a")).toBe(1);
    clock.advanceMs(1_000);
    expect((await renew(api, lease_id)).status).toBe(410);
    expect((await renew(api, UNKNOWN_ID)).status).toBe(410);
  });

  test("that go make the next wait shorter or longer", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 1);
    const { lease_id } = await lease(api, ["a"]);
    clock.advanceMs(20_000);
    await release(api, lease_id);
    await increment(api, ["a"]);
    // The average of 2 s has moved half-way to 20 s.
    const seconds = Number((await increment(api, ["a"])).headers["retry-after"]);
    expect(seconds).toBeGreaterThanOrEqual(11 * 0.75);
    await decrement(api, ["a"], 1, { occupancy_seconds: 1 });
    await increment(api, ["a"]);
    clock.advanceMs(60_000);
    const shorter = Number((await increment(api, ["a"])).headers["retry-after"]);
    expect(shorter).toBeLessThanOrEqual(6 * 1.3);
  });

  test("of a rate limit come back with time, and not before", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "rate", 2, { slot_decay_per_second: 1 });
    const ask = async () => (await increment(api, ["rate"], 1, { mode: "rate_limit" })).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 423]);
    clock.advanceMs(600);
    expect(await ask()).toBe(423);
    clock.advanceMs(400);
    expect([await ask(), await ask()]).toEqual([200, 423]);
    await decrement(api, ["rate"], 5);
    expect(await inUse(api, "rate")).toBe(0);
  });

  test("of a rate limit on a lease come back early, as far as they have not decayed", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "rate", 5, { slot_decay_per_second: 0.1 });
    const { lease_id } = await lease(api, ["rate"], 2);
    await increment(api, ["rate"], 3);
    clock.advanceMs(10_000);
    expect(await inUse(api, "rate")).toBe(4);
    await release(api, lease_id);
    expect(await inUse(api, "rate")).toBe(3);
  });

  test("of a deleted limit are gone, while leases go on for the others", async () => {
    await using api = await open();
    await create(api, "a", 1);
    await create(api, "b", 1);
    const { lease_id } = await lease(api, ["a", "b"]);
    await api.delete(`${ROOT}/a`);
    expect((await renew(api, lease_id)).status).toBe(204);
    expect(await inUse(api, "b")).toBe(1);
    await release(api, lease_id);
    expect(await inUse(api, "b")).toBe(0);
  });

  test("that become free are announced", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 2);
    // A call to all topics may come at any time and counts for none.
    let nudges = 0;
    api.ctx.db.wakeUps.on("slots", () => {
      nudges += 1;
    });
    api.ctx.db.wakeUps.on("another topic", () => {
      nudges -= 1;
    });
    const told = async (change: () => Promise<unknown>): Promise<boolean> => {
      nudges = 0;
      await change();
      return nudges > 0;
    };
    const { lease_id } = await lease(api, ["a"], 1, { lease_duration: 60 });
    expect(await told(() => release(api, lease_id))).toBe(true);
    expect(await told(() => increment(api, ["a"]))).toBe(false);
    expect(await told(() => decrement(api, ["a"]))).toBe(true);
    expect(await told(() => api.patch(`${ROOT}/a`, { limit: 3 }))).toBe(true);
    await lease(api, ["a"], 1, { lease_duration: 60 });
    clock.advanceMs(60_000);
    expect(await told(() => releaseExpiredLeases(api.ctx, unhurried))).toBe(true);
    expect(await told(() => api.delete(`${ROOT}/a`))).toBe(true);
  });

  test("asked for by 16 at once on a limit of 5 go to exactly 5", async () => {
    await using api = await open();
    await create(api, "a", 5);
    await create(api, "b", 20);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => lease(api, i % 2 === 0 ? ["a", "b"] : ["b", "a"])),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 423)).toHaveLength(11);
    expect([await inUse(api, "a"), await inUse(api, "b")]).toEqual([5, 5]);
  });

  test("of expired leases asked for by 16 at once go to exactly 5", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 5);
    await create(api, "b", 5);
    for (let i = 0; i < 5; i += 1) await lease(api, ["a", "b"], 1, { lease_duration: 60 });
    clock.advanceMs(60_000);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => lease(api, [i % 2 === 0 ? "a" : "b"])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect([await inUse(api, "a"), await inUse(api, "b")]).toEqual([5, 5]);
  });
});

describeEachApi("the lease repossessor", (open) => {
  test("gives back what expired leases hold, in as many batches as it takes", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 200);
    const { lease_id } = await lease(api, ["a"], 1, { lease_duration: 120 });
    // One after another: on a busy machine some of very many at once would be told to come back.
    for (let i = 0; i < 120; i += 1) {
      expect((await lease(api, ["a"], 1, { lease_duration: 60 })).status).toBe(200);
    }
    expect(await releaseExpiredLeases(api.ctx, unhurried)).toBe(0);
    clock.advanceMs(60_000);
    expect(await releaseExpiredLeases(api.ctx, unhurried)).toBe(120);
    expect(await releaseExpiredLeases(api.ctx, unhurried)).toBe(0);
    expect(await inUse(api, "a")).toBe(1);
    expect(await holders(api, "a")).toMatchObject([{ lease_id }]);
  });

  test("stops when it is told to", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, "a", 1);
    await lease(api, ["a"], 1, { lease_duration: 60 });
    clock.advanceMs(60_000);
    expect(await releaseExpiredLeases(api.ctx, AbortSignal.abort())).toBe(0);
  });
});
