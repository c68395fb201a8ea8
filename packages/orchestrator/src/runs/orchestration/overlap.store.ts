// Runs of a schedule that have begun and not ended.

import type { StateType } from "@orchestrator/contract";
import type { Database, Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { lockedRow, statement, systemStatement } from "../../db/tables.ts";

/** Nudged when a run waits for earlier ones of its schedule to be cancelled. */
export const OVERLAP_TOPIC = "overlap";

const UNDER_WAY = (["PENDING", "RUNNING", "PAUSED", "CANCELLING"] as const).map((type) =>
  sql.lit<StateType>(type),
);

const mindfulSchedule = lockedRow<{ run_id: string }>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .select(["id", "overlap"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", (e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.created_by_id")
        .where("flow_runs.id", "=", p.run_id)
        .where("flow_runs.state_type", "=", sql.lit<StateType>("SCHEDULED"))
        .where("flow_runs.run_count", "=", sql.lit(0)),
    )
    .where("overlap", "<>", sql.lit("allow")),
);

/** A schedule that minds when its runs overlap, and what it wants then. */
export interface MindfulSchedule {
  readonly id: string;
  readonly overlap: string;
}

/**
 * The schedule that a run which waits to be claimed was made by, if it minds that its runs overlap.
 * Of two claims the second waits here. It is locked before the run: a change of a schedule locks
 * it, too, and then deletes its runs.
 */
export async function lockScheduleOf(
  tx: Transaction,
  runId: string,
): Promise<MindfulSchedule | null> {
  return (await tx.lockRow(mindfulSchedule, { run_id: runId })) ?? null;
}

interface Waiting {
  readonly schedule_id: string;
  readonly run_id: string;
  readonly deployment_id: string;
}

const underWay = (limit: number) =>
  statement<Waiting>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select("id")
      .where("workspace_id", "=", p.workspace_id)
      .where("created_by_id", "=", p.schedule_id)
      .where("state_type", "in", UNDER_WAY)
      .where("id", "<>", p.run_id)
      .limit(sql.lit(limit)),
  );

/** One that waits to be tried again has begun, and not ended. */
const toBeContinued = (limit: number) =>
  statement<Waiting>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select("id")
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit<StateType>("SCHEDULED"))
      .where("created_by_id", "=", p.schedule_id)
      .where("run_count", ">", 0)
      .where("id", "<>", p.run_id)
      .limit(sql.lit(limit)),
  );

const anyUnderWay = underWay(1);
const anyToBeContinued = toBeContinued(1);

/** Whether another run of the schedule has begun and not ended. */
export async function hasRunUnderWay(tx: Transaction, run: Waiting): Promise<boolean> {
  if ((await tx.get(anyUnderWay, run)) !== undefined) return true;
  return (await tx.get(anyToBeContinued, run)) !== undefined;
}

/** Within which times those are to be asked for that wait for their turn. */
export interface OverlapSpan {
  readonly since: string;
  readonly until: string;
}

/** Of those that wait for their turn, the ones before a run. */
const inFront = (limit: number) =>
  statement<Waiting & OverlapSpan>()((db, p) =>
    db
      .selectFrom("flow_runs as waiting")
      .innerJoin("flow_runs as own", (join) => join.on("own.id", "=", p.run_id))
      .select("waiting.id")
      .where("waiting.workspace_id", "=", p.workspace_id)
      .where("waiting.deployment_id", "=", p.deployment_id)
      .where("waiting.state_type", "=", sql.lit<StateType>("SCHEDULED"))
      .where("waiting.state_name", "=", sql.lit("AwaitingConcurrencySlot"))
      // Cast, so that not all that the schedule or the deployment has made is gone through.
      .where(sql<boolean>`cast(waiting.created_by_id as text) = ${p.schedule_id}`)
      .where(sql<boolean>`cast(waiting.expected_start_time as text) < own.expected_start_time`)
      .where("waiting.run_count", "=", 0)
      .where("waiting.next_scheduled_start_time", ">", p.since)
      .where("waiting.next_scheduled_start_time", "<", p.until)
      .whereRef("waiting.priority", ">=", "own.priority")
      .limit(sql.lit(limit)),
  );

const anyInFront = inFront(1);

/** Whether an earlier run of the schedule waits for its turn, too. */
export async function hasRunInFront(tx: Transaction, run: Waiting & OverlapSpan): Promise<boolean> {
  return (await tx.get(anyInFront, run)) !== undefined;
}

const MOST_TOLD = 50;
const allUnderWay = underWay(MOST_TOLD);
const allToBeContinued = toBeContinued(MOST_TOLD);

/** The other runs of the schedule that have begun and not ended. */
export async function readRunsUnderWay(queries: Queries, run: Waiting): Promise<string[]> {
  const found = await Promise.all([
    queries.all(allUnderWay, run),
    queries.all(allToBeContinued, run),
  ]);
  return found.flat().map(({ id }) => id);
}

const allInFront = inFront(MOST_TOLD);

/** The earlier runs of the schedule that wait for their turn. */
export async function readRunsInFront(
  queries: Queries,
  run: Waiting & OverlapSpan,
): Promise<string[]> {
  return (await queries.all(allInFront, run)).map(({ id }) => id);
}

interface Overlapping extends OverlapSpan {
  readonly limit: number;
}

const overlappedUnderWay = systemStatement<Overlapping>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .innerJoin("flow_runs", "flow_runs.created_by_id", "deployment_schedules.id")
    .select(["flow_runs.id", "flow_runs.workspace_id"])
    .where("deployment_schedules.overlap", "=", sql.lit("cancel-running"))
    .where("flow_runs.created_by_id", "is not", null)
    .where("flow_runs.state_type", "in", UNDER_WAY)
    .where("flow_runs.state_type", "<>", "CANCELLING")
    .where((e) =>
      e.exists(
        e
          .selectFrom("flow_runs as waiting")
          .select("waiting.id")
          .whereRef("waiting.deployment_id", "=", "flow_runs.deployment_id")
          .whereRef("waiting.created_by_id", "=", "flow_runs.created_by_id")
          .where("waiting.state_type", "=", sql.lit<StateType>("SCHEDULED"))
          .where("waiting.state_name", "=", "AwaitingConcurrencySlot")
          .where("waiting.run_count", "=", 0)
          // Keys of one schedule end with the dates of their runs.
          .whereRef("waiting.idempotency_key", ">", "flow_runs.idempotency_key")
          .where("waiting.next_scheduled_start_time", ">", p.since)
          .where("waiting.next_scheduled_start_time", "<", p.until),
      ),
    )
    .limit(p.limit),
);

/** Found from the few that wait: of runs that schedules have made there are very many. */
const overlappedToBeContinued = systemStatement<Overlapping>()((db, p) =>
  db
    .selectFrom("flow_runs as waiting")
    .crossJoin("deployment_schedules")
    .crossJoin("flow_runs")
    .select(["flow_runs.id", "flow_runs.workspace_id"])
    .distinct()
    .where("waiting.state_type", "=", sql.lit<StateType>("SCHEDULED"))
    .where("waiting.state_name", "=", sql.lit("AwaitingConcurrencySlot"))
    .where("waiting.run_count", "=", 0)
    .whereRef("deployment_schedules.id", "=", "waiting.created_by_id")
    .where("deployment_schedules.overlap", "=", sql.lit("cancel-running"))
    .whereRef("flow_runs.deployment_id", "=", "waiting.deployment_id")
    // Cast, so that not all that the schedule has made is gone through.
    .where(
      sql<boolean>`cast(flow_runs.created_by_id as text) = cast(waiting.created_by_id as text)`,
    )
    .where("flow_runs.state_type", "=", sql.lit<StateType>("SCHEDULED"))
    .where("flow_runs.run_count", ">", 0)
    .whereRef("waiting.idempotency_key", ">", "flow_runs.idempotency_key")
    .where("waiting.next_scheduled_start_time", ">", p.since)
    .where("waiting.next_scheduled_start_time", "<", p.until)
    .limit(p.limit),
);

/** Runs that are to be cancelled because a later one of their schedule waits, and is asked for. */
export async function readOverlapped(
  { system }: Database,
  overlapping: Overlapping,
): Promise<{ readonly id: string; readonly workspace_id: string }[]> {
  const found = await Promise.all([
    system.all(overlappedUnderWay, overlapping),
    system.all(overlappedToBeContinued, overlapping),
  ]);
  return found.flat();
}
