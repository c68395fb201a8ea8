import type { Deployment, DeploymentCreate, Labels } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import { assertDocumentsExist } from "../../blocks/documents/named-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import { DEPLOYMENTS, type DeploymentRow } from "../../db/tables/deployments.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import {
  findDeployment,
  findDeploymentRelations,
  lockDeployment,
} from "../../runs/deployment/deployments.store.ts";
import { findJobTemplate } from "../../runs/deployment/job-templates.store.ts";
import {
  assertJobVariables,
  checkNewParameters,
} from "../../runs/deployment/parameter-checks.service.ts";
import { findFlowOfRun } from "../../runs/flow-runs/flow-runs.store.ts";
import { rescheduleDeployment } from "../../scheduling/scheduler/reschedule.service.ts";
import {
  receiveEntries,
  receiveSingle,
  replaceSchedules,
} from "../../scheduling/schedules/replace-schedules.service.ts";
import { readSchedules } from "../../scheduling/schedules/schedules.store.ts";
import { DEFAULT_AGENT_POOL } from "../../work/pools/queue-assignment.service.ts";
import { applyChanges } from "./apply-changes.service.ts";
import { changesBetween, withoutPlaceOfNone } from "./deployment-changes.rules.ts";
import { insertDeployment } from "./deployment-rows.store.ts";
import { deploymentEvent, deploymentUpdatedEvent } from "./deployments.events.ts";

export interface CreatedDeployment {
  readonly json: JsonText<Deployment>;
  /** False when the flow had a deployment of that name, which is now what was asked for. */
  readonly isNew: boolean;
}

export async function createDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  given: DeploymentCreate,
): Promise<CreatedDeployment> {
  const body = withoutPlaceOfNone(given);
  refuseBoth(body, "concurrency_limit", "global_concurrency_limit_id");
  refuseBoth(body, "schedule", "schedules");
  await checkNewParameters(ctx, scope, body);
  const entries =
    body.schedule == null
      ? await receiveEntries(ctx, scope, body.schedules ?? [])
      : [await receiveSingle(ctx, scope, body.schedule)];
  await checkJobVariables(ctx, scope, body);
  await assertDocumentsExist(ctx, ctx.db.in(scope.workspaceId), body);
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const { row: before, base, isNew } = await obtain(ctx, tx, { body, now });
    const after = await applyChanges(ctx, tx, { before, base, changes: body, now });
    const owner = { deploymentId: after.id, isPaused: after.paused };
    const existing = isNew ? [] : await readSchedules(tx, after.id);
    await replaceSchedules(ctx, tx, { existing, entries, owner, now });
    await rescheduleDeployment(tx, { ...owner, now });
    await tell(ctx, tx, { before, after, isNew, now });
    const json = await findDeployment(tx, { id: after.id }, now);
    if (json === null) throw new Error("The deployment that was just written is not there");
    return { json, isNew };
  });
}

/** A pool that does not exist is refused where the queue is looked for. */
async function checkJobVariables(
  ctx: OrchestratorContext,
  scope: Scope,
  { work_pool_name: pool, job_variables: variables }: DeploymentCreate,
): Promise<void> {
  if (pool == null || pool === DEFAULT_AGENT_POOL) return;
  if (variables == null || Object.keys(variables).length === 0) return;
  const queries = ctx.db.in(scope.workspaceId);
  const template = await findJobTemplate(queries, { pool });
  if (template === null) return;
  await assertJobVariables(ctx, scope, {
    template,
    layers: [variables],
    requireAll: false,
    code: "invalid",
    doing: "creating deployment",
  });
}

function refuseBoth<Key extends keyof DeploymentCreate>(
  body: DeploymentCreate,
  one: Key,
  other: Key,
): void {
  if (body[one] == null || body[other] == null) return;
  const msg = `Value error, ${one} and ${other} cannot both be given`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", other], msg }]);
}

/**
 * The row to change: a new one, or the one of that name where that is how the API is understood.
 */
async function obtain(
  ctx: OrchestratorContext,
  tx: Transaction,
  { body, now }: { readonly body: DeploymentCreate; readonly now: string },
): Promise<{ row: DeploymentRow; base: DeploymentRow; isNew: boolean }> {
  const { flow_id, name } = body;
  const flow = await findFlowOfRun(tx, flow_id);
  if (flow === null) throw new AppError(ctx.dialect.unknownNamed, `Flow ${flow_id} does not exist`);
  const labels = {
    ...(readJson(flow.labels) as Labels),
    [`${ctx.dialect.prefix}.flow.id`]: flow_id,
  };
  const id = ctx.ids.uuid4();
  const times = { created: now, updated: now };
  const fresh = DEPLOYMENTS.newRow({ id, ...times, name, flow_id, labels: writeJson(labels) });
  if (await insertDeployment(tx, fresh)) return { row: fresh, base: fresh, isNew: true };
  if (!ctx.dialect.replacesDeployments)
    throw new AppError("conflict", `The flow has a deployment named ${name} already`);
  const row = await lockDeployment(tx, { flow_id, name });
  if (row === null) throw new AppError("unavailable", "The deployment is being deleted, try again");
  // Parameters and labels are what is given now: none of those before stay. A pool stays, until an
  // update says null of it.
  const base = { ...row, parameters: fresh.parameters, labels: fresh.labels };
  return { row, base, isNew: false };
}

async function tell(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    before,
    after,
    isNew,
    now,
  }: {
    readonly before: DeploymentRow;
    readonly after: DeploymentRow;
    readonly isNew: boolean;
    readonly now: string;
  },
): Promise<void> {
  const around = await findDeploymentRelations(tx, after.id);
  if (around === null) return;
  if (isNew) {
    await emitResourceEvent(ctx, tx, deploymentEvent("created", around, now));
    return;
  }
  const changes = changesBetween(before, after);
  if (changes.length > 0)
    await emitResourceEvent(ctx, tx, deploymentUpdatedEvent(around, changes, now));
}
