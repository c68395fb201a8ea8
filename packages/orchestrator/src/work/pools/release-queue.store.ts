import { idRows, listedIds, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { RUNS_AT_ONCE } from "../../db/in-batches.ts";
import { OCCUPYING } from "../../db/tables/work-pools.table.ts";
import type { QueueAddress } from "../../db/tables/work-queues.table.ts";
import { statement } from "../../db/tables.ts";

// A literal: planned for any number, a statement might as well read a whole table.
const SOME = sql.lit(RUNS_AT_ONCE);

/** Those of a kind are held at once, in the order of their ids, as everywhere. */
const releaseDeployments = statement<{ queues: string }>()((db, p, dialect) =>
  db
    .updateTable("deployments")
    .set({ work_queue_id: null })
    .where("id", "in", (e) =>
      e
        .selectFrom("deployments")
        .select("deployments.id")
        .where("deployments.workspace_id", "=", p.workspace_id)
        .where("deployments.work_queue_id", "in", listedIds(dialect, p.queues))
        .orderBy("deployments.id")
        .limit(SOME)
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    ),
);

/** Queues are found in their workspace, and partial indexes lead from them to their runs. */
const releaseRuns = statement<{ queues: string }>()((db, p, dialect) => {
  const someThat = (condition: string) =>
    db
      .selectFrom(
        db
          .selectFrom("work_queues")
          .innerJoin("flow_runs", "flow_runs.work_queue_id", "work_queues.id")
          .select("flow_runs.id")
          .where("work_queues.workspace_id", "=", p.workspace_id)
          .where("work_queues.id", "in", listedIds(dialect, p.queues))
          .where(sql<boolean>`${sql.raw(condition)}`)
          .limit(SOME)
          .as("some"),
      )
      .select("some.id");
  return db
    .updateTable("flow_runs")
    .set({ work_queue_id: null })
    .where("id", "in", (e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.id")
        .where(
          "flow_runs.id",
          "in",
          someThat("flow_runs.state_type = 'SCHEDULED'").union(someThat(OCCUPYING)),
        )
        .orderBy("flow_runs.id")
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    );
});

/**
 * Whatever was to be worked on in queues that go has none any more; what has ended keeps the id it
 * had. So many deployments and runs as go in one transaction, and whether there may be more. They
 * are held before pools and queues: who deletes a queue does this first, and once more when it
 * holds the queue, for what has come in between.
 */
export async function releaseSome(tx: Transaction, queueIds: readonly string[]): Promise<boolean> {
  if (queueIds.length === 0) return false;
  const queues = idRows(queueIds);
  if ((await tx.run(releaseDeployments, { queues })) >= RUNS_AT_ONCE) return true;
  return (await tx.run(releaseRuns, { queues })) >= RUNS_AT_ONCE;
}

/** All that is left, when there is not much of it. */
export async function releaseRest(tx: Transaction, queueIds: readonly string[]): Promise<void> {
  while (await releaseSome(tx, queueIds));
}

const queuesOfPool = statement<{ pool: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.work_pool_id", "work_pools.id")
    .select(["work_queues.id", "work_queues.name", "work_pools.default_queue_id"])
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool),
);

/** The queues of a pool at this moment; none is held. */
export async function findQueueIds(queries: Queries, pool: string): Promise<string[]> {
  return (await queries.all(queuesOfPool, { pool })).map(({ id }) => id);
}

const poolOfQueue = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select(["work_queues.id", "work_pools.default_queue_id"])
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.id", "=", p.id),
);

/**
 * The queue at an address, as a list, if it may be deleted without its pool: not when it is the
 * default there.
 */
export async function findRemovable(queries: Queries, address: QueueAddress): Promise<string[]> {
  const found =
    "id" in address
      ? await queries.all(poolOfQueue, address)
      : (await queries.all(queuesOfPool, { pool: address.work_pool_name })).filter(
          ({ name }) => name === address.name,
        );
  return found.filter(({ id, default_queue_id }) => id !== default_queue_id).map(({ id }) => id);
}
