// Which deployments are being served: what polls and the health loop write about them.

import { idRows, idTable, listedIds, type Transaction } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import { statement, type Tables } from "../../db/tables.ts";
import type { WatchedDeployment } from "./readiness.events.ts";

/** Deployments beside their flow, and the queue and the pool that they are in. */
export const placedDeployments = (db: Kysely<Tables>) =>
  db
    .selectFrom("deployments")
    .innerJoin("flows", "flows.id", "deployments.flow_id")
    .leftJoin("work_queues", "work_queues.id", "deployments.work_queue_id")
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id");

/** Deployments with the names of what their events mention. */
export const watchedDeployments = (db: Kysely<Tables>) =>
  placedDeployments(db).select([
    "deployments.id",
    "deployments.name",
    "deployments.status",
    "deployments.flow_id",
    "flows.name as flow_name",
    "work_queues.id as work_queue_id",
    "work_queues.name as work_queue_name",
    "work_pools.id as work_pool_id",
    "work_pools.name as work_pool_name",
    "work_pools.type as work_pool_type",
    "deployments.concurrency_limit_id",
    "deployments.storage_document_id",
    "deployments.infrastructure_document_id",
  ]);

const lockPolled = statement<{ queues: string; ids: string; stale: string }>()((db, p, dialect) =>
  watchedDeployments(db)
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "in", (e) =>
      e
        .selectFrom("deployments as queued")
        .select("queued.id")
        .where("queued.work_queue_id", "in", listedIds(dialect, p.queues))
        .unionAll(e.selectFrom(idTable(dialect, p.ids)).select("listed.id")),
    )
    .where((e) =>
      e.or([
        e("deployments.status", "<>", "READY"),
        e("deployments.last_polled", "is", null),
        e("deployments.last_polled", "<", p.stale),
        e.and([
          e("deployments.id", "in", listedIds(dialect, p.ids)),
          e.or([
            e("deployments.last_served", "is", null),
            e("deployments.last_served", "<", p.stale),
          ]),
        ]),
      ]),
    )
    .orderBy("deployments.id")
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("deployments")),
);

/**
 * The polled deployments whose row has to say so: not ready yet, or last polled before `stale`;
 * `ids` are those that were asked for by themselves.
 */
export async function lockPolledDeployments(
  tx: Transaction,
  polled: {
    readonly queueIds: readonly string[];
    readonly ids: readonly string[];
    readonly stale: string;
  },
): Promise<WatchedDeployment[]> {
  const { queueIds, ids, stale } = polled;
  return tx.all(lockPolled, { queues: idRows(queueIds), ids: idRows(ids), stale });
}

const lockForgotten = statement<{ cutoff: string; limit: number }>()((db, p, dialect) =>
  watchedDeployments(db)
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.status", "=", sql.lit("READY"))
    .where((e) =>
      e.or([e("deployments.last_polled", "is", null), e("deployments.last_polled", "<", p.cutoff)]),
    )
    .where((e) =>
      e.or([e("work_queues.last_polled", "is", null), e("work_queues.last_polled", "<", p.cutoff)]),
    )
    .orderBy("deployments.id")
    .limit(p.limit)
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate("deployments")),
);

/** Ready deployments that nobody asks about any more, neither themselves nor by their queue. */
export async function lockForgottenDeployments(
  tx: Transaction,
  limits: { readonly cutoff: string; readonly limit: number },
): Promise<WatchedDeployment[]> {
  return tx.all(lockForgotten, limits);
}

const markPolled = statement<{ ids: string; at: string }>()((db, p, dialect) =>
  db
    .updateTable("deployments")
    .set({ status: "READY", last_polled: p.at })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

const markServed = statement<{ ids: string; at: string }>()((db, p, dialect) =>
  db
    .updateTable("deployments")
    .set({ last_served: p.at })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** `served` are those of them that were asked for by themselves. */
export async function markDeploymentsPolled(
  tx: Transaction,
  polled: {
    readonly ids: readonly string[];
    readonly served: readonly string[];
    readonly at: string;
  },
): Promise<void> {
  const { ids, served, at } = polled;
  await tx.run(markPolled, { ids: idRows(ids), at });
  if (served.length > 0) tx.enqueue(markServed, { ids: idRows(served), at });
}

const markForgotten = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .updateTable("deployments")
    .set({ status: "NOT_READY" })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

export async function markDeploymentsForgotten(
  tx: Transaction,
  ids: readonly string[],
): Promise<void> {
  await tx.run(markForgotten, { ids: idRows(ids) });
}
