import type { DeploymentFlowRunCreate, FlowRun, FlowRunBulkCreated } from "@orchestrator/contract";
import { type JsonMap, readJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, isAppError, takingTurns } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { isMissingValue, type Transaction } from "@orchestrator/kernel/storage";
import { assertDocumentsExist } from "../../blocks/documents/named-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import { mergeParameters } from "../../parameters/merge.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { lockDeployment } from "../../runs/deployment/deployments.store.ts";
import {
  assertFit,
  assertJobVariables,
  hydrated,
  refuseLargeParameters,
} from "../../runs/deployment/parameter-checks.service.ts";
import {
  type CreatedFlowRun,
  insertFlowRun,
  insertPrepared,
  prepareFlowRun,
  writeFlowRun,
} from "../../runs/flow-runs/create-flow-run.service.ts";
import { DeploymentChanged } from "../../runs/flow-runs/flow-run-insert.store.ts";
import { type NewFlowRun, runLabels } from "../../runs/flow-runs/new-flow-run.ts";
import type { Surroundings } from "../../runs/orchestration/flow-run-states.store.ts";
import { NOWHERE } from "../../runs/orchestration/related-resources.ts";
import { assignQueue } from "../../work/pools/queue-assignment.service.ts";
import { findRunSource, type RunSource, templateIn } from "./run-source.store.ts";

const MOST_AT_ONCE = 100;
/** Of a deployment that changes again and again. */
const MOST_TRIES = 5;

interface AskedRun {
  readonly body: DeploymentFlowRunCreate;
  /** Who or what wants the run; nobody in particular when left out. */
  readonly createdBy?: NewFlowRun["created_by"];
}

/** Makes a run of a deployment: what the caller leaves out comes from the deployment. */
export async function createDeploymentRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, ...asked }: { readonly id: string } & AskedRun,
): Promise<CreatedFlowRun> {
  const deployment = await readSource(ctx, scope, id);
  return createRunOf(ctx, scope, { deployment, ...asked });
}

/** Again with what the deployment has become, where it changes in this moment. */
async function createRunOf(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, ...asked }: { readonly deployment: RunSource } & AskedRun,
): Promise<CreatedFlowRun> {
  for (let tries = 1, row = deployment; ; tries += 1) {
    try {
      return await createRun(ctx, scope, { deployment: row, ...asked });
    } catch (error) {
      if (!(error instanceof DeploymentChanged) || tries === MOST_TRIES) throw error;
      row = await readSource(ctx, scope, deployment.id);
    }
  }
}

interface AskedRuns extends Pick<AskedRun, "createdBy"> {
  readonly id: string;
  readonly bodies: readonly DeploymentFlowRunCreate[];
}

/** Makes several runs, each for itself: one that is refused does not keep the others from being made. */
export async function createDeploymentRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, bodies, ...asked }: AskedRuns,
): Promise<FlowRunBulkCreated> {
  if (bodies.length > MOST_AT_ONCE)
    throw new AppError("bad_request", `At most ${MOST_AT_ONCE} runs can be created at once`);
  const deployment = await readSource(ctx, scope, id);
  const create = async (body: DeploymentFlowRunCreate) => {
    try {
      const { json } = await createRunOf(ctx, scope, { deployment, body, ...asked });
      const { id: flow_run_id } = JSON.parse(json) as FlowRun;
      return { flow_run_id, status: "CREATED" as const, error: null };
    } catch (error) {
      return { flow_run_id: null, status: "FAILED" as const, error: refusalOf(error) };
    }
  };
  const turn = takingTurns();
  const created: ReturnType<typeof create>[] = [];
  for (const body of bodies) {
    const one = create(body);
    // What goes wrong is heard of where all of them are waited for.
    one.catch(() => undefined);
    created.push(one);
    await turn();
  }
  return { results: await Promise.all(created) };
}

async function readSource(ctx: OrchestratorContext, scope: Scope, id: string): Promise<RunSource> {
  const source = await findRunSource(ctx.db.in(scope.workspaceId), id);
  if (source === null) throw deploymentNotFound({ id });
  return source;
}

/** What is unexpected is not one run's affair. */
function refusalOf(error: unknown): string {
  if (isAppError(error)) return error.message;
  if (!(error instanceof InvalidRequestError)) throw error;
  return error.problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}

async function createRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body, createdBy = null }: { readonly deployment: RunSource } & AskedRun,
): Promise<CreatedFlowRun> {
  const queries = ctx.db.in(scope.workspaceId);
  const parameters = await runParameters(ctx, scope, { deployment, body });
  const pool = await checkWorkPlace(ctx, scope, { deployment, body });
  await assertDocumentsExist(ctx, queries, body);
  const { idempotency_key } = body;
  const work_queue_name = body.work_queue_name || null;
  const newRun = (work_queue_id: string | null): NewFlowRun => ({
    flow_id: deployment.flow_id,
    deployment_id: deployment.id,
    deployment_version: deployment.version,
    seen: deployment,
    work_queue_id,
    created_by: createdBy,
    name: body.name,
    parameters,
    idempotency_key,
    context: body.context,
    empirical_policy: body.empirical_policy,
    parent_task_run_id: body.parent_task_run_id,
    job_variables: body.job_variables,
    priority: body.priority,
    state: body.state ?? { type: "SCHEDULED" },
    tags: [...(JSON.parse(deployment.tags) as string[]), ...(body.tags ?? [])],
    labels: runLabels(ctx, {
      flow: { id: deployment.flow_id, labels: "{}" },
      deployment,
      given: body.labels ?? {},
    }),
    infrastructure_document_id:
      body.infrastructure_document_id ?? deployment.infrastructure_document_id,
  });
  const isElsewhere = pool !== null && work_queue_name !== null;
  if (!isElsewhere && !idempotency_key) {
    const around = surroundingsIn(deployment);
    const run = await prepareFlowRun(ctx, queries, newRun(deployment.work_queue_id), around);
    const insert = (tx: Transaction) => insertPrepared(ctx, tx, run);
    return writeFlowRun(ctx, scope, insert).catch(orDeploymentChanged);
  }
  return writeFlowRun(ctx, scope, async (tx) => {
    // Held before the queue, as everywhere.
    if (isElsewhere) await lockDeployment(tx, { id: deployment.id });
    const queue = isElsewhere
      ? await assignQueue(ctx, tx, { work_pool_name: pool, work_queue_name })
      : deployment.work_queue_id;
    return insertFlowRun(ctx, tx, newRun(queue));
  }).catch(orDeploymentChanged);
}

/** What is around a run in the deployment's own queue. */
function surroundingsIn(source: RunSource): Surroundings {
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

function orDeploymentChanged(error: unknown): never {
  throw isMissingValue(error, "flow_id") ? new DeploymentChanged() : error;
}

async function runParameters(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body }: { readonly deployment: RunSource; readonly body: DeploymentFlowRunCreate },
): Promise<JsonMap> {
  refuseLargeParameters(body.parameters);
  const own = readJson(deployment.parameters) as JsonMap;
  const values = await hydrated(ctx, scope, mergeParameters(own, body.parameters ?? {}));
  if (body.enforce_parameter_schema ?? deployment.enforce_parameter_schema)
    await assertFit(ctx, scope, {
      schema: deployment.parameter_openapi_schema,
      values,
      ignoreRequired: false,
      doing: "creating flow run",
    });
  return values;
}

/** The name of the deployment's pool, once the job variables are known to fit it. */
async function checkWorkPlace(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body }: { readonly deployment: RunSource } & AskedRun,
): Promise<string | null> {
  const template = templateIn(deployment);
  if (template === null) {
    if (body.work_queue_name)
      throw new AppError(
        "bad_request",
        "A queue can only be chosen where the deployment has a work pool",
      );
    return null;
  }
  await assertJobVariables(ctx, scope, {
    template,
    layers: [readJson(deployment.job_variables) as JsonMap, body.job_variables ?? {}],
    requireAll: true,
    code: "invalid",
    doing: "creating flow run",
  });
  return template.name;
}
