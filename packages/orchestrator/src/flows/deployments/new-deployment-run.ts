import type { DeploymentFlowRunCreate } from "@orchestrator/contract";
import type { JsonMap } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { keptKey } from "../../limits/limit-keys.rules.ts";
import { type NewFlowRun, runLabels } from "../../runs/flow-runs/new-flow-run.ts";
import { randomRunName } from "../../runs/flow-runs/run-names.ts";
import type { RunRelations } from "../../runs/orchestration/flow-run-states.store.ts";
import { NOWHERE } from "../../runs/orchestration/related-resources.ts";
import type { RunSource } from "./run-source.store.ts";

interface DeploymentRunParts {
  readonly deployment: RunSource;
  readonly body: DeploymentFlowRunCreate;
  readonly parameters: JsonMap;
  readonly createdBy: NonNullable<NewFlowRun["created_by"]> | null;
}

/** A run in the deployment's own queue. What the request leaves out comes from the deployment. */
export function newDeploymentRun(
  ctx: OrchestratorContext,
  { deployment, body, parameters, createdBy }: DeploymentRunParts,
): NewFlowRun {
  const tags = [...(JSON.parse(deployment.tags) as string[]), ...(body.tags ?? [])];
  const name = body.name || randomRunName();
  return {
    flow_id: deployment.flow_id,
    deployment_id: deployment.id,
    deployment_version: deployment.version,
    seen: deployment,
    work_queue_id: deployment.work_queue_id,
    created_by: createdBy,
    name,
    parameters,
    idempotency_key: body.idempotency_key,
    context: body.context,
    empirical_policy: body.empirical_policy,
    parent_task_run_id: body.parent_task_run_id,
    job_variables: body.job_variables,
    priority: body.priority,
    state: body.state ?? { type: "SCHEDULED" },
    tags,
    concurrency_key: keyOfRun(deployment.limit_key, { name, parameters, tags }),
    labels: runLabels(ctx, {
      flow: { id: deployment.flow_id, labels: "{}" },
      deployment,
      given: body.labels ?? {},
    }),
    infrastructure_document_id:
      body.infrastructure_document_id ?? deployment.infrastructure_document_id,
  };
}

/** A run that could never get a slot is refused. */
function keyOfRun(stored: string | null, run: Parameters<typeof keptKey>[1]): string | null {
  const key = keptKey(stored, run);
  if (key === null || typeof key === "string") return key;
  const msg = `Value error, ${key.problem}`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", "parameters"], msg }]);
}

/** What is around a run in the deployment's own queue. */
export function runRelationsIn(source: RunSource): RunRelations {
  return {
    flow_name: source.flow_name,
    flow_tags: source.flow_tags,
    ...NOWHERE,
    deployment_id: source.id,
    deployment_name: source.name,
    deployment_tags: source.tags,
    work_queue_id: source.queue_id,
    work_queue_name: source.work_queue_name,
    work_pool_id: source.work_pool_id,
    work_pool_name: source.work_pool_name,
    work_pool_type: source.work_pool_type,
  };
}
