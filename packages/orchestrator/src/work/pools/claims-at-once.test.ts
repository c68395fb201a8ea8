// However many claim at once, on however many replicas: no queue and no pool ever has more runs
// than its limit.

import type { StateCreate } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { createWaitingPolls } from "../../polling/waiting-polls.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { createRunsOf, createTestDeployment } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { pollWorkPool } from "./polling.service.ts";
import { readOccupancy } from "./polling.store.ts";

type Body = Readonly<Record<string, unknown>>;

const SCOPE = openScope("test");
const CLAIMERS = 8;
const LIMITS = { pool: 3, queue: 2 };
const QUEUES = ["one", "two"];
const RUNS_EACH = 12;

async function replicasOf(api: TestApi): Promise<OrchestratorContext[]> {
  const others = await Promise.all([api.openReplica?.(), api.openReplica?.()]);
  const more = others.flatMap((db) => (db === undefined ? [] : [db]));
  const { log } = api.ctx;
  return [
    api.ctx,
    ...more.map((db) => ({ ...api.ctx, db, waits: createWaitingPolls({ db, log }) })),
  ];
}

describeEachApi("workers that claim at once", (open) => {
  test.each([
    ["what they were offered", true],
    ["whatever waits", false],
  ])("never get more runs than there are places: %s", async (_, isPolled) => {
    await using api = await open();
    const { id: poolId } = (
      await api.post("/work_pools/", {
        name: "main",
        type: "process",
        concurrency_limit: LIMITS.pool,
      })
    ).body as { id: string };
    const left = new Set<string>();
    for (const name of QUEUES) {
      await api.post("/work_pools/main/queues", { name, concurrency_limit: LIMITS.queue });
      const place = { work_pool_name: "main", work_queue_name: name };
      const deployment = await createTestDeployment(api, { name, ...place });
      for (const id of await createRunsOf(api, deployment, { count: RUNS_EACH })) left.add(id);
    }
    const replicas = await replicasOf(api);
    const accepted: string[] = [];
    let most = 0;
    const isOver = new AbortController();

    const check = async (): Promise<void> => {
      const places = await readOccupancy(api.ctx.db.in(SCOPE.workspaceId), poolId);
      const counts = [...places.values()];
      most = Math.max(most, ...counts);
      expect(Math.max(0, ...counts)).toBeLessThanOrEqual(LIMITS.queue);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LIMITS.pool);
    };

    const offered = async (ctx: OrchestratorContext): Promise<string[]> => {
      if (!isPolled) return [...left];
      const poll = { limit: 2, wait_seconds: 30 };
      const json = await pollWorkPool(ctx, SCOPE, {
        name: "main",
        poll,
        gone: () => isOver.signal,
      });
      return (JSON.parse(json) as { flow_run: { id: string } }[]).map(
        ({ flow_run }) => flow_run.id,
      );
    };

    const work = async (ctx: OrchestratorContext, index: number): Promise<void> => {
      const propose = async (id: string, state: StateCreate) =>
        (await setFlowRunState(ctx, SCOPE, { id, state })).status;
      while (left.size > 0) {
        const ids = await offered(ctx);
        for (const id of [...ids.slice(index), ...ids.slice(0, index)]) {
          if ((await propose(id, { type: "PENDING" })) !== "ACCEPT") continue;
          accepted.push(id);
          left.delete(id);
          await check();
          await propose(id, { type: "RUNNING" });
          await check();
          // With a result, so that nobody can claim it once more.
          await propose(id, { type: "COMPLETED", data: { type: "reference" } });
        }
      }
      isOver.abort();
    };

    await Promise.all(
      Array.from({ length: CLAIMERS }, (_each, index) =>
        work(replicas[index % replicas.length] ?? api.ctx, index).catch((error: unknown) => {
          left.clear();
          isOver.abort();
          throw error;
        }),
      ),
    );
    expect(new Set(accepted).size).toBe(QUEUES.length * RUNS_EACH);
    expect(accepted).toHaveLength(QUEUES.length * RUNS_EACH);
    expect(most).toBe(LIMITS.queue);
    expect(await readOccupancy(api.ctx.db.in(SCOPE.workspaceId), poolId)).toEqual(new Map());
  });
});

describeEachApi("a worker that claims what it was offered long ago", (open) => {
  test.each(["COMPLETED", "FAILED", "CRASHED"])(
    "does not carry out again what is %s since, until that is scheduled again",
    async (end) => {
      await using api = await open();
      await api.post("/work_pools/", { name: "main", type: "process" });
      const deployment = await createTestDeployment(api, { name: "daily", work_pool_name: "main" });
      const [id] = await createRunsOf(api, deployment, { count: 1 });
      const propose = async (type: string): Promise<unknown> =>
        ((await api.post(`/flow_runs/${id}/set_state`, { state: { type } })).body as Body)[
          "status"
        ];
      const { body: offered } = await api.post("/work_pools/main/get_scheduled_flow_runs", {});
      expect(offered).toMatchObject([{ flow_run: { id } }]);
      for (const type of ["PENDING", "RUNNING", end]) expect(await propose(type)).toBe("ACCEPT");
      expect(await propose("PENDING")).toBe("ABORT");
      expect((await api.get(`/flow_runs/${id}`)).body).toMatchObject({ state_type: end });
      expect(await propose("SCHEDULED")).toBe("ACCEPT");
      expect(await propose("PENDING")).toBe("ACCEPT");
    },
  );
});
