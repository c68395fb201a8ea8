import type {
  FlowRun,
  FlowRunPolicy,
  FlowRunUpdate,
  JsonObject,
  Labels,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches } from "../../db/in-batches.ts";
import type { FlowRunEdit } from "../../db/tables/flow-runs.table.ts";
import { runName } from "../../texts/run-texts.ts";
import { findDeploymentRow } from "../deployment/deployments.store.ts";
import { findJobTemplate } from "../deployment/job-templates.store.ts";
import { assertJobVariables } from "../deployment/parameter-checks.service.ts";
import { withLabels } from "../orchestration/labels.rules.ts";
import { editFlowRunRow, findFlowRun, lockFlowRunForEdit } from "./flow-runs.store.ts";
import { parametersJson, storedVersion } from "./new-flow-run.ts";
import { changedPolicy } from "./run-policy.rules.ts";
import { removeRuns } from "./run-removal.service.ts";

export async function readFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<FlowRun>> {
  const run = await findFlowRun(ctx.db.in(scope.workspaceId), { id, now: ctx.clock.now() });
  if (run === null) throw notFound(id);
  return run;
}

/** Changes the given fields only. */
export async function updateFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: FlowRunUpdate },
): Promise<void> {
  if (changes.job_variables != null)
    await checkJobVariables(ctx, scope, { id, variables: changes.job_variables });
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const run = await lock(tx, id);
    if (changes.job_variables != null) refuseSettledVariables(run);
    const priority = changes.priority ?? run.priority;
    if (priority !== run.priority && run.state_type !== "SCHEDULED") {
      throw new AppError("bad_request", "The priority can change only while the run is SCHEDULED");
    }
    const before = readJson(run.empirical_policy) as FlowRunPolicy;
    const policy =
      changes.empirical_policy == null ? before : changedPolicy(before, changes.empirical_policy);
    await edit(ctx, tx, run, {
      name: changes.name ? runName(changes.name) : run.name,
      flow_version:
        changes.flow_version === undefined ? run.flow_version : storedVersion(changes.flow_version),
      parameters: changes.parameters == null ? run.parameters : parametersJson(changes.parameters),
      empirical_policy: writeJson(policy),
      retry_type: policy.retry_type ?? null,
      tags: changedTags(run.tags, changes.tags),
      infrastructure_pid:
        changes.infrastructure_pid === undefined
          ? run.infrastructure_pid
          : changes.infrastructure_pid,
      job_variables:
        changes.job_variables === undefined ? run.job_variables : writeJson(changes.job_variables),
      priority,
      labels: changes.labels == null ? run.labels : withLabels(run.labels, changes.labels),
    });
  });
}

/** Adds labels to those the run has; of the same name, the new one wins. */
export async function addFlowRunLabels(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, labels }: { readonly id: string; readonly labels: Labels },
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const run = await lock(tx, id);
    await edit(ctx, tx, run, { labels: withLabels(run.labels, labels) });
  });
}

export async function deleteFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  const removed = await inBatches(ctx.db, scope.workspaceId, (tx) => removeRuns(ctx, tx, [id]));
  if (removed === 0) throw notFound(id);
}

/** As they were where they are the same: databases write them down in their own way. */
function changedTags(before: string, given: readonly string[] | null | undefined): string {
  if (given == null) return before;
  const tags = JSON.stringify([...new Set(given)]);
  return JSON.stringify(JSON.parse(before)) === tags ? before : tags;
}

/** Writes what is to be another than it was; nothing, if nothing is. */
async function edit(
  ctx: OrchestratorContext,
  tx: Transaction,
  run: Omit<FlowRunEdit, "updated">,
  changes: Partial<Omit<FlowRunEdit, "updated">>,
): Promise<void> {
  const edited = { ...run, ...changes };
  const keys = Object.keys(changes) as (keyof typeof run)[];
  if (keys.some((key) => edited[key] !== run[key]))
    await editFlowRunRow(tx, { ...edited, updated: ctx.clock.now() });
}

async function lock(tx: Transaction, id: string) {
  const run = await lockFlowRunForEdit(tx, id);
  if (run === null) throw notFound(id);
  return run;
}

/** Only a run that waits can still be given other job variables. */
function refuseSettledVariables({
  state_type,
  deployment_id,
}: Pick<FlowRun, "state_type" | "deployment_id">): void {
  if (state_type !== "SCHEDULED")
    throw new AppError("bad_request", "Job variables can change only while the run is SCHEDULED");
  if (deployment_id === null)
    throw new AppError("bad_request", "Only a run of a deployment has job variables to change");
}

/**
 * They must fit the pool's template, which may take a thread to find out: no write waits for it.
 */
async function checkJobVariables(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, variables }: { readonly id: string; readonly variables: JsonObject },
): Promise<void> {
  const run = readJson(await readFlowRun(ctx, scope, id)) as FlowRun;
  refuseSettledVariables(run);
  const queries = ctx.db.in(scope.workspaceId);
  const template = await findJobTemplate(queries, { queueId: run.work_queue_id });
  const deployment =
    run.deployment_id === null ? null : await findDeploymentRow(queries, run.deployment_id);
  if (template === null || deployment === null) return;
  await assertJobVariables(ctx, scope, {
    template,
    layers: [readJson(deployment.job_variables) as JsonObject, variables],
    requireAll: true,
    code: "invalid",
    doing: "updating flow run",
  });
}

export function notFound(id: string): AppError {
  return new AppError("not_found", `Flow run ${id} not found`);
}
