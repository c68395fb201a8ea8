import type { Transaction } from "@orchestrator/kernel";
import type { Kysely } from "kysely";
import type { FlowRunRow } from "./tables/flow-runs.table.ts";
import { heldRow, type Tables } from "./tables.ts";

/** What the rules and the event of a transition need of a run. */
export type HeldFlowRun = Pick<
  FlowRunRow,
  | "id"
  | "name"
  | "flow_id"
  | "deployment_id"
  | "work_queue_id"
  | "parent_task_run_id"
  | "tags"
  | "empirical_policy"
  | "state"
  | "state_type"
  | "state_timestamp"
  | "run_count"
  | "expected_start_time"
  | "next_scheduled_start_time"
  | "start_time"
  | "effective_start_time"
  | "end_time"
  | "total_run_time"
  | "infrastructure_pid"
  | "created_by"
  | "deadline"
> & { readonly silence_seconds: number | null; readonly earlier_transitions: string | null };

export const flowRunById = (
  db: Pick<Kysely<Tables>, "selectFrom">,
  p: { readonly workspace_id: string; readonly id: string },
) => db.selectFrom("flow_runs").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id);

export const lockedFlowRun = heldRow<{ id: string }>()((db, p) =>
  flowRunById(db, p).select([
    "id",
    "name",
    "flow_id",
    "deployment_id",
    "work_queue_id",
    "parent_task_run_id",
    "tags",
    "empirical_policy",
    "state",
    "state_type",
    "state_timestamp",
    "run_count",
    "expected_start_time",
    "next_scheduled_start_time",
    "start_time",
    "effective_start_time",
    "end_time",
    "total_run_time",
    "infrastructure_pid",
    "created_by",
    "deadline",
    "silence_seconds",
    "earlier_transitions",
  ]),
);

/** Drops the cached row after a change of it that is no transition. */
export const forgetFlowRun = (tx: Transaction, id: string): void =>
  tx.remember(lockedFlowRun, { id }, null);
