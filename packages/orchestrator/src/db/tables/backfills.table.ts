import type { BackfillOrder, BackfillStatus } from "@orchestrator/contract";
import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, integer, json, text, time } = column;

/**
 * What runs that a backfill created say of their origin. The literal is what the index of them is
 * made for.
 */
export const CREATED_BY = "BACKFILL";
const RUNS = `from flow_runs where flow_runs.created_by_type = '${CREATED_BY}' and flow_runs.created_by_id = $.id`;

/** A run in one of these has not ended. */
export const ACTIVE_STATES = ["SCHEDULED", "PENDING", "RUNNING", "PAUSED", "CANCELLING"] as const;

const ACTIVE_RUNS: ComputedField = {
  kind: "integer",
  expression: ({ text }) =>
    text(
      `select count(*) ${RUNS} and flow_runs.state_type in (${ACTIVE_STATES.map((type) => `'${type}'`).join(", ")})`,
    ),
};

const STATES: ComputedField = {
  kind: "json",
  expression: ({ dialect, text }) => {
    const counted = `select flow_runs.state_type, count(*) as runs ${RUNS} group by flow_runs.state_type`;
    const pairs = dialect.joined(`'"' || counted.state_type || '":' || counted.runs`);
    return text(`select '{' || coalesce(${pairs}, '') || '}' from (${counted}) counted`);
  },
};

/** Changeable is what changes while the backfill runs. */
export const BACKFILLS = defineTable("backfills", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  deployment_id: id(),
  status: text<BackfillStatus>().changeable(),
  start: time(),
  end: time(),
  schedule_id: id().orNull(),
  schedules: json(),
  parameters: json(),
  max_concurrent: integer(),
  order: text<BackfillOrder>(),
  skip_existing: flag(),
  idempotency_key: text().orNull(),
  total: integer(),
  created_runs: integer().changeable(),
  skipped: integer().changeable(),
  active_runs: ACTIVE_RUNS,
  states: STATES,
  /** How far it has come: the first time without a run, null when every time has one. */
  next_time: time().orNull().changeable(),
  /**
   * Which of the schedules that time belongs to, counted from 0; several may have the same time.
   */
  next_schedule: integer().internal().changeable(),
  /**
   * When the loop looks at it next, null when it need not; while a replica looks at it, until when
   * the others do not. A cancelled backfill is due until its runs are cancelled.
   */
  due: time().orNull().internal().changeable(),
});
export type BackfillRow = RowOf<typeof BACKFILLS>;
