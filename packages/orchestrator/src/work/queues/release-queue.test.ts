import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { addOverdue, countTableRows, refuseDeletes } from "../../testing/many-rows.ts";
import { plansOf } from "../../testing/plans.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { deleteWorkPool } from "../pools/work-pools.service.ts";

const POOL = "/work_pools/main";
const QUEUED = "work_queue_id is not null";
const MANY = 450;

/** A pool with a second queue, in which very many runs wait and one is under way. */
async function fillQueue(api: TestApi): Promise<string> {
  await api.post("/work_pools/", { name: "main", type: "process" });
  await api.post(`${POOL}/queues`, { name: "side" });
  const place = { work_pool_name: "main", work_queue_name: "side" };
  const deployment = await createTestDeployment(api, place);
  const [run = ""] = await createRunsOf(api, deployment);
  await addOverdue(api, run, MANY);
  await proposeFlow(api, run, "PENDING");
  return deployment;
}

/** Asked for, not read from the log: a try that was taken back leaves a gap in it. */
async function deletedEvents(api: TestApi): Promise<string[]> {
  const { body } = await api.post("/events/filter", { filter: { order: "ASC" } });
  const { events } = body as { events: { event: string }[] };
  return events.map(({ event }) => event).filter((event) => event.endsWith(".deleted"));
}

describeEachApi("deleting where very many runs wait", (open) => {
  test.each([
    ["a work queue", `${POOL}/queues/side`, "work_queues", ["work-queue"]],
    ["a work pool", POOL, "work_pools", ["work-queue", "work-queue", "work-pool"]],
  ])(
    "takes %s away last, with its events, after its runs have been let go",
    async (_, path, table, told) => {
      await using api = await open();
      const deployment = await fillQueue(api);
      const allow = await refuseDeletes(api, table);
      expect((await api.delete(path)).status).toBe(500);
      expect((await api.get(path)).status).toBe(200);
      expect(await countTableRows(api, "flow_runs", QUEUED)).toBeLessThanOrEqual(200);
      expect(await deletedEvents(api)).toEqual([]);
      await allow();
      expect((await api.delete(path)).status).toBe(204);
      expect((await api.get(path)).status).toBe(404);
      expect(await countTableRows(api, "flow_runs", QUEUED)).toBe(0);
      expect(await countTableRows(api, "flow_runs")).toBe(MANY + 1);
      expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({
        work_queue_id: null,
      });
      const expected = told.map((kind) => `orchestrator.${kind}.deleted`);
      expect((await deletedEvents(api)).toSorted()).toEqual(expected.toSorted());
    },
  );

  test("lets nothing go where the queue has to stay", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "main", type: "process" });
    const deployment = await createTestDeployment(api, { work_pool_name: "main" });
    const [run = ""] = await createRunsOf(api, deployment);
    await addOverdue(api, run, MANY);
    expect((await api.delete(`${POOL}/queues/default`)).status).toBe(409);
    const { work_queue_id } = await readRecord(api, `/flow_runs/${run}`);
    expect((await api.delete(`/work_queues/${String(work_queue_id)}`)).status).toBe(409);
    expect(await countTableRows(api, "flow_runs", QUEUED)).toBe(MANY + 1);
  });

  test("is one change where there is little", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "main", type: "process" });
    const deployment = await createTestDeployment(api, { work_pool_name: "main" });
    const [run = ""] = await createRunsOf(api, deployment);
    await addOverdue(api, run, 100);
    const allow = await refuseDeletes(api, "work_pools");
    expect((await api.delete(POOL)).status).toBe(500);
    expect(await countTableRows(api, "flow_runs", QUEUED)).toBe(101);
    await allow();
    expect((await api.delete(POOL)).status).toBe(204);
    expect(await countTableRows(api, "flow_runs", QUEUED)).toBe(0);
  });

  test("finds all of it by indexes", async () => {
    await using api = await open();
    await fillQueue(api);
    const plans = await plansOf(api, (ctx) => deleteWorkPool(ctx, openScope("test"), "main"));
    for (const plan of plans)
      expect(plan).not.toMatch(/SCAN (flow_runs|deployments)\b(?! USING)|Seq Scan on flow_runs/u);
    expect(plans.length).toBeGreaterThan(5);
  });
});
