// Runs that a schedule created and nobody has begun: when what they were made from changes, they
// go.

import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { RUNS_AT_ONCE } from "../../db/in-batches.ts";
import { statement } from "../../db/tables.ts";
import {
  countBelow,
  ROWS_AT_ONCE,
  removeRunRows,
  removeSomeBelow,
} from "../../runs/flow-runs/run-removal.store.ts";

/**
 * Which runs that have not begun: those that schedules created or all, those in the future or also
 * what is overdue.
 */
export interface UnstartedRuns {
  readonly deploymentId: string;
  /** Only those of one schedule. */
  readonly scheduleId?: string | undefined;
  readonly which: "auto-scheduled" | "all";
  /** Leaves what was due by then. */
  readonly after?: string | undefined;
}

interface Variant {
  readonly ofSchedule: boolean;
  readonly isAuto: boolean;
  readonly isFuture: boolean;
}

interface Parameters {
  deployment_id: string;
  schedule_id: string | null;
  after: string | null;
}

/**
 * A run whose turn has come and that waits for a slot goes only with the deployment, without which
 * it would wait for ever.
 */
const WAS_NOT_HELD_UP = sql<boolean>`state_name <> 'AwaitingConcurrencySlot'`;

/** Every variant is a statement of its own, so that each is planned for what it asks. */
function variants<S>(build: (variant: Variant) => S): (runs: UnstartedRuns) => S {
  const known = new Map<number, S>();
  return ({ scheduleId, which, after }) => {
    const variant = {
      ofSchedule: scheduleId !== undefined,
      isAuto: which === "auto-scheduled",
      isFuture: after !== undefined,
    };
    const key =
      (variant.ofSchedule ? 1 : 0) + (variant.isAuto ? 2 : 0) + (variant.isFuture ? 4 : 0);
    const found = known.get(key) ?? build(variant);
    known.set(key, found);
    return found;
  };
}

const deleteFlowRunRow = variants(({ ofSchedule, isAuto, isFuture }) =>
  statement<Parameters>()((db, p) =>
    db
      .deleteFrom("flow_runs")
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit("SCHEDULED" as const))
      .where("run_count", "=", 0)
      .$if(ofSchedule, (query) => query.where("created_by_id", "=", p.schedule_id))
      .$if(isAuto, (query) => query.where("auto_scheduled", "=", true).where(WAS_NOT_HELD_UP))
      .$if(isFuture, (query) => query.where("next_scheduled_start_time", ">", p.after)),
  ),
);

/**
 * Call it after the schedules were changed or locked: a scheduler that is just writing them then
 * has written all its runs. Those in the future are no more than schedules create ahead; of others
 * there may be very many: see `deleteSomeUnstartedRuns`.
 */
export function deleteUnstartedRuns(tx: Transaction, runs: UnstartedRuns): Promise<number> {
  return tx.run(deleteFlowRunRow(runs), parametersOf(runs));
}

const oldest = variants(({ ofSchedule, isAuto }) =>
  statement<Parameters>()((db, p, dialect) =>
    db
      .selectFrom("flow_runs")
      .select("id")
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit("SCHEDULED" as const))
      .where("run_count", "=", 0)
      .$if(ofSchedule, (query) => query.where("created_by_id", "=", p.schedule_id))
      .$if(isAuto, (query) => query.where("auto_scheduled", "=", true).where(WAS_NOT_HELD_UP))
      .orderBy("next_scheduled_start_time")
      .limit(sql.lit(RUNS_AT_ONCE + 1))
      .$if(dialect.locksRows, (query) => query.forUpdate()),
  ),
);

/** Deletes as many as go in one transaction, the oldest first, and tells whether there are more. */
export async function deleteSomeUnstartedRuns(
  tx: Transaction,
  runs: Omit<UnstartedRuns, "after">,
): Promise<boolean> {
  const found = await tx.all(oldest(runs), parametersOf(runs));
  const ids = found.slice(0, RUNS_AT_ONCE).map(({ id }) => id);
  if (ids.length === 0) return false;
  // Whoever claimed one and did not begin it may have left much below it.
  if ((await countBelow(tx, ids)) > ROWS_AT_ONCE) {
    await removeSomeBelow(tx, ids);
    return true;
  }
  await removeRunRows(tx, ids);
  return found.length > RUNS_AT_ONCE;
}

const count = variants(({ isAuto, isFuture }) =>
  statement<Parameters>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select((e) => e.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit("SCHEDULED" as const))
      .where("run_count", "=", 0)
      .$if(isAuto, (query) => query.where("auto_scheduled", "=", true).where(WAS_NOT_HELD_UP))
      .$if(isFuture, (query) => query.where("next_scheduled_start_time", ">", p.after)),
  ),
);

export async function countUnstartedRuns(queries: Queries, runs: UnstartedRuns): Promise<number> {
  return (await queries.get(count(runs), parametersOf(runs)))?.count ?? 0;
}

function parametersOf({ deploymentId, scheduleId, after }: UnstartedRuns): Parameters {
  return { deployment_id: deploymentId, schedule_id: scheduleId ?? null, after: after ?? null };
}
