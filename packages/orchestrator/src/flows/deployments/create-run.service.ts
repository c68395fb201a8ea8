import type { DeploymentFlowRunCreate, FlowRun, FlowRunBulkCreated } from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, isAppError, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { isMissingValue, type Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { lockDeployment } from "../../runs/deployment/deployments.store.ts";
import {
  type CreatedFlowRun,
  insertFlowRun,
  insertPrepared,
  prepareFlowRun,
  writeFlowRun,
} from "../../runs/flow-runs/create-flow-run.service.ts";
import { DeploymentChanged } from "../../runs/flow-runs/flow-run-insert.store.ts";
import type { NewFlowRun } from "../../runs/flow-runs/new-flow-run.ts";
import { assignQueue } from "../../work/pools/queue-assignment.service.ts";
import { newDeploymentRun, runRelationsIn } from "./new-deployment-run.ts";
import { readRunInputs } from "./run-inputs.service.ts";
import { findRunSource, type RunSource } from "./run-source.store.ts";

const MOST_AT_ONCE = 100;
/** Of a deployment that changes again and again. */
const MOST_TRIES = 5;

interface AskedRun {
  readonly body: DeploymentFlowRunCreate;
  /** Who or what wants the run; nobody in particular when left out. */
  readonly createdBy?: NewFlowRun["created_by"];
  readonly reused?: NewFlowRun["reused"];
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

/**
 * Makes several runs, each for itself: one that is refused does not keep the others from being
 * made.
 */
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
  const turn = yieldingBetweenSteps();
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

/** Reads all that the run is made from, decides what it becomes, and writes it. */
async function createRun(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    deployment,
    body,
    createdBy = null,
    reused = null,
  }: { readonly deployment: RunSource } & AskedRun,
): Promise<CreatedFlowRun> {
  const { parameters, otherQueue } = await readRunInputs(ctx, scope, { deployment, body });
  const run = { ...newDeploymentRun(ctx, { deployment, body, parameters, createdBy }), reused };
  if (otherQueue === null && !body.idempotency_key) {
    const around = runRelationsIn(deployment);
    const prepared = await prepareFlowRun(ctx, ctx.db.in(scope.workspaceId), run, around);
    const insert = (tx: Transaction) => insertPrepared(ctx, tx, prepared);
    return writeFlowRun(ctx, scope, insert).catch(orDeploymentChanged);
  }
  return writeFlowRun(ctx, scope, async (tx) => {
    if (otherQueue === null) return insertFlowRun(ctx, tx, run);
    // Locked before the queue, as everywhere.
    await lockDeployment(tx, { id: deployment.id });
    const work_queue_id = await assignQueue(ctx, tx, otherQueue);
    return insertFlowRun(ctx, tx, { ...run, work_queue_id });
  }).catch(orDeploymentChanged);
}

function orDeploymentChanged(error: unknown): never {
  throw isMissingValue(error, "flow_id") ? new DeploymentChanged() : error;
}
