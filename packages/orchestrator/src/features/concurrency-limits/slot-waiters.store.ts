// Runs that were refused a slot of their deployment's limit wait as SCHEDULED for half a minute and ask again. When a
// slot comes back, the next of them are called: they are due at once.

import type { Transaction } from "@orchestrator/kernel";
import { type Expression, type SqlBool, sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { announceRun } from "../work-pools/work-topics.rules.ts";
import type { ConcurrencyLimitRow } from "./concurrency-limits.table.ts";
import { decayingSlots, decays, isDeploymentLimit, secondsAfter } from "./occupancy.rules.ts";
import { readUsage } from "./slot-rows.store.ts";

/** The name of the state they wait in. */
export const AWAITING_SLOT = "AwaitingConcurrencySlot";

/** Who was called and has not come by then no longer keeps others from being called. */
const CALLED_SECONDS = 5;
/** The rest ask again by themselves. */
const MOST_CALLED = 200;

/** As it stands in the partial index. */
const awaits: Expression<SqlBool> = sql<boolean>`flow_runs.state_type = 'SCHEDULED' and flow_runs.state_name = 'AwaitingConcurrencySlot'`;

const anyWaiter = statement<{ limit_id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
    .select("flow_runs.id")
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.concurrency_limit_id", "=", p.limit_id)
    .where(awaits)
    .limit(1),
);

const countCalled = statement<{ limit_id: string; since: string; now: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.concurrency_limit_id", "=", p.limit_id)
    .where(awaits)
    .where("flow_runs.next_scheduled_start_time", ">=", p.since)
    .where("flow_runs.next_scheduled_start_time", "<=", p.now),
);

const lockNext = statement<{ limit_id: string; now: string; count: number }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
    .select([
      "flow_runs.id",
      "flow_runs.state_id",
      "flow_runs.state",
      "flow_runs.work_queue_id",
      "flow_runs.deployment_id",
    ])
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.concurrency_limit_id", "=", p.limit_id)
    .where(awaits)
    .where("flow_runs.next_scheduled_start_time", ">", p.now)
    .orderBy("flow_runs.priority", "desc")
    .orderBy("flow_runs.expected_start_time")
    .orderBy("flow_runs.id")
    .limit(p.count)
    // Whoever holds one of them may be waiting for the limit that this transaction holds.
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("flow_runs").skipLocked()),
);

const call = statement<{ id: string; state: string; now: string }>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ updated: p.now, next_scheduled_start_time: p.now, state: p.state })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const amendState = statement<{ id: string; state: string }>()((db, p) =>
  db
    .updateTable("flow_run_states")
    .set({ state: p.state })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/**
 * Lets as many of those who wait for a slot of the limit ask again now as it has room for: the most urgent first, then
 * the oldest. The limit's row is held.
 */
export async function callWaiters(
  tx: Transaction,
  limit: ConcurrencyLimitRow,
  now: string,
): Promise<void> {
  if (!isDeploymentLimit(limit)) return;
  const limit_id = limit.id;
  if ((await tx.get(anyWaiter, { limit_id })) === undefined) return;
  const room = await roomIn(tx, limit, now);
  if (room <= 0) return;
  const since = secondsAfter(now, -CALLED_SECONDS);
  const called = (await tx.get(countCalled, { limit_id, since, now }))?.count ?? 0;
  const count = Math.min(MOST_CALLED, room - called);
  if (count <= 0) return;
  for (const run of await tx.all(lockNext, { limit_id, now, count })) {
    const state = dueNow(run.state, now);
    await tx.run(call, { id: run.id, state, now });
    if (run.state_id !== null) await tx.run(amendState, { id: run.state_id, state });
    announceRun(tx, run);
  }
}

async function roomIn(tx: Transaction, limit: ConcurrencyLimitRow, now: string): Promise<number> {
  if (!limit.active) return Number.POSITIVE_INFINITY;
  if (decays(limit)) return limit.slot_limit - decayingSlots(limit, now).slots;
  const usage = (await readUsage(tx, [limit.id], now)).get(limit.id);
  return limit.slot_limit - (usage?.slots ?? 0) + (usage?.expired ?? 0);
}

/** A claim takes the time over from the state, and the run starts no earlier. */
function dueNow(stored: string | null, now: string): string {
  const state = JSON.parse(stored ?? "{}") as { readonly state_details?: object };
  return JSON.stringify({
    ...state,
    state_details: { ...state.state_details, scheduled_time: now },
  });
}
