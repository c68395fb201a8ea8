import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { assignQueue, findQueueId, type WorkPlace } from "./queue-assignment.service.ts";

const { workspaceId } = openScope("test");

const assign = (api: TestApi, place: WorkPlace) =>
  api.ctx.db.write(workspaceId, (tx) => assignQueue(api.ctx, tx, place));
const find = (api: TestApi, place: WorkPlace & { readonly work_pool_name: string }) =>
  api.ctx.db.write(workspaceId, (tx) => findQueueId(tx, place));
const createPool = async (api: TestApi) =>
  (await api.post("/work_pools/", { name: "main", type: "process" })).body as {
    default_queue_id: string;
  };
const queueNames = async (api: TestApi, pool = "main") => {
  const { body } = await api.post(`/work_pools/${pool}/queues/filter`, {});
  return (body as { name: string }[]).map(({ name }) => name);
};

describeEachApi("the queue that something is worked on in", (open) => {
  test("is none when neither pool nor queue is named", async () => {
    await using api = await open();
    expect(await assign(api, {})).toBeNull();
    expect(await assign(api, { work_pool_name: null, work_queue_name: null })).toBeNull();
  });

  test("is the default queue of a pool that is named alone", async () => {
    await using api = await open();
    const { default_queue_id } = await createPool(api);
    expect(await assign(api, { work_pool_name: "main" })).toBe(default_queue_id);
    expect(await find(api, { work_pool_name: "main" })).toBe(default_queue_id);
  });

  test("is made in its pool when it is missing, once", async () => {
    await using api = await open();
    await createPool(api);
    const place = { work_pool_name: "main", work_queue_name: "fast" };
    await expect(find(api, place)).rejects.toMatchObject({ code: "not_found" });
    const id = await assign(api, place);
    expect(await assign(api, place)).toBe(id);
    expect(await find(api, place)).toBe(id);
    expect(await queueNames(api)).toEqual(["default", "fast"]);
    const events = (await api.events()).map(({ event }) => event);
    expect(events.filter((event) => event.endsWith("work-queue.created"))).toHaveLength(2);
  });

  test("may be called as one that is made by its own endpoint, in characters and in bytes", async () => {
    await using api = await open();
    await createPool(api);
    const make = (name: string) => api.post("/work_pools/main/queues", { name });
    const named = (work_queue_name: string) =>
      assign(api, { work_pool_name: "main", work_queue_name });
    expect((await make("😀".repeat(600))).status).toBe(201);
    expect(await named("😀".repeat(601))).not.toBeNull();
    for (const name of ["😀".repeat(626), "n".repeat(1001)]) {
      expect((await make(name)).status).toBe(422);
      await expect(named(name)).rejects.toMatchObject({ code: "invalid" });
    }
  });

  test("is in the agents' pool when no pool is named, which is made when it is missing", async () => {
    await using api = await open();
    const id = await assign(api, { work_queue_name: "mine" });
    expect(await assign(api, { work_queue_name: "mine" })).toBe(id);
    expect(await queueNames(api, "default-agent-pool")).toEqual(["default", "mine"]);
  });

  test("is not found in a pool that is not there", async () => {
    await using api = await open();
    for (const work_queue_name of [null, "fast"]) {
      const place = { work_pool_name: "none", work_queue_name };
      await expect(assign(api, place)).rejects.toMatchObject({ code: "not_found" });
      await expect(find(api, place)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  test("is not made under a name that no queue may have", async () => {
    await using api = await open();
    await createPool(api);
    for (const work_queue_name of ["a/b", "", "x".repeat(1001), "日".repeat(900)])
      await expect(assign(api, { work_pool_name: "main", work_queue_name })).rejects.toMatchObject({
        code: "invalid",
      });
  });

  test("asked for by many at once is made once, and all get it", async () => {
    await using api = await open();
    await createPool(api);
    const place = { work_pool_name: "main", work_queue_name: "fast" };
    const ids = await Promise.all([1, 2, 3, 4].map(() => assign(api, place)));
    expect(new Set(ids).size).toBe(1);
    const agents = await Promise.all([1, 2, 3, 4].map(() => assign(api, { work_queue_name: "q" })));
    expect(new Set(agents).size).toBe(1);
  });

  test("is never one that is gone: a delete at the same time comes before or after", async () => {
    await using api = await open();
    await createPool(api);
    const { body: flow } = await api.post("/flows/", { name: "f" });
    for (let round = 0; round < 5; round += 1) {
      await api.post("/work_pools/main/queues", { name: "fast" });
      await Promise.all([
        api.post("/deployments/", {
          name: `d${round}`,
          flow_id: (flow as { id: string }).id,
          work_pool_name: "main",
          work_queue_name: "fast",
        }),
        api.delete("/work_pools/main/queues/fast"),
      ]);
    }
    const queues = (await api.post("/work_queues/filter", {})).body as { id: string }[];
    const known = new Set([null, ...queues.map(({ id }) => id)]);
    const deployments = (await api.post("/deployments/filter", {})).body as {
      work_queue_id: string | null;
    }[];
    expect(deployments).toHaveLength(5);
    expect(deployments.filter(({ work_queue_id }) => !known.has(work_queue_id))).toEqual([]);
  });
});
