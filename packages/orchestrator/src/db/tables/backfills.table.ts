import type { BackfillOrder, BackfillStatus } from "@orchestrator/contract";
import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: what is JSON on the wire is JSON text here. */
export interface BackfillRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly deployment_id: string;
  readonly status: BackfillStatus;
  readonly start: string;
  readonly end: string;
  readonly schedule_id: string | null;
  readonly schedules: string;
  readonly parameters: string;
  readonly max_concurrent: number;
  readonly order: BackfillOrder;
  readonly skip_existing: boolean;
  readonly idempotency_key: string | null;
  readonly total: number;
  readonly created_runs: number;
  readonly skipped: number;
  /** How far it has come: the first time without a run, null when every time has one. */
  readonly next_time: string | null;
  /** Which of the schedules that time belongs to, counted from 0; several may have the same time. */
  readonly next_schedule: number;
  /**
   * When the loop looks at it next, null when it need not. While it is being looked at, until when others do not. What
   * it finds to do for one that was cancelled is to cancel its runs.
   */
  readonly due: string | null;
}

/** What runs that a backfill created say of their origin. The literal is what the index of them is made for. */
export const CREATED_BY = "BACKFILL";
const RUNS = `from flow_runs where flow_runs.created_by_type = '${CREATED_BY}' and flow_runs.created_by_id = $.id`;

/** A run in one of these has not ended. */
export const ACTIVE_STATES = ["SCHEDULED", "PENDING", "RUNNING", "PAUSED", "CANCELLING"] as const;

const ACTIVE_RUNS: ComputedField = {
  kind: "integer",
  expression: () =>
    `select count(*) ${RUNS} and flow_runs.state_type in (${ACTIVE_STATES.map((type) => `'${type}'`).join(", ")})`,
};

const STATES: ComputedField = {
  kind: "json",
  expression: (dialect) => {
    const counted = `select flow_runs.state_type, count(*) as runs ${RUNS} group by flow_runs.state_type`;
    const pairs = dialect.joined(`'"' || counted.state_type || '":' || counted.runs`);
    return `select '{' || coalesce(${pairs}, '') || '}' from (${counted}) counted`;
  },
};

/** The record on the wire, in this order. */
export const BACKFILL_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  deployment_id: "id",
  status: "text",
  start: "time",
  end: "time",
  schedule_id: "id",
  schedules: "json",
  parameters: "json",
  max_concurrent: "integer",
  order: "text",
  skip_existing: "flag",
  idempotency_key: "text",
  total: "integer",
  created_runs: "integer",
  skipped: "integer",
  active_runs: ACTIVE_RUNS,
  states: STATES,
  next_time: "time",
} as const satisfies Fields;
