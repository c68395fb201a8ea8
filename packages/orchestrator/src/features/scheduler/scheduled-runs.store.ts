// Runs that a schedule created and nobody has begun: when what they were made from changes, they go.

import type { Queries, Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";

/** Which runs that have not begun: those that schedules created or all, those in the future or also what is overdue. */
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

const remove = variants(({ ofSchedule, isAuto, isFuture }) =>
  statement<Parameters>()((db, p) =>
    db
      .deleteFrom("flow_runs")
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit("SCHEDULED" as const))
      .where("state_name", "!=", "AwaitingConcurrencySlot")
      .where("run_count", "=", 0)
      .$if(ofSchedule, (query) => query.where("created_by_id", "=", p.schedule_id))
      .$if(isAuto, (query) => query.where("auto_scheduled", "=", true))
      .$if(isFuture, (query) => query.where("next_scheduled_start_time", ">", p.after)),
  ),
);

/** Call it after the schedules were changed or locked: a scheduler that is just writing them then has written all its runs. */
export function deleteUnstartedRuns(tx: Transaction, runs: UnstartedRuns): Promise<number> {
  return tx.run(remove(runs), parametersOf(runs));
}

const count = variants(({ isAuto, isFuture }) =>
  statement<Parameters>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select((e) => e.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("state_type", "=", sql.lit("SCHEDULED" as const))
      .where("state_name", "!=", "AwaitingConcurrencySlot")
      .where("run_count", "=", 0)
      .$if(isAuto, (query) => query.where("auto_scheduled", "=", true))
      .$if(isFuture, (query) => query.where("next_scheduled_start_time", ">", p.after)),
  ),
);

export async function countUnstartedRuns(queries: Queries, runs: UnstartedRuns): Promise<number> {
  return (await queries.get(count(runs), parametersOf(runs)))?.count ?? 0;
}

function parametersOf({ deploymentId, scheduleId, after }: UnstartedRuns): Parameters {
  return { deployment_id: deploymentId, schedule_id: scheduleId ?? null, after: after ?? null };
}
