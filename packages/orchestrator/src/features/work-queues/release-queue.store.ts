import type { Dialect, Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { OCCUPYING } from "../work-pools/work-pools.table.ts";

const listed = (dialect: Dialect, ids: string) =>
  dialect.rowsFrom({ id: "id" }, ids).$castTo<{ id: string }>().as("listed");

/** All of a kind are held at once, in the order of their ids, as everywhere. */
const releaseDeployments = statement<{ queues: string }>()((db, p, dialect) =>
  db
    .updateTable("deployments")
    .set({ work_queue_id: null })
    .where("id", "in", (e) =>
      e
        .selectFrom("deployments")
        .select("deployments.id")
        .where("deployments.workspace_id", "=", p.workspace_id)
        .where("deployments.work_queue_id", "in", (queue) =>
          queue.selectFrom(listed(dialect, p.queues)).select("listed.id"),
        )
        .orderBy("deployments.id")
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    ),
);

/** Queues are found in their workspace, and partial indexes lead from them to their runs. */
const releaseRuns = statement<{ queues: string }>()((db, p, dialect) => {
  const runsThat = (condition: string) =>
    db
      .selectFrom("work_queues")
      .innerJoin("flow_runs", "flow_runs.work_queue_id", "work_queues.id")
      .select("flow_runs.id")
      .where("work_queues.workspace_id", "=", p.workspace_id)
      .where("work_queues.id", "in", (queue) =>
        queue.selectFrom(listed(dialect, p.queues)).select("listed.id"),
      )
      .where(sql<boolean>`${sql.raw(condition)}`);
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
          runsThat("flow_runs.state_type = 'SCHEDULED'").union(runsThat(OCCUPYING)),
        )
        .orderBy("flow_runs.id")
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    );
});

/**
 * Whatever was to be worked on in queues that go has none any more. What has ended keeps the id it had. Deployments and runs
 * are held before pools and queues: who deletes a queue does this first, and once more when it holds the queue, for what
 * has come in between.
 */
export async function releaseQueues(tx: Transaction, queueIds: readonly string[]): Promise<void> {
  if (queueIds.length === 0) return;
  const queues = JSON.stringify(queueIds.map((id) => ({ id })));
  await tx.run(releaseDeployments, { queues });
  await tx.run(releaseRuns, { queues });
}

const queuesOfPool = statement<{ pool: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.work_pool_id", "work_pools.id")
    .select(["work_queues.id", "work_queues.name"])
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool),
);

/** The queues of a pool at this moment, or the one of that name; none is held. */
export async function findQueueIds(
  tx: Transaction,
  { pool, name }: { readonly pool: string; readonly name?: string },
): Promise<string[]> {
  const queues = await tx.all(queuesOfPool, { pool });
  return queues.filter((queue) => name === undefined || queue.name === name).map(({ id }) => id);
}
