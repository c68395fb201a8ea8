import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";

// In which workspaces there is something to do; nothing is written where there is nothing.

export const workspacesWithUnserved = systemStatement()((db) =>
  db
    .selectFrom("work_pools")
    .select("workspace_id")
    .distinct()
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
    ),
);

export const workspacesWithStaleQueues = systemStatement<{ cutoff: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .select("workspace_id")
    .distinct()
    .where("status", "=", sql.lit("READY"))
    .where((e) => e.or([e("last_polled", "is", null), e("last_polled", "<", p.cutoff)])),
);

export const workspacesWithForgotten = systemStatement<{ cutoff: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .leftJoin("work_queues", "work_queues.id", "deployments.work_queue_id")
    .select("deployments.workspace_id")
    .distinct()
    .where("deployments.status", "=", sql.lit("READY"))
    .where((e) =>
      e.or([e("deployments.last_polled", "is", null), e("deployments.last_polled", "<", p.cutoff)]),
    )
    .where((e) =>
      e.or([e("work_queues.last_polled", "is", null), e("work_queues.last_polled", "<", p.cutoff)]),
    ),
);
