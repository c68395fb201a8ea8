import { type Database, idRows, idTable } from "@orchestrator/kernel/storage";
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

/** How well the server has listened to the runs that promised to be heard of. */
export interface HeardSpan {
  /** What they sent by then has been read. */
  readonly heardUntil: string;
  /** For how many seconds the server has been there for them without a break. */
  readonly listenedSeconds: number;
}

interface Overdue extends HeardSpan {
  readonly now: string;
  readonly limit: number;
}

const overdue = systemStatement<Overdue>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "workspace_id", "state_id", "state_type", "deadline"])
    .select((e) =>
      e
        .or([
          e("work_queue_id", "is not", null),
          e.exists(
            e
              .selectFrom("deployments")
              .select("deployments.id")
              .whereRef("deployments.id", "=", "flow_runs.deployment_id"),
          ),
        ])
        .as("is_polled"),
    )
    .where("deadline", "is not", null)
    .where("deadline", "<=", p.now)
    .where((e) =>
      e.or([
        e("state_type", "<>", sql.lit("RUNNING" as const)),
        e.and([
          e("deadline", "<=", p.heardUntil),
          e(e.fn.coalesce("silence_seconds", sql<number>`0`), "<=", p.listenedSeconds),
        ]),
      ]),
    )
    .orderBy("deadline")
    .limit(p.limit),
);

export type OverdueRun = Awaited<ReturnType<typeof findOverdueRuns>>[number];

/**
 * Runs whose deadline has passed, the longest overdue first; running ones only where silence would
 * have been noticed.
 */
export function findOverdueRuns(db: Database, query: Overdue) {
  return db.system.all(overdue, query);
}

const TERMINAL = sql.raw<string>("('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED')");

/** A place among runs that have ended: behind the one with this time and id. */
export interface Ended {
  readonly end_time: string | null;
  readonly id: string;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Before every run that ended at a time or later. */
export const endedAt = (time: string): Ended => ({ end_time: time, id: FIRST_ID });

const cancelled = systemStatement<Ended & { before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "end_time"])
    .where("state_type", "=", sql.lit("CANCELLED"))
    .where("end_time", "<=", p.before)
    .where(sql<boolean>`(end_time, id) > (${p.end_time}, ${p.id})`)
    .orderBy("end_time")
    .orderBy("id")
    .limit(p.limit),
);

/** Runs behind a place that were cancelled by the given time. */
export function findCancelled(
  db: Database,
  { after, ...query }: { after: Ended; before: string; limit: number },
) {
  return db.system.all(cancelled, { ...query, end_time: after.end_time, id: after.id });
}

interface Listed {
  readonly ids: string;
  readonly limit: number;
}

const tasksLeft = systemStatement<Listed>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .crossJoin("task_runs")
    .select(["task_runs.id", "task_runs.workspace_id", "task_runs.state_id"])
    .whereRef("task_runs.flow_run_id", "=", "listed.id")
    .where(sql<boolean>`task_runs.state_type not in ${TERMINAL}`)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("flow_runs as child")
            .select("child.id")
            .whereRef("child.workspace_id", "=", "task_runs.workspace_id")
            .whereRef("child.parent_task_run_id", "=", "task_runs.id")
            .where(sql<boolean>`child.state_type not in ${TERMINAL}`),
        ),
      ),
    )
    .limit(p.limit),
);

/**
 * Task runs of these runs that have not ended, but for those that stand for a run which has not:
 * they end with that.
 */
export function findUnfinishedTasks(
  db: Database,
  { ids, limit }: { ids: readonly string[]; limit: number },
) {
  return db.system.all(tasksLeft, { ids: idRows(ids), limit });
}

const subflowsLeft = systemStatement<Listed>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .crossJoin("task_runs")
    .crossJoin("flow_runs as child")
    .select(["child.id", "child.workspace_id", "child.state_id", "child.deployment_id"])
    .whereRef("task_runs.flow_run_id", "=", "listed.id")
    .whereRef("child.workspace_id", "=", "task_runs.workspace_id")
    .whereRef("child.parent_task_run_id", "=", "task_runs.id")
    .where(
      sql<boolean>`child.state_type not in ('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED', 'CANCELLING')`,
    )
    .limit(p.limit),
);

/** Runs inside these runs that nobody has told to stop yet. */
export function findUncancelledSubflows(
  db: Database,
  { ids, limit }: { ids: readonly string[]; limit: number },
) {
  return db.system.all(subflowsLeft, { ids: idRows(ids), limit });
}

const ended = systemStatement<Ended & { before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "workspace_id", "state_id", "end_time"])
    .where("end_time", "<", p.before)
    .where(sql<boolean>`(end_time, id) > (${p.end_time}, ${p.id})`)
    .where((eb) =>
      eb.or([
        eb("parent_task_run_id", "is", null),
        eb.not(
          eb.exists(
            eb
              .selectFrom("task_runs")
              .select("task_runs.id")
              .whereRef("task_runs.workspace_id", "=", "flow_runs.workspace_id")
              .whereRef("task_runs.id", "=", "flow_runs.parent_task_run_id"),
          ),
        ),
      ]),
    )
    .where(sql<boolean>`state_type in ${TERMINAL}`)
    .orderBy("end_time")
    .orderBy("id")
    .limit(p.limit),
);

export type EndedRun = Awaited<ReturnType<typeof findEndedRuns>>[number];

/**
 * Runs behind a place that ended before the given time, and those inside them once they are gone.
 */
export function findEndedRuns(
  db: Database,
  { after, ...query }: { before: string; after: Ended; limit: number },
) {
  return db.system.all(ended, { ...query, end_time: after.end_time, id: after.id });
}

const endless = systemStatement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("concurrency_leases")
    .select(["id", "workspace_id", "holder_type", "holder_id", "created"])
    .where("expires", "is", null)
    .where("id", ">", p.after)
    // All the same, and the first column of the index.
    .orderBy("expires")
    .orderBy("id")
    .limit(p.limit),
);

/** Leases without end behind the one with the id; null: the first. */
export function findEndlessLeases(
  db: Database,
  { after, limit }: { after: string | null; limit: number },
) {
  return db.system.all(endless, { after: after ?? FIRST_ID, limit });
}

/** A task run, which has its id in its workspace only. */
export interface TaskRunAt {
  readonly workspace_id: string;
  readonly id: string;
}

const doneWith = systemStatement<{ runs: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect.rowsFrom({ workspace_id: "id", id: "id" }, p.runs).$castTo<TaskRunAt>().as("listed"),
    )
    .leftJoin("task_runs", (join) =>
      join
        .onRef("task_runs.workspace_id", "=", "listed.workspace_id")
        .onRef("task_runs.id", "=", "listed.id"),
    )
    .leftJoin("flow_runs", "flow_runs.id", "task_runs.flow_run_id")
    .select(["listed.workspace_id", "listed.id"])
    .where((eb) =>
      eb.or([
        eb("task_runs.id", "is", null),
        sql<boolean>`flow_runs.state_type in ${TERMINAL}`,
        sql<boolean>`task_runs.flow_run_id is null and task_runs.state_type in ${TERMINAL}`,
      ]),
    ),
);

/**
 * Those among task runs that are gone, or whose flow run has ended, or that have no flow run and
 * have ended themselves.
 */
export async function findDoneWith(db: Database, runs: readonly TaskRunAt[]): Promise<TaskRunAt[]> {
  const rows = runs.map(({ workspace_id, id }) => ({ workspace_id, id }));
  return db.system.all(doneWith, { runs: JSON.stringify(rows) });
}
