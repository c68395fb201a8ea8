import type { WorkQueue } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import {
  STANDALONE_QUEUE_FIELDS,
  WORK_QUEUES,
  type WorkQueueRow,
} from "../../db/tables/work-queues.table.ts";
import { statement } from "../../db/tables.ts";
import type { Prioritised } from "./priorities.rules.ts";

/** A queue is found by its id, or by its name among those of a pool. */
export type WorkQueueKey =
  | { readonly id: string }
  | { readonly poolId: string; readonly name: string };

const insert = statement<WorkQueueRow>()((db, p) =>
  db
    .insertInto("work_queues")
    .values(WORK_QUEUES.values(p))
    .onConflict((conflict) => conflict.columns(["work_pool_id", "name"]).doNothing()),
);

/** Tells whether the name was still free in its pool. */
export async function insertWorkQueue(tx: Transaction, row: WorkQueueRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(
      recordSql(dialect, { fields: STANDALONE_QUEUE_FIELDS, table: "work_queues" }).as("json"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const recordInPool = statement<{ poolId: string; name: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(recordSql(dialect, { fields: WORK_QUEUES.fields, table: "work_queues" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("name", "=", p.name),
);

export async function findWorkQueue(
  queries: Queries,
  key: WorkQueueKey,
): Promise<JsonText<WorkQueue> | null> {
  const row =
    "id" in key ? await queries.get(recordById, key) : await queries.get(recordInPool, key);
  return row?.json ?? null;
}

/** Where several pools have a queue of the name, `preferred` decides, then age. */
const idByName = statement<{ name: string; preferred: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select("work_queues.id")
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.name", "=", p.name)
    .orderBy((order) =>
      order
        .case()
        .when("work_pools.name", "=", p.preferred)
        .then(order.lit(0))
        .else(order.lit(1))
        .end(),
    )
    .orderBy("work_queues.created")
    .orderBy("work_queues.id")
    .limit(1),
);

export async function findQueueIdByName(
  queries: Queries,
  names: { readonly name: string; readonly preferred: string },
): Promise<string | null> {
  return (await queries.get(idByName, names))?.id ?? null;
}

const inPool = statement<{ pool: string; name: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select("work_queues.id")
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool)
    .where("work_queues.name", "=", p.name)
    .$if(dialect.locksRows, (query) => query.forKeyShare("work_queues")),
);

const defaultOfPool = statement<{ pool: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.id", "work_pools.default_queue_id")
    .select("work_queues.id")
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool)
    .$if(dialect.locksRows, (query) => query.forKeyShare("work_queues")),
);

/**
 * The id of a queue that cannot be deleted before the transaction ends; without a name, the pool's
 * default queue.
 */
export async function lockQueueId(
  tx: Transaction,
  { pool, name }: { readonly pool: string; readonly name: string | null },
): Promise<string | null> {
  const row =
    name === null ? await tx.get(defaultOfPool, { pool }) : await tx.get(inPool, { pool, name });
  return row?.id ?? null;
}

const lockById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(WORK_QUEUES.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const lockInPool = statement<{ poolId: string; name: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(WORK_QUEUES.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("name", "=", p.name)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends. */
export async function lockWorkQueue(
  tx: Transaction,
  key: WorkQueueKey,
): Promise<WorkQueueRow | null> {
  const row = "id" in key ? await tx.get(lockById, key) : await tx.get(lockInPool, key);
  return row ?? null;
}

const lockAllOfPool = statement<{ poolId: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_queues")
    .select(["id", "name", "priority"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** All queues of a pool, held until the transaction ends. */
export async function lockQueuesOfPool(
  tx: Transaction,
  poolId: string,
): Promise<(Prioritised & { readonly name: string })[]> {
  return tx.all(lockAllOfPool, { poolId });
}

const poolOfQueue = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .select("work_pool_id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findPoolOfQueue(queries: Queries, id: string): Promise<string | null> {
  return (await queries.get(poolOfQueue, { id }))?.work_pool_id ?? null;
}

const setPriority = statement<Prioritised>()((db, p) =>
  db
    .updateTable("work_queues")
    .set({ priority: p.priority })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function setPriorities(tx: Transaction, moves: readonly Prioritised[]): Promise<void> {
  for (const move of moves) await tx.run(setPriority, move);
}

const update = statement<WorkQueueRow>()((db, p) =>
  db
    .updateTable("work_queues")
    .set(WORK_QUEUES.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new name is taken in the pool. */
export async function updateWorkQueueRow(tx: Transaction, row: WorkQueueRow): Promise<void> {
  await tx.run(update, row);
}

const deleteWorkQueueRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("work_queues").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeWorkQueueRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteWorkQueueRow, { id });
}
