// All that a run of a deployment is made from, read and checked before anything is written.

import type { DeploymentFlowRunCreate } from "@orchestrator/contract";
import { type JsonMap, readJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { assertDocumentsExist } from "../../blocks/documents/named-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import {
  assertJobVariables,
  parametersOfRun,
  refuseLargeParameters,
} from "../../runs/deployment/parameter-checks.service.ts";
import { type RunSource, templateIn } from "./run-source.store.ts";

export interface RunInputs {
  readonly parameters: JsonMap;
  /** A queue of the deployment's pool that takes the place of the deployment's own. */
  readonly otherQueue: { readonly work_pool_name: string; readonly work_queue_name: string } | null;
}

interface RunRequest {
  readonly deployment: RunSource;
  readonly body: DeploymentFlowRunCreate;
}

export async function readRunInputs(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body }: RunRequest,
): Promise<RunInputs> {
  refuseLargeParameters(body.parameters);
  const parameters = await parametersOfRun(ctx, scope, {
    layers: [readJson(deployment.parameters) as JsonMap, body.parameters ?? {}],
    schema: deployment.parameter_openapi_schema,
    isEnforced: body.enforce_parameter_schema ?? deployment.enforce_parameter_schema,
  });
  const otherQueue = await readWorkPlace(ctx, scope, { deployment, body });
  await assertDocumentsExist(ctx, ctx.db.in(scope.workspaceId), body);
  return { parameters, otherQueue };
}

/** Job variables have to fit the template of the deployment's pool. */
async function readWorkPlace(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body }: RunRequest,
): Promise<RunInputs["otherQueue"]> {
  const work_queue_name = body.work_queue_name || null;
  const template = templateIn(deployment);
  if (template === null) {
    if (work_queue_name === null) return null;
    throw new AppError(
      "bad_request",
      "A queue can only be chosen where the deployment has a work pool",
    );
  }
  await assertJobVariables(ctx, scope, {
    template,
    layers: [readJson(deployment.job_variables) as JsonMap, body.job_variables ?? {}],
    requireAll: true,
    code: "invalid",
    doing: "creating flow run",
  });
  return work_queue_name === null ? null : { work_pool_name: template.name, work_queue_name };
}
