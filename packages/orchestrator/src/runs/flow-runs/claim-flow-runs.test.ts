import { setMaxListeners } from "node:events";
import type { FlowRun, FlowRunClaims, ServedFlowRun } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { createWaitingPolls } from "../../polling/waiting-polls.ts";
import { createRunsOf, createTestDeployment, proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { claimFlowRuns } from "./claim-flow-runs.service.ts";

const CLAIM = "/work_pools/main/claim_flow_runs";
const SCOPE = openScope("test");

async function claim(api: TestApi, body: object = {}): Promise<FlowRunClaims> {
  const answer = await api.post(CLAIM, body);
  expect(answer.status).toBe(200);
  return answer.body as FlowRunClaims;
}

const idsOf = ({ flow_runs }: FlowRunClaims): string[] =>
  flow_runs.map(({ flow_run }) => flow_run.id);

async function fill(api: TestApi, count: number, pool: object = {}): Promise<string[]> {
  await api.post("/work_pools/", { name: "main", type: "process", ...pool });
  const deployment = await createTestDeployment(api, { work_pool_name: "main" });
  return createRunsOf(api, deployment, { count });
}

const read = async (api: TestApi, id: string | undefined): Promise<FlowRun> =>
  (await api.get(`/flow_runs/${id}`)).body as FlowRun;

describeEachApi("a poll that claims", (open) => {
  test("answers with runs that are PENDING under its claims, and with what a worker needs to start them", async () => {
    await using api = await open();
    const ids = await fill(api, 3);
    const claims = await claim(api);
    expect(idsOf(claims).toSorted()).toEqual(ids.toSorted());
    expect(claims.deployments).toHaveLength(1);
    expect(claims.work_pool).toMatchObject({ name: "main", type: "process" });
    for (const { flow_run, state } of claims.flow_runs) {
      const now = await read(api, flow_run.id);
      expect(now).toMatchObject({ state_type: "PENDING", state_id: state.id });
      expect(now.state?.state_details.claim_id).toBe(state.state_details.claim_id);
    }
    expect(idsOf(await claim(api))).toEqual([]);
    const [first] = claims.flow_runs;
    const id = first?.flow_run.id;
    const claim_id = first?.state.state_details.claim_id;
    expect(
      await proposeFlow(api, id, { type: "RUNNING", state_details: { claim_id } }),
    ).toMatchObject({
      status: "ACCEPT",
    });
  });

  test("writes the name of the worker on the runs it claims", async () => {
    await using api = await open();
    const [id] = await fill(api, 1);
    await api.patch(`/flow_runs/${id}`, { labels: { team: "data" } });
    await claim(api, { worker_name: "worker 7" });
    const run = await read(api, id);
    expect(run).toMatchObject({
      labels: {
        team: "data",
        "orchestrator.worker.name": "worker 7",
        "orchestrator.worker.type": "process",
        "orchestrator.work-pool.name": "main",
      },
    });
  });

  test("takes no more runs than the limits of the pool leave room for", async () => {
    await using api = await open();
    await fill(api, 3, { concurrency_limit: 2 });
    expect(idsOf(await claim(api))).toHaveLength(2);
    expect(idsOf(await claim(api))).toEqual([]);
  });

  test("gives each run to one of many workers, on every replica", async () => {
    await using api = await open();
    const ids = await fill(api, 30);
    const other = await api.openReplica?.();
    const { log } = api.ctx;
    const contexts = [
      api.ctx,
      ...(other === undefined
        ? []
        : [{ ...api.ctx, db: other, waits: createWaitingPolls({ db: other, log }) }]),
    ];
    const isOver = new AbortController();
    setMaxListeners(0, isOver.signal);
    const taken: string[] = [];
    const work = async (n: number): Promise<void> => {
      const ctx = contexts[n % contexts.length] ?? api.ctx;
      while (taken.length < ids.length) {
        const poll = { limit: 3, wait_seconds: 30 };
        const asked = { name: "main", poll, gone: isOver.signal };
        const claims = JSON.parse(await claimFlowRuns(ctx, SCOPE, asked)) as FlowRunClaims;
        // Whoever disconnects gives its runs back, and a poll that is still under way may take
        // them.
        if (!isOver.signal.aborted) taken.push(...idsOf(claims));
      }
      isOver.abort();
    };
    await Promise.all(Array.from({ length: 6 }, (_, n) => work(n)));
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test("waits for a run, and has claimed it when the answer comes", async () => {
    await using api = await open();
    await fill(api, 0);
    const waiting = claim(api, { wait_seconds: 30 });
    const deployment = await createTestDeployment(api, { name: "later", work_pool_name: "main" });
    const ids = await createRunsOf(api, deployment, { count: 1 });
    expect(idsOf(await waiting)).toEqual(ids);
    expect(await read(api, ids[0])).toMatchObject({ state_type: "PENDING" });
  });

  test("releases its claims when its worker is gone before it has the answer", async () => {
    await using api = await open();
    const ids = await fill(api, 2);
    const gone = new AbortController();
    const poll = { limit: 10 };
    await claimFlowRuns(api.ctx, SCOPE, { name: "main", poll, gone: gone.signal });
    for (const id of ids) expect(await read(api, id)).toMatchObject({ state_type: "PENDING" });
    gone.abort();
    await expect.poll(async () => idsOf(await claim(api)).length, { timeout: 30_000 }).toBe(2);
  });

  test("leaves a run alone that has begun before its connection ends", async () => {
    await using api = await open();
    const [id = ""] = await fill(api, 1);
    const gone = new AbortController();
    const asked = { name: "main", poll: { limit: 10 }, gone: gone.signal };
    const claims = JSON.parse(await claimFlowRuns(api.ctx, SCOPE, asked)) as FlowRunClaims;
    const claim_id = claims.flow_runs[0]?.state.state_details.claim_id;
    await proposeFlow(api, id, { type: "RUNNING", state_details: { claim_id } });
    gone.abort();
    await claim(api);
    expect(await read(api, id)).toMatchObject({ state_type: "RUNNING" });
  });
});

describeEachApi("a poll that claims the runs of served deployments", (open) => {
  test("answers with runs that are PENDING under its claims, each once", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const ids = await createRunsOf(api, deployment, { count: 3 });
    const poll = async (limit: number) => {
      const body = { deployment_ids: [deployment], limit };
      const answer = await api.post("/deployments/claim_flow_runs", body);
      expect(answer.status).toBe(200);
      return answer.body as ServedFlowRun[];
    };
    const served = [...(await poll(2)), ...(await poll(2)), ...(await poll(2))];
    expect(served.map(({ flow_run }) => flow_run.id).toSorted()).toEqual(ids.toSorted());
    for (const { flow_run, state } of served) {
      const now = await read(api, flow_run.id);
      expect(now).toMatchObject({ state_type: "PENDING", state_id: state.id });
      expect(state.state_details.claim_id).toBe(state.id);
    }
  });

  test("waits for a run, and has claimed it when the answer comes", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, {});
    const waiting = api.post("/deployments/claim_flow_runs", {
      deployment_ids: [deployment],
      wait_seconds: 30,
    });
    const [id] = await createRunsOf(api, deployment, { count: 1 });
    const [claimed] = (await waiting).body as ServedFlowRun[];
    expect(claimed?.flow_run.id).toBe(id);
    expect((await read(api, id)).state_type).toBe("PENDING");
  });
});
