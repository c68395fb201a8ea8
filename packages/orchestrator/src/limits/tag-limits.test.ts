import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const ROOT = "/concurrency_limits";
const run = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

interface TagLimitBody {
  readonly id: string;
  readonly active_slots: readonly string[];
}

async function limit(api: TestApi, tag: string, concurrency_limit: number): Promise<TagLimitBody> {
  const answer = await api.post(`${ROOT}/`, { tag, concurrency_limit });
  expect(answer.status).toBe(201);
  return answer.body as TagLimitBody;
}

async function holders(api: TestApi, tag: string): Promise<readonly string[]> {
  return ((await api.get(`${ROOT}/tag/${tag}`)).body as TagLimitBody).active_slots;
}

const take = (api: TestApi, names: readonly string[], task_run_id: string) =>
  api.post(`${ROOT}/increment`, { names, task_run_id });
const giveBack = (api: TestApi, names: readonly string[], task_run_id: string) =>
  api.post(`${ROOT}/decrement`, { names, task_run_id, occupancy_seconds: 3 });

describeEachApi("tag limits", (open) => {
  test("are made with 201, changed with 200, and told of as the global limits that they are", async () => {
    await using api = await open();
    const made = await api.post(`${ROOT}/`, { tag: "db/main", concurrency_limit: 2 });
    expect(made).toMatchObject({
      status: 201,
      body: { tag: "db/main", concurrency_limit: 2, active_slots: [] },
    });
    const { id } = made.body as TagLimitBody;
    const changed = await api.post(`${ROOT}/`, { tag: "db/main", concurrency_limit: 3 });
    expect(changed).toMatchObject({ status: 200, body: { id, concurrency_limit: 3 } });
    const same = await api.post(`${ROOT}/`, { tag: "db/main", concurrency_limit: 3 });
    expect(same).toMatchObject({ status: 200, body: changed.body });
    const name = "tag:db/main";
    const payload = { name, active: true, slot_decay_per_second: 0 };
    expect(await api.events()).toMatchObject([
      {
        event: "orchestrator.concurrency-limit.created",
        resource: { "orchestrator.resource.name": name },
        payload: { limit: 2, ...payload },
      },
      {
        event: "orchestrator.concurrency-limit.updated",
        resource: { "orchestrator.resource.name": name },
        payload: { limit: 3, ...payload },
      },
    ]);
    expect((await api.post(`${ROOT}/`, { tag: "x", concurrency_limit: -1 })).status).toBe(422);
  });

  test("are read by id and by tag, and listed by tag without other limits", async () => {
    await using api = await open();
    const b = await limit(api, "b", 1);
    const a = await limit(api, "a", 1);
    const other = await api.post("/v2/concurrency_limits/", { name: "other", limit: 1 });
    expect(await api.get(`${ROOT}/${a.id}`)).toMatchObject({ status: 200, body: a });
    expect(await api.get(`${ROOT}/tag/b`)).toMatchObject({ status: 200, body: b });
    expect((await api.post(`${ROOT}/filter`)).body).toEqual([a, b]);
    expect((await api.post(`${ROOT}/filter`, { limit: 1, offset: 1 })).body).toEqual([b]);
    const otherId = (other.body as TagLimitBody).id;
    for (const path of [otherId, UNKNOWN_ID, "tag/other", "tag/x"]) {
      expect((await api.get(`${ROOT}/${path}`)).status).toBe(404);
      expect((await api.delete(`${ROOT}/${path}`)).status).toBe(404);
    }
  });

  test("are the same as the limits named after the tag", async () => {
    await using api = await open();
    const { id } = await limit(api, "a", 2);
    await take(api, ["a"], run(1));
    const body = { names: ["tag:a"], slots: 1, holder: { type: "task_run", id: run(2) } };
    await api.post("/v2/concurrency_limits/increment-with-lease", body);
    expect(await holders(api, "a")).toEqual([run(1), run(2)]);
    expect((await api.get("/v2/concurrency_limits/tag:a")).body).toMatchObject({
      id,
      name: "tag:a",
      limit: 2,
      active_slots: 2,
    });
  });

  test("give slots to task runs: of all tags or of none, and once to each", async () => {
    await using api = await open();
    const a = await limit(api, "a", 2);
    await limit(api, "b", 1);
    expect(await take(api, ["a", "x"], run(1))).toMatchObject({
      status: 200,
      body: [{ id: a.id, name: "a", limit: 2 }],
    });
    expect((await take(api, ["a", "b"], run(1))).status).toBe(200);
    expect((await take(api, ["a", "b"], run(1))).status).toBe(200);
    const refused = await take(api, ["a", "b"], run(2));
    expect(refused).toMatchObject({
      status: 423,
      body: { detail: "Concurrency limit for the b tag has been reached" },
    });
    expect(refused.headers["retry-after"]).toBe("10");
    expect([await holders(api, "a"), await holders(api, "b")]).toEqual([[run(1)], [run(1)]]);
  });

  test("take back what a task run has of a tag, and no other's", async () => {
    await using api = await open();
    await limit(api, "a", 2);
    await limit(api, "b", 2);
    await take(api, ["a", "b"], run(1));
    await take(api, ["a"], run(2));
    expect((await giveBack(api, ["a", "x"], run(1))).body).toHaveLength(1);
    expect((await giveBack(api, ["a"], run(1))).status).toBe(200);
    expect([await holders(api, "a"), await holders(api, "b")]).toEqual([[run(2)], [run(1)]]);
  });

  test("of 0 that are switched off let everybody through", async () => {
    await using api = await open();
    const { id } = await limit(api, "db", 0);
    expect((await take(api, ["db"], run(1))).status).toBe(423);
    await api.patch(`/v2/concurrency_limits/${id}`, { active: false });
    expect((await take(api, ["db"], run(1))).status).toBe(200);
  });

  test("of 0 let nobody through, and tell nobody to come back", async () => {
    await using api = await open();
    await limit(api, "a", 0);
    await limit(api, "b", 1);
    const refused = await take(api, ["b", "a"], run(1));
    expect(refused.status).toBe(423);
    expect(refused.headers["retry-after"]).toBeUndefined();
    expect(await holders(api, "b")).toEqual([]);
  });

  test("are reset to nobody, or to the task runs given", async () => {
    await using api = await open();
    await limit(api, "a", 2);
    await limit(api, "b", 2);
    await take(api, ["a", "b"], run(1));
    const reset = (body?: unknown) => api.post(`${ROOT}/tag/a/reset`, body);
    expect(await reset()).toMatchObject({ status: 200, body: null });
    expect([await holders(api, "a"), await holders(api, "b")]).toEqual([[], [run(1)]]);
    expect((await reset({ slot_override: [run(2), run(3), run(2)] })).status).toBe(200);
    expect([...(await holders(api, "a"))].sort()).toEqual([run(2), run(3)]);
    const three = [run(1), run(2), run(3)];
    expect((await reset({ slot_override: three })).status).toBe(200);
    expect([...(await holders(api, "a"))].sort()).toEqual(three);
    await api.post(`${ROOT}/decrement`, { names: ["a"], task_run_id: run(1) });
    expect((await take(api, ["a"], run(4))).status).toBe(423);
    await api.post(`${ROOT}/decrement`, { names: ["a"], task_run_id: run(2) });
    expect((await take(api, ["a"], run(4))).status).toBe(200);
    expect((await reset({ slot_override: [run(1)] })).status).toBe(200);
    expect(await holders(api, "a")).toEqual([run(1)]);
    expect((await api.post(`${ROOT}/tag/x/reset`)).status).toBe(404);
  });

  test("are deleted by id or tag with what they hold", async () => {
    await using api = await open();
    const a = await limit(api, "a", 1);
    await limit(api, "b", 1);
    await take(api, ["a", "b"], run(1));
    expect(await api.delete(`${ROOT}/${a.id}`)).toMatchObject({ status: 200, body: null });
    expect(await holders(api, "b")).toEqual([run(1)]);
    expect(await api.delete(`${ROOT}/tag/b`)).toMatchObject({ status: 200, body: null });
    await limit(api, "b", 1);
    expect((await take(api, ["b"], run(2))).status).toBe(200);
    expect((await api.events()).slice(2, 4)).toMatchObject([
      { event: "orchestrator.concurrency-limit.deleted", payload: { name: "tag:a", limit: 1 } },
      { event: "orchestrator.concurrency-limit.deleted", payload: { name: "tag:b", limit: 1 } },
    ]);
  });
});
