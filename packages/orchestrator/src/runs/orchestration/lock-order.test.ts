// Claims, ends, schedules, deployments and limits change the same rows in different transactions.
// They hold them in one order, so that none ever waits for one that waits for it.

import { openScope } from "@orchestrator/kernel/scope";
import { rounds } from "@orchestrator/kernel/testing";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { systemStatement } from "../../db/tables.ts";
import { createDeploymentRun } from "../../flows/deployments/create-run.service.ts";
import { deleteDeployment } from "../../flows/deployments/deployments.service.ts";
import { updateDeployment } from "../../flows/deployments/update-deployment.service.ts";
import { deleteLimitByKey } from "../../limits/concurrency-limits.service.ts";
import { fillDueSchedules } from "../../scheduling/scheduler/scheduler.service.ts";
import { updateSchedule } from "../../scheduling/schedules.service.ts";
import { addFlowRun } from "../../testing/run-fixtures.ts";
import { createRunsOf, createTestDeployment, readRecord } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { flushPolls } from "../../work/pools/poll-flush.service.ts";
import { deleteWorkPool } from "../../work/pools/work-pools.service.ts";
import { deleteWorkQueue } from "../../work/queues/work-queues.service.ts";
import { setFlowRunState } from "./set-flow-run-state.ts";

const ROUNDS = rounds(3, 9);
const RUNS = 12;
const scope = openScope("");
const signal = new AbortController().signal;

const selectDeadlocks = systemStatement()((db) =>
  db
    .selectFrom(
      sql<{ deadlocks: number }>`(
        select cast(deadlocks as integer) as deadlocks from pg_stat_database where datname = current_database()
      )`.as("known"),
    )
    .select("known.deadlocks"),
);

/** How often one of two had to give way, as the database knows once those who use it have gone. */
async function countDeadlocks({ ctx: { db } }: TestApi): Promise<number> {
  return db.dialect.locksRows ? ((await db.system.get(selectDeadlocks, {}))?.deadlocks ?? 0) : 0;
}

interface Place {
  readonly deployment: string;
  readonly schedules: readonly string[];
  readonly runs: readonly string[];
}

/**
 * A deployment whose schedules mind that their runs overlap, and runs of them that are due in a
 * while.
 */
async function prepare(api: TestApi, round: number): Promise<Place> {
  const schedule = { cron: "0 9 * * *", timezone: "UTC" };
  const deployment = await createTestDeployment(api, {
    name: `nightly-${round}`,
    concurrency_limit: 2,
    schedules: [
      { schedule, overlap: "skip" },
      { schedule, overlap: "queue" },
    ],
  });
  const record = await readRecord(api, `/deployments/${deployment}`);
  const schedules = (record["schedules"] as readonly { readonly id: string }[]).map(({ id }) => id);
  const runs = await Promise.all(
    Array.from({ length: RUNS }, async (_, index) => {
      const created_by_id = schedules[index % schedules.length] ?? null;
      const { id } = await addFlowRun(api, {
        flow_id: String(record["flow_id"]),
        deployment_id: deployment,
        created_by_id,
        created_by: { id: created_by_id, type: "SCHEDULE", display_value: null },
        auto_scheduled: true,
        state_type: "SCHEDULED",
        state: { ...SCHEDULED, id: api.ctx.ids.uuid7() },
        run_count: 0,
        start_time: null,
        end_time: null,
        next_scheduled_start_time: "2100-01-01T00:00:00.000000Z",
      });
      return id;
    }),
  );
  return { deployment, schedules, runs };
}

const SCHEDULED = {
  type: "SCHEDULED",
  name: "Scheduled",
  timestamp: "2026-01-01T00:00:00.000000Z",
  message: null,
  data: null,
  state_details: {},
};

/** Of those who find that their pool, queue or deployment has gone or is going. */
const LATE = new Set(["not_found", "unavailable", "bad_request"]);

const propose = (ctx: OrchestratorContext, id: string, type: "PENDING" | "CANCELLED") =>
  setFlowRunState(ctx, scope, { id, state: { type } });

/** Everything at once; whoever finds nothing any more has come too late, and that is all. */
function changesOf(ctx: OrchestratorContext, { deployment, schedules, runs }: Place) {
  const name = `deployment:${deployment}`;
  return [
    ...runs.map(async (id) => {
      await propose(ctx, id, "PENDING");
      await propose(ctx, id, "CANCELLED");
    }),
    ...schedules.map((schedule_id) =>
      updateSchedule(ctx, scope, {
        key: { id: deployment, schedule_id },
        changes: { active: false },
      }),
    ),
    ...[3, 1].map((concurrency_limit) =>
      updateDeployment(ctx, scope, { id: deployment, changes: { concurrency_limit } }),
    ),
    deleteLimitByKey(ctx, scope, { name }),
    updateDeployment(ctx, scope, { id: deployment, changes: { concurrency_limit: null } }),
    fillDueSchedules(ctx, signal),
    deleteLimitByKey(ctx, scope, { name }),
  ];
}

describeEachApi("changes of the same rows at the same moment", (open) => {
  test("never wait for each other in a circle", async () => {
    await using api = await open();
    const before = await countDeadlocks(api);
    const places = await Promise.all(Array.from({ length: ROUNDS }, (_, n) => prepare(api, n)));
    const db = (await api.openReplica?.()) ?? api.ctx.db;
    const ctx = { ...api.ctx, db };
    const problems: unknown[] = [];
    for (const place of places) {
      const outcomes = await Promise.allSettled([
        ...changesOf(ctx, place),
        ...(places.indexOf(place) % 3 === 0
          ? [deleteDeployment(ctx, scope, place.deployment)]
          : []),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected" && outcome.reason.code !== "not_found")
          problems.push(outcome.reason);
    }
    if (db !== api.ctx.db) await db.close();
    expect(problems).toEqual([]);
    expect(await countDeadlocks(api)).toBe(before);
  });

  test("do not even when pools and queues are deleted under those who work in them", async () => {
    await using api = await open();
    const before = await countDeadlocks(api);
    const places = await Promise.all(
      Array.from({ length: ROUNDS }, async (_, n) => {
        const pool = `pool-${n}`;
        await api.post("/work_pools/", { name: pool, type: "process", concurrency_limit: 4 });
        const place = { work_pool_name: pool, work_queue_name: "low" };
        const low = await createTestDeployment(api, { name: `low-${n}`, ...place });
        const main = await createTestDeployment(api, { name: `main-${n}`, work_pool_name: pool });
        const counted = { count: RUNS / 2 };
        const runs = await Promise.all([low, main].map((id) => createRunsOf(api, id, counted)));
        return { pool, deployments: [low, main], runs: runs.flat() };
      }),
    );
    const db = (await api.openReplica?.()) ?? api.ctx.db;
    const ctx = { ...api.ctx, db };
    const problems: unknown[] = [];
    for (const { pool, deployments, runs } of places) {
      ctx.polls.record(scope.workspaceId, { deploymentIds: deployments, at: ctx.clock.now() });
      const outcomes = await Promise.allSettled([
        ...runs.map((id) => propose(ctx, id, "PENDING")),
        ...deployments.map((id) =>
          createDeploymentRun(ctx, scope, { id, body: { work_queue_name: "low" } }),
        ),
        flushPolls(ctx),
        deleteWorkQueue(ctx, scope, { work_pool_name: pool, name: "low" }),
        ...deployments.map((id) =>
          updateDeployment(ctx, scope, { id, changes: { work_pool_name: pool } }),
        ),
        deleteWorkPool(ctx, scope, pool),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected" && !LATE.has(outcome.reason.code))
          problems.push(outcome.reason);
    }
    if (db !== api.ctx.db) await db.close();
    expect(problems).toEqual([]);
    expect(await countDeadlocks(api)).toBe(before);
  });
});
