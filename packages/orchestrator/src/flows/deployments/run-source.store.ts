// A deployment with all that a run of it is made from: one look, where each part would be a round
// trip.

import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";
import type { PoolTemplate } from "../../runs/deployment/job-templates.store.ts";
import { placedDeployments } from "../../work/pools/deployment-readiness.store.ts";

const select = statement<{ id: string }>()((db, p) =>
  placedDeployments(db)
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .select([
      "concurrency_limits.key as limit_key",
      "deployments.id",
      "deployments.updated",
      "deployments.name",
      "deployments.flow_id",
      "deployments.version",
      "deployments.tags",
      "deployments.labels",
      "deployments.parameters",
      "deployments.parameter_openapi_schema",
      "deployments.enforce_parameter_schema",
      "deployments.job_variables",
      "deployments.work_queue_id",
      "deployments.infrastructure_document_id",
      "flows.name as flow_name",
      "flows.tags as flow_tags",
      "work_queues.id as queue_id",
      "work_queues.name as work_queue_name",
      "work_pools.id as work_pool_id",
      "work_pools.name as work_pool_name",
      "work_pools.type as work_pool_type",
      "work_pools.base_job_template",
    ])
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "=", p.id),
);

export type RunSource = NonNullable<Awaited<ReturnType<typeof findRunSource>>>;

export async function findRunSource(queries: Queries, id: string) {
  return (await queries.get(select, { id })) ?? null;
}

/** The pool's; null where the deployment has none. */
export function templateIn({
  work_pool_name: name,
  base_job_template,
}: RunSource): PoolTemplate | null {
  return name === null || base_job_template === null ? null : { name, base_job_template };
}
