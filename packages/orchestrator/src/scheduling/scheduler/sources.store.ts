// What a schedule's runs are made from.

import type { Queries } from "@orchestrator/kernel/storage";
import type { DeploymentRow, ScheduleRow } from "../../db/tables/deployments.table.ts";
import { statement } from "../../db/tables.ts";

export const SOURCE_COLUMNS = [
  "deployment_schedules.id as schedule_id",
  "deployment_schedules.created as schedule_created",
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
  "concurrency_limits.key as limit_key",
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
  readonly schedule_created: string;
  readonly schedule_parameters: string;
  readonly deployment_id: string;
  readonly limit_key: string | null;
}

const activeOf = statement<{ deployment_id: string }>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .innerJoin("deployments", "deployments.id", "deployment_schedules.deployment_id")
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
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
