import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: what is JSON on the wire is JSON text here. */
export interface DeploymentRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly flow_id: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly paused: boolean;
  readonly concurrency_limit_id: string | null;
  readonly concurrency_options: string | null;
  readonly job_variables: string;
  readonly parameters: string;
  readonly parameter_openapi_schema: string | null;
  readonly enforce_parameter_schema: boolean;
  readonly tags: string;
  readonly labels: string;
  readonly work_queue_id: string | null;
  readonly path: string | null;
  readonly entrypoint: string | null;
  readonly pull_steps: string | null;
  readonly storage_document_id: string | null;
  readonly infrastructure_document_id: string | null;
  readonly status: string;
  readonly last_polled: string | null;
}

/** When a process last asked for the runs of a deployment by itself, whatever queue they are in. */
export interface ServedDeployment {
  readonly last_served: string | null;
}

/** A schedule of a deployment. `due` is when the scheduler looks at it next, null when it need not. */
export interface ScheduleRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly deployment_id: string;
  readonly schedule: string;
  readonly active: boolean;
  readonly max_scheduled_runs: number | null;
  readonly parameters: string;
  readonly slug: string | null;
  readonly catchup: string;
  readonly overlap: string;
  readonly jitter_seconds: number;
  /** Up to here its times have been made into runs, or passed over. */
  readonly filled_until: string | null;
  readonly due: string | null;
}

/** When the scheduler last took a schedule in its hands, by its clock. */
export interface LookedAtSchedule {
  readonly looked_at: string | null;
}

export const SCHEDULE_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  deployment_id: "id",
  schedule: "json",
  active: "flag",
  max_scheduled_runs: "integer",
  parameters: "json",
  slug: "text",
  catchup: "text",
  overlap: "text",
  jitter_seconds: "real",
} as const satisfies Fields;

/** What people may change of a row. */
export const CHANGEABLE_DEPLOYMENT_COLUMNS = [
  "updated",
  "version",
  "description",
  "paused",
  "concurrency_limit_id",
  "concurrency_options",
  "job_variables",
  "parameters",
  "parameter_openapi_schema",
  "enforce_parameter_schema",
  "tags",
  "labels",
  "work_queue_id",
  "path",
  "entrypoint",
  "pull_steps",
  "storage_document_id",
  "infrastructure_document_id",
] as const satisfies readonly (keyof DeploymentRow)[];

export const DEPLOYMENT_COLUMNS = [
  "id",
  "created",
  "name",
  "flow_id",
  "status",
  "last_polled",
  ...CHANGEABLE_DEPLOYMENT_COLUMNS,
] as const satisfies readonly (keyof DeploymentRow)[];
