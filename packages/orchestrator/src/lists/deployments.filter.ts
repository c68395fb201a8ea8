import type { DeploymentSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { arraySql, type ComputedField, type Fields } from "@orchestrator/kernel/storage";
import { CONCURRENCY_LIMIT_FIELDS } from "../db/tables/concurrency-limits.table.ts";
import { SCHEDULE_FIELDS } from "../db/tables/deployments.table.ts";
import { WORK_PLACE } from "../db/tables/flow-runs.table.ts";

const NEWEST_FIRST = "order by deployment_schedules.updated desc, deployment_schedules.id desc";

const SCHEDULES: ComputedField = {
  kind: "json",
  expression: (dialect) => {
    const record = dialect.recordJson(SCHEDULE_FIELDS, "deployment_schedules");
    const rows = `select ${record} as record from deployment_schedules where deployment_schedules.deployment_id = $.id ${NEWEST_FIRST}`;
    return arraySql(dialect, rows);
  },
};

/** The one schedule that callers see who know of no more than one. */
const SCHEDULE: ComputedField = {
  kind: "json",
  expression: () =>
    `select deployment_schedules.schedule from deployment_schedules where deployment_schedules.deployment_id = $.id and deployment_schedules.active ${NEWEST_FIRST} limit 1`,
};

const GLOBAL_LIMIT: ComputedField = {
  kind: "json",
  expression: (dialect) => {
    const record = dialect.recordJson(CONCURRENCY_LIMIT_FIELDS, "concurrency_limits");
    return `select ${record} from concurrency_limits where concurrency_limits.id = $.concurrency_limit_id`;
  },
};

/** Kept for callers that expect the key; nothing fills it. */
const NOTHING = { expression: () => "null" } as const;

/** The record on the wire, in this order. */
export const DEPLOYMENT_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  version: "text",
  description: "text",
  flow_id: "id",
  paused: "flag",
  schedule: SCHEDULE,
  schedules: SCHEDULES,
  concurrency_limit: { kind: "integer", ...NOTHING },
  global_concurrency_limit: GLOBAL_LIMIT,
  concurrency_options: "json",
  job_variables: "json",
  parameters: "json",
  tags: "tags",
  labels: "json",
  place: WORK_PLACE,
  work_queue_id: "id",
  last_polled: "time",
  parameter_openapi_schema: "json",
  path: "text",
  pull_steps: "json",
  entrypoint: "text",
  storage_document_id: "id",
  infrastructure_document_id: "id",
  created_by: { kind: "json", ...NOTHING },
  updated_by: { kind: "json", ...NOTHING },
  status: "text",
  enforce_parameter_schema: "flag",
} as const satisfies Fields;

export const DEPLOYMENT_LIST: ListDefinition<DeploymentSort> = {
  table: "deployments",
  fields: DEPLOYMENT_FIELDS,
  // `concurrency_limit` is taken from callers and restricts nothing.
  filter: {
    id: { column: "id", kind: "id", operators: ["any_", "not_any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    // No name holds a slash, so a text without one lies in one of the two names.
    flow_or_deployment_name: {
      expression: "select own.name || '/' || $.name from flows own where own.id = $.flow_id",
      kind: "text",
      operators: ["like_"],
    },
    flow_id: { column: "flow_id", kind: "id", operators: ["any_"] },
    paused: { column: "paused", kind: "flag", operators: ["eq_"] },
    tags: { column: "tags", kind: "tags", operators: ["all_", "any_", "is_null_"] },
    work_pool_name: {
      expression:
        "select pools.name from work_queues queues join work_pools pools on pools.id = queues.work_pool_id where queues.id = $.work_queue_id",
      kind: "text",
      operators: ["any_"],
    },
    work_queue_name: {
      through: { table: "work_queues", column: "work_queue_id" },
      column: "name",
      kind: "text",
      operators: ["any_"],
    },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};
