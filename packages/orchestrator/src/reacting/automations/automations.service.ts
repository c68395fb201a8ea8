import type {
  Action,
  Automation,
  AutomationCreate,
  AutomationReplace,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { AutomationRow } from "../../db/tables/automations.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { dropDeliveriesOf } from "../deliveries/drop.store.ts";
import { DELIVERIES_TOPIC } from "../deliveries/enqueue.service.ts";
import { removeActionsOf, removeFreeActionsOf } from "./actions/actions.store.ts";
import { automationEvent } from "./automations.events.ts";
import { AUTOMATION_LIST } from "./automations.filter.ts";
import {
  countAutomations,
  findAutomation,
  findRelated,
  insertAutomation,
  lockAutomation,
  publishAutomationChange,
  removeAutomationRow,
  replaceResources,
  setOwner,
  updateAutomationRow,
} from "./automations.store.ts";
import { receiveAutomation, refuseEndless } from "./receive-automation.service.ts";
import { canonical } from "./triggers/names.rules.ts";
import { openWindows, resumeWindows } from "./triggers/progress.service.ts";
import { removeThrottle } from "./triggers/throttle.store.ts";
import { removeTraces } from "./triggers/trace.store.ts";
import type { TriggerRule } from "./triggers/triggers.rules.ts";
import { parkBuckets, removeProgress } from "./triggers/triggers.store.ts";

export async function createAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  body: AutomationCreate,
): Promise<JsonText<Automation>> {
  const { trigger, actions, actions_on_trigger, actions_on_resolve } = await receiveAutomation(
    ctx,
    scope,
    body,
  );
  const enabled = body.enabled ?? true;
  refuseEndless({ enabled, trigger, actions });
  const { owner_resource: owner } = body;
  const now = ctx.clock.now();
  const row: AutomationRow = {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    name: body.name,
    description: body.description ?? "",
    enabled,
    tags: JSON.stringify(body.tags ?? []),
    trigger: writeJson(trigger),
    actions: writeJson(actions),
    actions_on_trigger: writeJson(actions_on_trigger ?? []),
    actions_on_resolve: writeJson(actions_on_resolve ?? []),
  };
  return change(ctx, scope, async (tx, system) => {
    await insertAutomation(tx, row);
    await publishAutomationChange(system, { workspaceId: scope.workspaceId, id: row.id });
    await refuseTooMany(ctx, tx);
    await replaceResources(tx, { id: row.id, resources: resourcesOf(actions) });
    if (owner != null) await setOwner(tx, { id: row.id, owner: canonical(owner) });
    if (enabled) await openWindows(ctx, tx, { id: row.id, trigger });
    await emitResourceEvent(ctx, tx, automationEvent("created", row, now));
    const json = await findAutomation(tx, row.id);
    if (json === null) throw notFound(row.id);
    return json;
  });
}

/** Counted behind the change that is noted: until the transaction ends nobody else adds one. */
async function refuseTooMany({ settings }: OrchestratorContext, tx: Transaction): Promise<void> {
  const most = settings.automationsPerWorkspace;
  if ((await countAutomations(tx)) <= most) return;
  throw new AppError(
    "conflict",
    `A workspace has at most ${most} automations; delete one that is not needed, or raise ORCHESTRATOR_AUTOMATIONS_PER_WORKSPACE`,
  );
}

export async function readAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Automation>> {
  const found = await findAutomation(ctx.db.in(scope.workspaceId), id);
  if (found === null) throw notFound(id);
  return found;
}

/** Its triggers begin afresh. */
export async function replaceAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: AutomationReplace },
): Promise<void> {
  if (body.id !== undefined && body.id !== id) throw otherId();
  const received = await receiveAutomation(ctx, scope, body);
  const { trigger, actions, actions_on_trigger, actions_on_resolve } = received;
  const now = ctx.clock.now();
  await change(ctx, scope, async (tx, system) => {
    const before = await lockAutomation(tx, id);
    if (before === null) throw notFound(id);
    const row: AutomationRow = {
      ...before,
      updated: now,
      name: body.name,
      description: body.description ?? before.description,
      enabled: body.enabled ?? before.enabled,
      tags: body.tags == null ? before.tags : JSON.stringify(body.tags),
      trigger: writeJson(trigger),
      actions: writeJson(actions),
      actions_on_trigger: textOr(actions_on_trigger, before.actions_on_trigger),
      actions_on_resolve: textOr(actions_on_resolve, before.actions_on_resolve),
    };
    refuseEndless({ enabled: row.enabled, trigger, actions });
    await updateAutomationRow(tx, row);
    await publishAutomationChange(system, { workspaceId: scope.workspaceId, id });
    await replaceResources(tx, { id, resources: resourcesOf(actions) });
    await removeProgress(tx, id);
    if (row.enabled) await openWindows(ctx, tx, { id, trigger });
    await emitResourceEvent(ctx, tx, automationEvent("updated", row, now));
  });
}

/**
 * Switches an automation on or off, or leaves it as it is; what its triggers have counted stays.
 */
export async function setEnabled(
  ctx: OrchestratorContext,
  scope: Pick<Scope, "workspaceId">,
  { id, enabled }: { readonly id: string; readonly enabled: boolean | null },
): Promise<void> {
  const now = ctx.clock.now();
  await change(ctx, scope, async (tx, system) => {
    const before = await lockAutomation(tx, id);
    if (before === null) throw notFound(id);
    if (enabled === null || before.enabled === enabled) return;
    const row = { ...before, enabled, updated: now };
    const trigger = readJson(row.trigger) as TriggerRule;
    refuseEndless({ enabled, trigger, actions: readJson(row.actions) as Action[] });
    await updateAutomationRow(tx, row);
    await publishAutomationChange(system, { workspaceId: scope.workspaceId, id });
    if (enabled) await resumeWindows(ctx, tx, { id, trigger });
    else await parkBuckets(tx, id);
    await emitResourceEvent(ctx, tx, automationEvent("updated", row, now));
  });
}

/** What it was about to do is not done any more. */
export async function deleteAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  const now = ctx.clock.now();
  await change(ctx, scope, async (tx, system) => {
    // Before it is held: what it does just now may be to switch itself off, and would wait for us
    // as we for it.
    await removeActionsOf(tx, id);
    const row = await lockAutomation(tx, id);
    if (row === null) throw notFound(id);
    await deleteAutomationRows(tx, system, [id]);
    // It may have fired until the triggers were held.
    await removeFreeActionsOf(tx, id);
    await dropDeliveriesOf(tx, { automation_id: id, now });
    tx.notify(DELIVERIES_TOPIC);
    await emitResourceEvent(ctx, tx, automationEvent("deleted", row, now));
  });
}

/**
 * Deletes all automations that belong to a resource. Nobody is told, and what they were about to do
 * is done: they are about to be made anew.
 */
export async function deleteOwned(
  ctx: OrchestratorContext,
  scope: Scope,
  resourceId: string,
): Promise<void> {
  await change(ctx, scope, async (tx, system) => {
    const related = await findRelated(tx, canonical(resourceId));
    const owned = related.filter(({ is_owner }) => is_owner).map((row) => row.automation_id);
    const there: string[] = [];
    for (const id of owned.sort()) if ((await lockAutomation(tx, id)) !== null) there.push(id);
    await deleteAutomationRows(tx, system, there);
  });
}

const MOST_RELATED = 1000;

/** The automations that belong to a resource, or whose actions name it. */
export async function listRelated(
  ctx: OrchestratorContext,
  scope: Scope,
  resourceId: string,
): Promise<JsonText<Automation[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  const related = await findRelated(queries, canonical(resourceId));
  const ids = [...new Set(related.map(({ automation_id }) => automation_id))];
  if (ids.length === 0) return "[]";
  const filter = { id: { any_: ids } };
  return listJson(queries, AUTOMATION_LIST, { filter, limit: MOST_RELATED, offset: 0 });
}

function change<T>(
  ctx: OrchestratorContext,
  { workspaceId }: Pick<Scope, "workspaceId">,
  work: (tx: Transaction, system: SystemTransaction) => Promise<T>,
): Promise<T> {
  return ctx.db.writeSystem((system) => work(system.inWorkspace(workspaceId), system));
}

/** Automations that are held already. */
async function deleteAutomationRows(
  tx: Transaction,
  system: SystemTransaction,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await publishAutomationChange(system, { workspaceId: tx.workspaceId, id });
  for (const id of ids) {
    await removeProgress(tx, id);
    await removeTraces(tx, id);
    await removeThrottle(tx, id);
    await removeAutomationRow(tx, id);
  }
}

/** The deployments that the actions name, as resources. */
function resourcesOf(actions: readonly Action[]): string[] {
  return actions.flatMap((action) =>
    action.type === "run-deployment" && action.deployment_id != null
      ? [`prefect.deployment.${action.deployment_id}`]
      : [],
  );
}

const textOr = (actions: readonly Action[] | null, before: string): string =>
  actions === null ? before : writeJson(actions);

function otherId(): InvalidRequestError {
  const msg = "Value error, the id is not that of the address";
  return new InvalidRequestError([{ type: "value_error", loc: ["body", "id"], msg }]);
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Automation ${id} not found`);
}
