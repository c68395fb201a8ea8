// Who is being served: what polls, heartbeats and the health loop write about queues and pools.

import { idRows, listedIds, type Transaction } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import type { WorkQueueRow } from "../../db/tables/work-queues.table.ts";
import { statement, type Tables } from "../../db/tables.ts";

export type WatchedQueue = Pick<
  WorkQueueRow,
  "id" | "name" | "status" | "status_event_id" | "status_changed"
> & { readonly pool: Pick<WorkPoolRow, "id" | "name" | "type"> };

interface Polled {
  readonly id: string;
  readonly at: string;
}

const queuesWithPool = (db: Kysely<Tables>) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select([
      "work_queues.id",
      "work_queues.name",
      "work_queues.status",
      "work_queues.status_event_id",
      "work_queues.status_changed",
      "work_pools.id as pool_id",
      "work_pools.name as pool_name",
      "work_pools.type as pool_type",
    ]);

type QueueWithPool = Omit<WatchedQueue, "pool"> & {
  readonly pool_id: string;
  readonly pool_name: string;
  readonly pool_type: string;
};

const watched = ({ pool_id, pool_name, pool_type, ...queue }: QueueWithPool): WatchedQueue => ({
  ...queue,
  pool: { id: pool_id, name: pool_name, type: pool_type },
});

// Rows are held in the order of their ids, so that replicas that write down the same polls do not
// block each other.

const lockQueues = statement<{ ids: string }>()((db, p, dialect) =>
  queuesWithPool(db)
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.id", "in", listedIds(dialect, p.ids))
    .orderBy("work_queues.id")
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("work_queues")),
);

export async function lockPolledQueues(
  tx: Transaction,
  ids: readonly string[],
): Promise<WatchedQueue[]> {
  return (await tx.all(lockQueues, { ids: idRows(ids) })).map(watched);
}

const lockStale = statement<{ cutoff: string; limit: number }>()((db, p, dialect) =>
  queuesWithPool(db)
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.status", "=", sql.lit("READY"))
    .where((e) =>
      e.or([e("work_queues.last_polled", "is", null), e("work_queues.last_polled", "<", p.cutoff)]),
    )
    .orderBy("work_queues.id")
    .limit(p.limit)
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("work_queues")),
);

export async function lockStaleQueues(
  tx: Transaction,
  limits: { readonly cutoff: string; readonly limit: number },
): Promise<WatchedQueue[]> {
  return (await tx.all(lockStale, limits)).map(watched);
}

const touch = statement<{ polls: string }>()((db, p, dialect) =>
  db
    .updateTable("work_queues")
    .from(dialect.rowsFrom({ id: "id", at: "time" }, p.polls).$castTo<Polled>().as("polled"))
    .set((e) => ({ last_polled: e.ref("polled.at") }))
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .whereRef("work_queues.id", "=", "polled.id")
    .where((e) =>
      e.or([
        e("work_queues.last_polled", "is", null),
        e("work_queues.last_polled", "<", e.ref("polled.at")),
      ]),
    ),
);

/** When each queue was polled; a later time that is there already stays. */
export async function touchQueues(
  tx: Transaction,
  polls: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.run(touch, { polls: JSON.stringify([...polls].map(([id, at]) => ({ id, at }))) });
}

export interface StatusChange {
  readonly id: string;
  readonly status: string;
  readonly status_event_id: string;
  readonly status_changed: string;
}

const setStatusIn = (table: "work_pools" | "work_queues") =>
  statement<StatusChange>()((db, p) =>
    db
      .updateTable(table)
      .set({
        status: p.status,
        status_event_id: p.status_event_id,
        status_changed: p.status_changed,
      })
      .where("workspace_id", "=", p.workspace_id)
      .where("id", "=", p.id),
  );
const setInQueues = setStatusIn("work_queues");
const setInPools = setStatusIn("work_pools");

export async function setQueueStatus(tx: Transaction, change: StatusChange): Promise<void> {
  await tx.run(setInQueues, change);
}

export async function setPoolStatus(tx: Transaction, change: StatusChange): Promise<void> {
  await tx.run(setInPools, change);
}

export type WatchedPool = Pick<
  WorkPoolRow,
  "id" | "name" | "type" | "status" | "status_event_id" | "status_changed"
>;

const POOL_COLUMNS = ["id", "name", "type", "status", "status_event_id", "status_changed"] as const;

const lockNotReady = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_pools")
    .select(POOL_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("status", "=", sql.lit("NOT_READY"))
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate()),
);

/** The pool if it is not ready, held until the transaction ends. */
export async function lockPoolNotReady(tx: Transaction, id: string): Promise<WatchedPool | null> {
  return (await tx.get(lockNotReady, { id })) ?? null;
}

const lockUnserved = statement<{ limit: number }>()((db, p, dialect) =>
  db
    .selectFrom("work_pools")
    .select(POOL_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("status", "=", sql.lit("READY"))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("workers")
            .select("workers.id")
            .whereRef("workers.work_pool_id", "=", "work_pools.id")
            .where("workers.status", "=", sql.lit("ONLINE")),
        ),
      ),
    )
    .orderBy("id")
    .limit(p.limit)
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate()),
);

export async function lockUnservedPools(tx: Transaction, limit: number): Promise<WatchedPool[]> {
  return tx.all(lockUnserved, { limit });
}
