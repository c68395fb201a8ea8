// Runs that were refused a slot of their deployment's limit wait as SCHEDULED for half a minute and
// ask again. When a slot comes back, the next of them are called: they are due at once.

import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Transaction } from "@orchestrator/kernel/storage";
import { type Expression, type SqlBool, sql } from "kysely";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { announceRun } from "../polling/work-topics.rules.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import { decayingSlots, decays, isTagLimit, secondsAfter } from "./occupancy.rules.ts";
import { readUsage } from "./slot-usage.store.ts";

/** The name of the state they wait in. */
export const AWAITING_SLOT = "AwaitingConcurrencySlot";

/** Who was called and has not come by then no longer keeps others from being called. */
const CALLED_SECONDS = 5;
/** The rest ask again by themselves. */
const MOST_CALLED = 200;

/** As it stands in the partial index. */
export const AWAITS: Expression<SqlBool> = sql<boolean>`flow_runs.state_type = 'SCHEDULED' and flow_runs.state_name = 'AwaitingConcurrencySlot'`;

/** Those of a limit, or of one value of its key. */
interface OfLimit {
  readonly limit_id: string;
  readonly value: string;
}

interface Waiters {
  readonly any: ReturnType<typeof anyWaiter>;
  readonly called: ReturnType<typeof countCalled>;
  readonly next: ReturnType<typeof lockNext>;
}

const anyWaiter = (isKeyed: boolean) =>
  statement<OfLimit>()((db, p) =>
    db
      .selectFrom("deployments")
      .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
      .select("flow_runs.id")
      .where("deployments.workspace_id", "=", p.workspace_id)
      .where("deployments.concurrency_limit_id", "=", p.limit_id)
      .where(AWAITS)
      .$if(isKeyed, (query) => query.where("flow_runs.awaited_value", "=", p.value))
      .limit(1),
  );

const countCalled = (isKeyed: boolean) =>
  statement<OfLimit & { since: string; now: string }>()((db, p) =>
    db
      .selectFrom("deployments")
      .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
      .select((e) => e.fn.countAll<number>().as("count"))
      .where("deployments.workspace_id", "=", p.workspace_id)
      .where("deployments.concurrency_limit_id", "=", p.limit_id)
      .where(AWAITS)
      .$if(isKeyed, (query) => query.where("flow_runs.awaited_value", "=", p.value))
      .where("flow_runs.next_scheduled_start_time", ">=", p.since)
      .where("flow_runs.next_scheduled_start_time", "<=", p.now),
  );

const lockNext = (isKeyed: boolean) =>
  statement<OfLimit & { now: string; count: number }>()((db, p, dialect) =>
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
      .where(AWAITS)
      .$if(isKeyed, (query) => query.where("flow_runs.awaited_value", "=", p.value))
      .where("flow_runs.next_scheduled_start_time", ">", p.now)
      .orderBy("flow_runs.priority", "desc")
      .orderBy("flow_runs.expected_start_time")
      .orderBy("flow_runs.id")
      .limit(p.count)
      // Whoever holds one of them may be waiting for the limit that this transaction holds.
      .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("flow_runs").skipLocked()),
  );

const waiters = (isKeyed: boolean): Waiters => ({
  any: anyWaiter(isKeyed),
  called: countCalled(isKeyed),
  next: lockNext(isKeyed),
});
const ofLimit = waiters(false);
const ofValue = waiters(true);

const awaitedValues = statement<{ limit_id: string; most: number }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
    .select("flow_runs.awaited_value")
    .distinct()
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.concurrency_limit_id", "=", p.limit_id)
    .where(AWAITS)
    .limit(p.most),
);

const setAwaited = statement<{ id: string; value: string }>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ awaited_value: p.value })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Notes which value of its limit's key a run was refused a slot of. */
export async function noteAwaitedValue(
  tx: Transaction,
  run: { readonly id: string; readonly value: string },
): Promise<void> {
  await tx.run(setAwaited, run);
}

const lockWaiter = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "state_id", "state", "work_queue_id", "deployment_id"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where(AWAITS)
    // One that is being claimed asks anyway, and may be waiting for what this transaction holds.
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate().skipLocked()),
);

/** Lets a run that waits for a slot ask again now. */
export async function callRun(tx: Transaction, id: string, now: string): Promise<void> {
  const run = await tx.get(lockWaiter, { id });
  if (run !== undefined) await callLocked(tx, run, now);
}

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
 * Lets as many of those who wait for a slot of the limit ask again now as it has room for: the most
 * urgent first, then the oldest. The limit's row is held. Where it has a key, `values` are those
 * that have room; without them, any may.
 */
export async function callWaiters(
  tx: Transaction,
  limit: ConcurrencyLimitRow,
  now: string,
  values?: readonly string[],
): Promise<void> {
  if (isTagLimit(limit)) return;
  if (limit.key === null || !limit.active) {
    await callNext(tx, ofLimit, { limit, value: NO_VALUE, now });
    return;
  }
  const waiting =
    values ??
    (await tx.all(awaitedValues, { limit_id: limit.id, most: MOST_CALLED })).map(
      ({ awaited_value }) => awaited_value,
    );
  for (const value of new Set(waiting)) await callNext(tx, ofValue, { limit, value, now });
}

async function callNext(
  tx: Transaction,
  { any, called, next }: Waiters,
  { limit, value, now }: { limit: ConcurrencyLimitRow; value: string; now: string },
): Promise<void> {
  const which = { limit_id: limit.id, value };
  if ((await tx.get(any, which)) === undefined) return;
  const room = await roomIn(tx, { limit, value, now });
  if (room <= 0) return;
  const since = secondsAfter(now, -CALLED_SECONDS);
  const underWay = (await tx.get(called, { ...which, since, now }))?.count ?? 0;
  const count = Math.min(MOST_CALLED, room - underWay);
  if (count <= 0) return;
  for (const run of await tx.all(next, { ...which, now, count })) await callLocked(tx, run, now);
}

interface LockedWaiter {
  readonly id: string;
  readonly state_id: string | null;
  readonly state: string | null;
  readonly work_queue_id: string | null;
  readonly deployment_id: string | null;
}

async function callLocked(tx: Transaction, run: LockedWaiter, now: string): Promise<void> {
  const state = dueNow(run.state, now);
  await tx.run(call, { id: run.id, state, now });
  if (run.state_id !== null) await tx.run(amendState, { id: run.state_id, state });
  announceRun(tx, run);
}

async function roomIn(
  tx: Transaction,
  { limit, value, now }: { limit: ConcurrencyLimitRow; value: string; now: string },
): Promise<number> {
  if (!limit.active) return Number.POSITIVE_INFINITY;
  if (decays(limit)) return limit.slot_limit - decayingSlots(limit, now).slots;
  const usageOf = await readUsage(tx, { limits: [limit], values: [value], now });
  const { slots, expired } = usageOf(limit, value);
  return limit.slot_limit - slots + expired;
}

/** A claim takes the time over from the state, and the run starts no earlier. */
function dueNow(stored: string | null, now: string): string {
  const state = readJson(stored ?? "{}") as { readonly state_details?: object };
  return writeJson({
    ...state,
    state_details: { ...state.state_details, scheduled_time: now },
  });
}
