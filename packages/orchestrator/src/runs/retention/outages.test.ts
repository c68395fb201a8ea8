// While the server cannot hear, nobody's time runs: what was waited for is waited for as long as
// before.

import { parseMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { releaseExpiredLeases as repossess } from "../../limits/lease-repossessor.loop.ts";
import { createTriggerPass } from "../../reacting/automations/triggers/triggers.loop.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  createTestTaskRun,
  proposeFlow,
  readRecord,
  slotsTaken,
} from "../../testing/run-requests.ts";
import { hearingOf } from "../../testing/test-api.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { flushPolls } from "../../work/pools/poll-flush.service.ts";
import { checkWorkerHealth as watchWorkers } from "../../work/workers/worker-health.loop.ts";
import { dispatchTaskRun, findWaiting } from "../background-tasks/background-tasks.store.ts";
import { markLateRuns } from "./late-runs.loop.ts";
import { endOverdueRuns as decideOverdue } from "./overdue-runs.loop.ts";

const signal = new AbortController().signal;
const HOUR = 3600;

interface Server {
  readonly api: TestApi;
  readonly clock: ManualClock;
  /** The process that does the work in the background. */
  ctx: OrchestratorContext;
  /** Lets time pass in which the server runs. */
  readonly run: (seconds: number) => Promise<void>;
}

async function serve(open: OpenTestApi): Promise<Server & AsyncDisposable> {
  const clock = manualClock();
  const api = await open({ clock, hasGaps: true });
  const server: Server = {
    api,
    clock,
    ctx: api.ctx,
    async run(seconds) {
      for (let passed = 0; passed < seconds; passed += 10) {
        clock.advanceMs(Math.min(10, seconds - passed) * 1000);
        await server.ctx.hearing.listen();
      }
    },
  };
  return Object.assign(server, { [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() });
}

/** How a server cannot hear for an hour. */
const OUTAGES: readonly (readonly [string, (server: Server) => Promise<void>])[] = [
  [
    "was killed and started again",
    async (server) => {
      server.clock.advanceMs(HOUR * 1000);
      server.ctx = { ...server.ctx, hearing: hearingOf(server.ctx) };
      await server.ctx.hearing.listen();
    },
  ],
  [
    "was stopped, or whose clock has jumped",
    async ({ clock }) => {
      clock.advanceMs(HOUR * 1000);
    },
  ],
];

async function claimedRun({ api }: Server): Promise<string> {
  const [id] = await createRunsOf(api, await createTestDeployment(api, { concurrency_limit: 1 }));
  await proposeFlow(api, id, "PENDING");
  return id ?? "";
}

async function pausedRun({ api, clock }: Server, seconds: number): Promise<string> {
  const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
  const pause_timeout = new Date(parseMicros(clock.now()) / 1000 + seconds * 1000).toISOString();
  await proposeFlow(api, id, { type: "PAUSED", state_details: { pause_timeout } });
  return id;
}

const stateOf = async ({ api }: Server, id: string) =>
  (await readRecord(api, `/flow_runs/${id}`))["state_name"];

const decide = ({ ctx }: Server) => decideOverdue(ctx, signal);

const polled = async ({ api, clock }: Server, deployment_id: unknown) => {
  const scheduled_before = clock.now();
  const answer = await api.post("/deployments/get_scheduled_flow_runs", {
    deployment_ids: [deployment_id],
    scheduled_before,
  });
  return (answer.body as { id: string }[]).map(({ id }) => id);
};

describeEachApi("a server that", (open) => {
  describe.each(OUTAGES)("%s", (_way, outage) => {
    test("offers a claimed run to nobody else before its claimant has had its time", async () => {
      await using server = await serve(open);
      const id = await claimedRun(server);
      const { deployment_id } = await readRecord(server.api, `/flow_runs/${id}`);
      await server.run(400);
      await outage(server);
      expect(await decide(server)).toBe(0);
      expect(await polled(server, deployment_id)).toEqual([]);
      await server.run(190);
      expect(await decide(server)).toBe(0);
      expect(await stateOf(server, id)).toBe("Pending");
      await server.run(20);
      expect(await decide(server)).toBe(1);
      expect(await stateOf(server, id)).toBe("AwaitingClaim");
      expect(await polled(server, deployment_id)).toEqual([id]);
    });

    test("lets a claimant start its run, with the slot that it holds", async () => {
      await using server = await serve(open);
      const id = await claimedRun(server);
      const { deployment_id } = await readRecord(server.api, `/flow_runs/${id}`);
      await server.run(250);
      await outage(server);
      expect(await repossess(server.ctx, signal)).toBe(0);
      expect(await slotsTaken(server.api, String(deployment_id))).toBe(1);
      expect(await proposeFlow(server.api, id, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    });

    test("lets the holder of slots renew them at once, and takes them when it does not", async () => {
      await using server = await serve(open);
      const { api } = server;
      await api.post("/v2/concurrency_limits/", { name: "db", limit: 1 });
      const lease = async () => {
        const answer = await api.post("/v2/concurrency_limits/increment-with-lease", {
          names: ["db"],
          slots: 1,
          lease_duration: 60,
        });
        return answer.status === 200
          ? String((answer.body as { lease_id: unknown }).lease_id)
          : null;
      };
      const id = await lease();
      await server.run(50);
      await outage(server);
      const renewed = await api.post(`/v2/concurrency_limits/leases/${id}/renew`, {
        lease_duration: 60,
      });
      expect(renewed.status).toBe(204);
      await server.run(50);
      await outage(server);
      expect(await lease()).toBeNull();
      expect(await repossess(server.ctx, signal)).toBe(0);
      await server.run(20);
      expect(await repossess(server.ctx, signal)).toBe(1);
      expect(await lease()).not.toBeNull();
    });

    test("gives a cancelled run the rest of its time to stop", async () => {
      await using server = await serve(open);
      const id = await claimedRun(server);
      await proposeFlow(server.api, id, "RUNNING");
      await proposeFlow(server.api, id, "CANCELLING");
      await server.run(10);
      await outage(server);
      expect(await decide(server)).toBe(0);
      await server.run(10);
      expect(await decide(server)).toBe(0);
      expect(await stateOf(server, id)).toBe("Cancelling");
      await server.run(10);
      expect(await decide(server)).toBe(1);
      expect(await stateOf(server, id)).toBe("Cancelled");
    });

    test("leaves a paused run to be resumed for the rest of its time, and fails it then", async () => {
      await using server = await serve(open);
      const [answered, unanswered] = [await pausedRun(server, 300), await pausedRun(server, 300)];
      await server.run(100);
      await outage(server);
      expect(await decide(server)).toBe(0);
      await server.run(190);
      expect((await server.api.post(`/flow_runs/${answered}/resume`)).body).toMatchObject({
        status: "ACCEPT",
      });
      expect(await stateOf(server, answered)).toBe("Running");
      expect(await decide(server)).toBe(0);
      await server.run(20);
      expect((await server.api.post(`/flow_runs/${unanswered}/resume`)).body).toMatchObject({
        details: { reason: "The pause of the run has timed out" },
      });
      expect(await stateOf(server, unanswered)).toBe("Failed");
    });

    test("calls nothing late before workers could come for it", async () => {
      await using server = await serve(open);
      await createTestFlowRun(server.api, { state: { type: "SCHEDULED" } });
      await outage(server);
      expect(await markLateRuns(server.ctx, signal)).toBe(0);
      await server.run(10);
      expect(await markLateRuns(server.ctx, signal)).toBe(0);
      await server.run(10);
      expect(await markLateRuns(server.ctx, signal)).toBe(1);
    });

    test("keeps those who polled before ready for the rest of their time", async () => {
      await using server = await serve(open);
      const { api } = server;
      await api.post("/work_pools/", { name: "local", type: "process" });
      await api.post("/work_pools/local/get_scheduled_flow_runs", {});
      await flushPolls(server.ctx);
      const queue = () => readRecord(api, "/work_pools/local/queues/default");
      expect(await queue()).toMatchObject({ status: "READY" });
      await server.run(30);
      await outage(server);
      await watchWorkers(server.ctx, signal);
      expect(await queue()).toMatchObject({ status: "READY" });
      await server.run(20);
      await watchWorkers(server.ctx, signal);
      expect(await queue()).toMatchObject({ status: "READY" });
      await server.run(20);
      await watchWorkers(server.ctx, signal);
      expect(await queue()).toMatchObject({ status: "NOT_READY" });
    });

    test("hands a background run to nobody else before it could be taken", async () => {
      await using server = await serve(open);
      const { db, clock, ids } = server.ctx;
      const { workspaceId } = openScope("test");
      const state = { type: "SCHEDULED", state_details: { deferred: true } };
      const id = await createTestTaskRun(server.api, { task_key: "send", state });
      const waiting = async () => {
        await server.ctx.hearing.listen();
        return findWaiting(db.in(workspaceId), { keys: ["send"], now: clock.now() });
      };
      expect(await waiting()).toEqual([{ task_key: "send", id }]);
      const now = clock.now();
      const expires = new Date(parseMicros(now) / 1000 + 60_000).toISOString().replace("Z", "000Z");
      const offer = { task_run_id: id, offer_id: ids.uuid7(), expires, now };
      await db.write(workspaceId, (tx) => dispatchTaskRun(tx, offer));
      await server.run(30);
      await outage(server);
      expect(await waiting()).toEqual([]);
      await server.run(40);
      expect(await waiting()).toHaveLength(1);
    });

    test("takes no absence of events for one, before they could have come", async () => {
      await using server = await serve(open);
      const made = await server.api.post("/automations/", {
        name: "nobody says hello",
        trigger: {
          type: "event",
          posture: "Proactive",
          expect: ["hello"],
          threshold: 1,
          within: 300,
        },
        actions: [{ type: "do-nothing" }],
      });
      expect(made.status).toBe(201);
      const fired = async () => {
        await createTriggerPass(server.ctx)(signal);
        const events = await server.api.events();
        return events.filter(({ event }) => event.endsWith("automation.triggered")).length;
      };
      await server.run(200);
      await outage(server);
      expect(await fired()).toBe(0);
      await server.run(90);
      expect(await fired()).toBe(0);
      await server.run(20);
      expect(await fired()).toBe(1);
    });
  });
});

describeEachApi("a server that runs all the time", (open) => {
  test("decides by the same deadlines as ever", async () => {
    await using server = await serve(open);
    const claimed = await claimedRun(server);
    const paused = await pausedRun(server, 300);
    const cancelling = await createTestFlowRun(server.api, { state: { type: "RUNNING" } });
    await proposeFlow(server.api, cancelling, "CANCELLING");
    await server.run(20);
    expect(await decide(server)).toBe(0);
    await server.run(10);
    expect(await decide(server)).toBe(1);
    expect(await stateOf(server, cancelling)).toBe("Cancelled");
    await server.run(260);
    expect(await decide(server)).toBe(0);
    await server.run(20);
    expect(await decide(server)).toBe(1);
    expect(await stateOf(server, paused)).toBe("Failed");
    await server.run(280);
    expect(await decide(server)).toBe(0);
    await server.run(20);
    expect(await decide(server)).toBe(1);
    expect(await stateOf(server, claimed)).toBe("AwaitingClaim");
  });
});
