import type { OnCollision } from "@orchestrator/contract";
import {
  arraySql,
  type ComputedField,
  column,
  defineTable,
  type RowOf,
  recordText,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { CONCURRENCY_LIMITS } from "./concurrency-limits.table.ts";
import { WORK_PLACE } from "./flow-runs.table.ts";

const { flag, id, integer, json, real, tags, text, time } = column;

/** A schedule of a deployment. */
export const SCHEDULES = defineTable("deployment_schedules", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  deployment_id: id(),
  schedule: json().changeable(),
  active: flag().changeable(),
  max_scheduled_runs: integer().orNull().changeable(),
  parameters: json().changeable(),
  slug: text().orNull().changeable(),
  catchup: text().changeable(),
  overlap: text().changeable(),
  jitter_seconds: real().changeable(),
  /** Up to here its times have been made into runs, or passed over. */
  filled_until: time().orNull().internal().changeable(),
  /** When the scheduler looks at it next, null when it need not. */
  due: time().orNull().internal().changeable(),
  /** When the scheduler last processed the schedule, by its clock. */
  looked_at: time().orNull().internal().later(),
});
export type ScheduleRow = RowOf<typeof SCHEDULES>;

const NEWEST_FIRST = "order by deployment_schedules.updated desc, deployment_schedules.id desc";

const ALL_SCHEDULES: ComputedField = {
  kind: "json",
  expression: ({ dialect, text }) => {
    const record = recordText(dialect, { fields: SCHEDULES.fields, table: SCHEDULES.name });
    const rows = `select ${record} as record from deployment_schedules where deployment_schedules.deployment_id = $.id ${NEWEST_FIRST}`;
    return text(arraySql(dialect, rows));
  },
};

/** The one schedule that callers see who know of no more than one. */
const ONE_SCHEDULE: ComputedField = {
  kind: "json",
  expression: ({ text }) =>
    text(
      `select deployment_schedules.schedule from deployment_schedules where deployment_schedules.deployment_id = $.id and deployment_schedules.active ${NEWEST_FIRST} limit 1`,
    ),
};

const GLOBAL_LIMIT: ComputedField = {
  kind: "json",
  expression: ({ dialect, column: of, now }) => {
    const record = dialect.recordJson(CONCURRENCY_LIMITS.fields, CONCURRENCY_LIMITS.name, now);
    return sql`select ${record} from concurrency_limits where concurrency_limits.id = ${of("concurrency_limit_id")}`;
  },
};

/** For callers that expect the key; nothing fills it. */
const NOTHING = { expression: () => sql`null` } as const;

export const DEPLOYMENTS = defineTable("deployments", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text(),
  version: text().orNull().changeable().published(13),
  description: text().orNull().changeable().published(1),
  flow_id: id(),
  paused: flag().initially(false).changeable().published(11),
  schedule: ONE_SCHEDULE,
  schedules: ALL_SCHEDULES,
  concurrency_limit: { kind: "integer", ...NOTHING },
  global_concurrency_limit: GLOBAL_LIMIT,
  concurrency_limit_id: id().orNull().internal().changeable().published(14),
  concurrency_options: json().orNull().changeable().published(15),
  /** What happens when a run finds no free slot; null: as `concurrency_options` says. */
  on_collision: text<OnCollision>().orNull().changeable().published(16),
  job_variables: json().initially("{}").changeable().published(10),
  parameters: json().initially("{}").changeable().published(3),
  tags: tags().initially("[]").changeable().published(2),
  labels: json().changeable().published(12),
  place: WORK_PLACE,
  work_queue_id: id().orNull().changeable().published(9),
  last_polled: time().orNull(),
  parameter_openapi_schema: json().orNull().initially("{}").changeable().published(4),
  path: text().orNull().changeable().published(7),
  pull_steps: json().orNull().initially("[]").changeable().published(8),
  entrypoint: text().orNull().changeable().published(6),
  storage_document_id: id().orNull().changeable(),
  infrastructure_document_id: id().orNull().changeable(),
  created_by: { kind: "json", ...NOTHING },
  updated_by: { kind: "json", ...NOTHING },
  status: text().initially("NOT_READY"),
  enforce_parameter_schema: flag().initially(true).changeable().published(5),
  /** When a process last polled the runs of the deployment itself, whatever queue they are in. */
  last_served: time().orNull().internal().later(),
});
export type DeploymentRow = RowOf<typeof DEPLOYMENTS>;
