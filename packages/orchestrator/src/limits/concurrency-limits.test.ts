import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const ROOT = "/v2/concurrency_limits";

interface LimitBody {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
}

async function create(api: TestApi, body: Readonly<Record<string, unknown>>): Promise<LimitBody> {
  const answer = await api.post(`${ROOT}/`, body);
  expect(answer.status).toBe(201);
  return answer.body as LimitBody;
}

async function inUse(api: TestApi, key: string): Promise<number> {
  const { status, body } = await api.get(`${ROOT}/${key}`);
  expect(status).toBe(200);
  return (body as { active_slots: number }).active_slots;
}

describeEachApi("concurrency limits", (open) => {
  test("creates a limit and answers 201 with all that is known of it", async () => {
    await using api = await open();
    const answer = await api.post(`${ROOT}/`, { name: "database", limit: 5 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created: (answer.body as LimitBody).updated,
      updated: expect.stringMatching(/Z$/),
      active: true,
      name: "database",
      limit: 5,
      active_slots: 0,
      denied_slots: 0,
      slot_decay_per_second: 0,
      avg_slot_occupancy_seconds: 2,
      key: null,
    });
  });

  test("reads it by id, in any spelling, and by name", async () => {
    await using api = await open();
    const { id, created } = await create(api, {
      name: "a b",
      limit: 5,
      slot_decay_per_second: 0.5,
    });
    const record = {
      id,
      created,
      updated: created,
      active: true,
      name: "a b",
      limit: 5,
      active_slots: 0,
      slot_decay_per_second: 0.5,
    };
    for (const key of [id, id.toUpperCase().replaceAll("-", ""), "a%20b"])
      expect(await api.get(`${ROOT}/${key}`)).toMatchObject({ status: 200, body: record });
  });

  test("lists limits by name, a page at a time", async () => {
    await using api = await open();
    for (const name of ["c", "a", "b"]) await create(api, { name, limit: 1, active_slots: 1 });
    const names = async (body?: unknown) =>
      ((await api.post(`${ROOT}/filter`, body)).body as LimitBody[]).map(({ name }) => name);
    expect(await names()).toEqual(["a", "b", "c"]);
    expect(await names({ limit: 1, offset: 1 })).toEqual(["b"]);
    expect(await names({ limit: null, offset: null })).toEqual(["a", "b", "c"]);
    expect((await api.post(`${ROOT}/filter`, { limit: 201 })).status).toBe(422);
  });

  test.each([
    [{ name: "x" }],
    [{ limit: 1 }],
    [{ name: "x", limit: -1 }],
    [{ name: "a/b", limit: 1 }],
    [{ name: "", limit: 1 }],
    [{ name: "x", limit: 1, slot_decay_per_second: -1 }],
    [{ name: "x", limit: 1, active_slots: 2 }],
    [{ name: "x", limit: 1, colour: "red" }],
    [{ name: "x", limit: 1e13 }],
  ])("refuses %j", async (body) => {
    await using api = await open();
    expect((await api.post(`${ROOT}/`, body)).status).toBe(422);
    expect((await api.post(`${ROOT}/filter`)).body).toEqual([]);
  });

  test("refuses a second limit of the same name, also by renaming", async () => {
    await using api = await open();
    await create(api, { name: "a", limit: 1 });
    await create(api, { name: "b", limit: 1 });
    expect((await api.post(`${ROOT}/`, { name: "a", limit: 2 })).status).toBe(409);
    expect((await api.patch(`${ROOT}/b`, { name: "a" })).status).toBe(409);
    expect((await api.get(`${ROOT}/b`)).status).toBe(200);
  });

  test("changes the given fields only, and tells of it once", async () => {
    await using api = await open();
    const { id } = await create(api, { name: "a", limit: 1 });
    expect((await api.patch(`${ROOT}/a`, { limit: 3, active: false })).status).toBe(204);
    expect((await api.patch(`${ROOT}/${id}`, { limit: 3, name: null })).status).toBe(204);
    expect((await api.get(`${ROOT}/a`)).body).toMatchObject({ id, limit: 3, active: false });
    const events = await api.events();
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      [
        "orchestrator.concurrency-limit.created",
        { name: "a", limit: 1, active: true, slot_decay_per_second: 0 },
      ],
      [
        "orchestrator.concurrency-limit.updated",
        { name: "a", limit: 3, active: false, slot_decay_per_second: 0 },
      ],
    ]);
    expect(events[0]?.resource).toMatchObject({
      "orchestrator.resource.id": `orchestrator.concurrency-limit.${id}`,
      "orchestrator.resource.name": "a",
    });
  });

  test("deletes a limit by id or name", async () => {
    await using api = await open();
    const { id } = await create(api, { name: "a", limit: 1, active_slots: 1 });
    await create(api, { name: "b", limit: 1 });
    expect((await api.delete(`${ROOT}/${id}`)).status).toBe(204);
    expect((await api.delete(`${ROOT}/b`)).status).toBe(204);
    expect((await api.post(`${ROOT}/filter`)).body).toEqual([]);
    expect((await api.events()).map(({ event }) => event).slice(2)).toEqual([
      "orchestrator.concurrency-limit.deleted",
      "orchestrator.concurrency-limit.deleted",
    ]);
  });

  test("answers 404 for a limit that there is none of", async () => {
    await using api = await open();
    for (const key of [UNKNOWN_ID, "nothing"]) {
      expect((await api.get(`${ROOT}/${key}`)).status).toBe(404);
      expect((await api.get(`${ROOT}/${key}/holders`)).status).toBe(404);
      expect((await api.patch(`${ROOT}/${key}`, { limit: 1 })).status).toBe(404);
      expect((await api.delete(`${ROOT}/${key}`)).status).toBe(404);
    }
  });

  test("slots in use can be set by hand, and end what leases hold of them", async () => {
    await using api = await open();
    await create(api, { name: "a", limit: 5, active_slots: 2 });
    const lease = async () =>
      (
        (await api.post(`${ROOT}/increment-with-lease`, { names: ["a"], slots: 1 })).body as {
          lease_id: string;
        }
      ).lease_id;
    const first = await lease();
    const last = await lease();
    expect(await inUse(api, "a")).toBe(4);
    const renew = async (id: string) => (await api.post(`${ROOT}/leases/${id}/renew`)).status;

    expect((await api.patch(`${ROOT}/a`, { active_slots: 3 })).status).toBe(204);
    expect(await inUse(api, "a")).toBe(3);
    expect([await renew(first), await renew(last)]).toEqual([204, 204]);

    expect((await api.patch(`${ROOT}/a`, { active_slots: 1 })).status).toBe(204);
    expect(await inUse(api, "a")).toBe(1);
    expect([await renew(first), await renew(last)]).toEqual([204, 410]);

    expect(await api.patch(`${ROOT}/a`, { active_slots: 6 })).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body"], msg: expect.any(String) }] },
    });
    expect((await api.patch(`${ROOT}/a`, { active_slots: 5 })).status).toBe(204);
    expect(await inUse(api, "a")).toBe(5);
    expect((await api.patch(`${ROOT}/a`, { active_slots: 0 })).status).toBe(204);
    expect([await inUse(api, "a"), await renew(first)]).toEqual([0, 410]);
  });

  test("what a rate limit has in use goes down by itself", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, { name: "rate", limit: 10, slot_decay_per_second: 0.5, active_slots: 4 });
    expect(await inUse(api, "rate")).toBe(4);
    clock.advanceMs(3900);
    expect(await inUse(api, "rate")).toBe(3);
    clock.advanceMs(100);
    expect(await inUse(api, "rate")).toBe(2);
    clock.advanceMs(60_000);
    expect(await inUse(api, "rate")).toBe(0);
  });

  test("a limit that begins to decay decays from what is in use, and one that ceases keeps what is leased", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    await create(api, { name: "a", limit: 10, active_slots: 3 });
    await api.post(`${ROOT}/increment-with-lease`, { names: ["a"], slots: 2 });
    await api.patch(`${ROOT}/a`, { slot_decay_per_second: 1 });
    expect(await inUse(api, "a")).toBe(5);
    clock.advanceMs(4000);
    expect(await inUse(api, "a")).toBe(1);
    await api.patch(`${ROOT}/a`, { slot_decay_per_second: 0 });
    expect(await inUse(api, "a")).toBe(2);
  });

  test("events carry the prefix of the dialect", async () => {
    await using api = await open({ dialect: "prefect" });
    await create(api, { name: "a", limit: 1 });
    expect((await api.events())[0]?.event).toBe("prefect.concurrency-limit.created");
  });
});
