import type { Database } from "@orchestrator/kernel";
import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";

const late = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "workspace_id", "state_id", "next_scheduled_start_time"])
    .where("state_type", "=", sql.lit("SCHEDULED"))
    .where("state_name", "=", sql.lit("Scheduled"))
    .where("next_scheduled_start_time", "<=", p.before)
    .orderBy("next_scheduled_start_time")
    .limit(p.limit),
);

/** Runs that were due before the given time and are not called late yet. */
export function findLateRuns(db: Database, query: { before: string; limit: number }) {
  return db.system.all(late, query);
}

const overdue = (isHeard: boolean) =>
  systemStatement<{ now: string; limit: number }>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select(["id", "workspace_id", "state_id", "state_type", "deployment_id", "work_queue_id"])
      .where("deadline", "is not", null)
      .where("deadline", "<=", p.now)
      .$if(!isHeard, (query) => query.where("state_type", "<>", sql.lit("RUNNING" as const)))
      .orderBy("deadline")
      .limit(p.limit),
  );
const allOverdue = overdue(true);
const silentOverdue = overdue(false);

export type OverdueRun = Awaited<ReturnType<typeof findOverdueRuns>>[number];

/** Runs whose deadline has passed, the longest overdue first; running ones only where `isHeard`. */
export function findOverdueRuns(
  db: Database,
  { isHeard, ...query }: { now: string; limit: number; isHeard: boolean },
) {
  return db.system.all(isHeard ? allOverdue : silentOverdue, query);
}

const TERMINAL = sql.raw<string>("('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED')");

const orphanTasks = systemStatement<{ since: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .innerJoin("task_runs", "task_runs.flow_run_id", "flow_runs.id")
    .select(["task_runs.id", "task_runs.workspace_id", "task_runs.state_id"])
    .where("flow_runs.state_type", "=", sql.lit("CANCELLED"))
    .where("flow_runs.end_time", ">=", p.since)
    .where(sql<boolean>`task_runs.state_type not in ${TERMINAL}`)
    .limit(p.limit),
);

/** Task runs that have not ended although their flow run was cancelled since the given time. */
export function findOrphanTasks(db: Database, query: { since: string; limit: number }) {
  return db.system.all(orphanTasks, query);
}

const orphanSubflows = systemStatement<{ since: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs as parent")
    .innerJoin("task_runs", "task_runs.flow_run_id", "parent.id")
    .innerJoin("flow_runs as child", "child.parent_task_run_id", "task_runs.id")
    .select(["child.id", "child.workspace_id", "child.state_id", "child.deployment_id"])
    .where("parent.state_type", "=", sql.lit("CANCELLED"))
    .where("parent.end_time", ">=", p.since)
    .where(
      sql<boolean>`child.state_type not in ('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED', 'CANCELLING')`,
    )
    .limit(p.limit),
);

/** Runs inside a run that was cancelled since the given time, which nobody has told to stop yet. */
export function findOrphanSubflows(db: Database, query: { since: string; limit: number }) {
  return db.system.all(orphanSubflows, query);
}

const ended = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "workspace_id", "state_id"])
    .where("end_time", "<", p.before)
    .where((eb) =>
      eb.or([
        eb("parent_task_run_id", "is", null),
        eb.not(
          eb.exists(
            eb
              .selectFrom("task_runs")
              .select("task_runs.id")
              .whereRef("task_runs.id", "=", "flow_runs.parent_task_run_id"),
          ),
        ),
      ]),
    )
    .where(sql<boolean>`state_type in ${TERMINAL}`)
    .orderBy("end_time")
    .limit(p.limit),
);

/** Runs that ended before the given time, and those inside them once they are gone. */
export function findEndedRuns(db: Database, query: { before: string; limit: number }) {
  return db.system.all(ended, query);
}

const orphanHolders = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("concurrency_leases")
    .leftJoin("task_runs", "task_runs.id", "concurrency_leases.holder_id")
    .leftJoin("flow_runs", "flow_runs.id", "task_runs.flow_run_id")
    .select(["concurrency_leases.holder_id as id", "concurrency_leases.workspace_id"])
    .where("concurrency_leases.holder_type", "=", "task_run")
    .where("concurrency_leases.expires", "is", null)
    .where("concurrency_leases.created", "<", p.before)
    .where((eb) =>
      eb.or([eb("task_runs.id", "is", null), sql<boolean>`flow_runs.state_type in ${TERMINAL}`]),
    )
    .limit(p.limit),
);

/** Who holds slots without end although its task run is gone or its flow run has ended. */
export async function findOrphanHolders(db: Database, query: { before: string; limit: number }) {
  const found = await db.system.all(orphanHolders, query);
  return found.flatMap(({ id, workspace_id }) => (id === null ? [] : [{ id, workspace_id }]));
}
