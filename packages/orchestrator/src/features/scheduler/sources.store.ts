// What a schedule's runs are made from, and how many of them are written at once.

import type { Queries, Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import type { DeploymentRow, ScheduleRow } from "../deployments/deployments.table.ts";
import type { FlowRunRow } from "../flow-runs/flow-runs.table.ts";

export const SOURCE_COLUMNS = [
  "deployment_schedules.id as schedule_id",
  "deployment_schedules.schedule",
  "deployment_schedules.slug",
  "deployment_schedules.parameters as schedule_parameters",
  "deployment_schedules.max_scheduled_runs",
  "deployment_schedules.catchup",
  "deployment_schedules.jitter_seconds",
  "deployment_schedules.filled_until",
  "deployments.id as deployment_id",
  "deployments.flow_id",
  "deployments.version",
  "deployments.parameters",
  "deployments.tags",
  "deployments.labels",
  "deployments.work_queue_id",
  "deployments.infrastructure_document_id",
] as const;

/** A schedule with what its deployment gives each run. */
export interface ScheduleSource
  extends Pick<
      ScheduleRow,
      "schedule" | "slug" | "max_scheduled_runs" | "catchup" | "jitter_seconds" | "filled_until"
    >,
    Pick<
      DeploymentRow,
      | "flow_id"
      | "version"
      | "parameters"
      | "tags"
      | "labels"
      | "work_queue_id"
      | "infrastructure_document_id"
    > {
  readonly schedule_id: string;
  readonly schedule_parameters: string;
  readonly deployment_id: string;
}

const activeOf = statement<{ deployment_id: string }>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .innerJoin("deployments", "deployments.id", "deployment_schedules.deployment_id")
    .select(SOURCE_COLUMNS)
    .where("deployment_schedules.workspace_id", "=", p.workspace_id)
    .where("deployment_schedules.deployment_id", "=", p.deployment_id)
    .where("deployment_schedules.active", "=", true),
);

/** The active schedules of a deployment, also of one that is paused. */
export function readActiveSources(
  queries: Queries,
  deploymentId: string,
): Promise<ScheduleSource[]> {
  return queries.all(activeOf, { deployment_id: deploymentId });
}

/** What all runs of a schedule have in common; columns of the run's row. */
const ORIGIN_FIELDS = {
  created_by_id: "id",
  created: "time",
  flow_id: "id",
  deployment_id: "id",
  deployment_version: "text",
  work_queue_id: "id",
  parameters: "json",
  context: "json",
  empirical_policy: "json",
  tags: "tags",
  labels: "json",
  infrastructure_document_id: "id",
  created_by: "json",
  created_by_type: "text",
  job_variables: "json",
} as const;

/** What is a run's own. */
const SCHEDULED_RUN_FIELDS = {
  id: "id",
  created_by_id: "id",
  name: "text",
  idempotency_key: "text",
  state_id: "id",
  state: "json",
  at: "time",
} as const;

type Origin = Pick<FlowRunRow, keyof typeof ORIGIN_FIELDS>;
type Own = Pick<FlowRunRow, Exclude<keyof typeof SCHEDULED_RUN_FIELDS, "at">> & { at: string };

const ORIGIN_COLUMNS = Object.keys(ORIGIN_FIELDS) as (keyof typeof ORIGIN_FIELDS)[];
const OWN_COLUMNS = Object.keys(SCHEDULED_RUN_FIELDS) as (keyof typeof SCHEDULED_RUN_FIELDS)[];

const insertRuns = statement<{ origins: string; runs: string }>()((db, p, dialect) =>
  db
    // Both are read once, and not one for each row of the other.
    .with(
      (name) => name("origin").materialized(),
      (e) =>
        e
          .selectFrom(dialect.rowsFrom(ORIGIN_FIELDS, p.origins).$castTo<Origin>().as("given"))
          .select(ORIGIN_COLUMNS),
    )
    .with(
      (name) => name("run").materialized(),
      (e) =>
        e
          .selectFrom(dialect.rowsFrom(SCHEDULED_RUN_FIELDS, p.runs).$castTo<Own>().as("given"))
          .select(OWN_COLUMNS),
    )
    .insertInto("flow_runs")
    .columns([
      "id",
      "workspace_id",
      "created",
      "updated",
      "name",
      "flow_id",
      "deployment_id",
      "deployment_version",
      "work_queue_id",
      "parameters",
      "idempotency_key",
      "context",
      "empirical_policy",
      "tags",
      "labels",
      "state_id",
      "state_type",
      "state_name",
      "state_timestamp",
      "state",
      "run_count",
      "expected_start_time",
      "next_scheduled_start_time",
      "effective_start_time",
      "total_run_time",
      "auto_scheduled",
      "infrastructure_document_id",
      "created_by",
      "created_by_id",
      "created_by_type",
      "job_variables",
    ])
    .expression((e) =>
      e
        .selectFrom("run")
        .innerJoin("origin", "origin.created_by_id", "run.created_by_id")
        .select((row) => [
          "run.id",
          row.cast<string>(row.val(p.workspace_id), dialect.types.id as "text").as("workspace_id"),
          "origin.created",
          "origin.created as updated",
          "run.name",
          "origin.flow_id",
          "origin.deployment_id",
          "origin.deployment_version",
          "origin.work_queue_id",
          "origin.parameters",
          "run.idempotency_key",
          "origin.context",
          "origin.empirical_policy",
          "origin.tags",
          "origin.labels",
          "run.state_id",
          sql.lit("SCHEDULED").as("state_type"),
          sql.lit("Scheduled").as("state_name"),
          "origin.created as state_timestamp",
          "run.state",
          sql.lit(0).as("run_count"),
          "run.at as expected_start_time",
          "run.at as next_scheduled_start_time",
          "run.at as effective_start_time",
          sql.lit(0).as("total_run_time"),
          sql.lit(true).as("auto_scheduled"),
          "origin.infrastructure_document_id",
          "origin.created_by",
          "run.created_by_id",
          "origin.created_by_type",
          "origin.job_variables",
        ])
        // Without a condition SQLite reads what follows as part of the join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const insertStates = statement<{ runs: string; timestamp: string }>()((db, p, dialect) =>
  db
    .insertInto("flow_run_states")
    .columns(["id", "workspace_id", "flow_run_id", "timestamp", "type", "name", "state"])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(SCHEDULED_RUN_FIELDS, p.runs).$castTo<Own>().as("run"))
        .select((row) => [
          "run.state_id",
          row.cast<string>(row.val(p.workspace_id), dialect.types.id as "text").as("workspace_id"),
          "run.id as flow_run_id",
          row.cast<string>(row.val(p.timestamp), "text").as("timestamp"),
          sql.lit("SCHEDULED").as("type"),
          sql.lit("Scheduled").as("name"),
          "run.state",
        ])
        .where((row) =>
          row.exists(
            row
              .selectFrom("flow_runs")
              .select("flow_runs.id")
              .whereRef("flow_runs.id", "=", "run.id"),
          ),
        ),
    ),
);

/** JSON arrays of rows with the fields above. Runs that are there already are left out; tells how many were new. */
export async function insertScheduledRuns(
  tx: Transaction,
  { origins, runs, now }: { readonly origins: string; readonly runs: string; readonly now: string },
): Promise<number> {
  const count = await tx.run(insertRuns, { origins, runs });
  tx.added?.("runs", count);
  if (count > 0) await tx.run(insertStates, { runs, timestamp: now });
  return count;
}
