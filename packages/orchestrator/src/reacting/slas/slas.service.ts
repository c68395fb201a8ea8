import {
  MAX_SLAS_OF_DEPLOYMENT,
  type Sla,
  type SlaCreate,
  type SlaMerge,
  type SlaUpdate,
} from "@orchestrator/contract";
import { InvalidRequestError, normaliseUuid } from "@orchestrator/kernel/http";
import { AppError, isAppError, RESOURCE_PREFIXES } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { SlaRow } from "../../db/tables/slas.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { lockDeployment } from "../../runs/deployment/deployments.store.ts";
import { beginning, readTerms, type SlaTerms } from "./sla-terms.rules.ts";
import { type Owner, slaEvent } from "./slas.events.ts";
import {
  findOwner,
  findSla,
  insertSla,
  lockSla,
  lockSlasOf,
  removeSlaRow,
  removeWatchesOf,
  updateSlaRow,
} from "./slas.store.ts";

const DEFAULT_SEVERITY = "moderate";

export async function createSla(
  ctx: OrchestratorContext,
  scope: Scope,
  { deploymentId, body }: { readonly deploymentId: string; readonly body: SlaCreate },
): Promise<JsonText<Sla>> {
  const terms = termsOf(body, ["body"]);
  const now = ctx.clock.now();
  const row = newRow(ctx, { deploymentId, body, terms, now });
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const owner = await holdOwner(tx, deploymentId);
    if ((await lockSlasOf(tx, deploymentId)).length >= MAX_SLAS_OF_DEPLOYMENT)
      throw new AppError("conflict", `A deployment has at most ${MAX_SLAS_OF_DEPLOYMENT} SLAs`);
    await insert(ctx, tx, { row, owner });
    return present(await findSla(tx, row.id));
  });
}

export async function readSla(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Sla>> {
  const found = await findSla(ctx.db.in(scope.workspaceId), id);
  if (found === null) throw notFound(id);
  return found;
}

/**
 * Changes the given fields only. With another bound, or when it is enabled again, it begins anew.
 */
export async function updateSla(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: SlaUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockSla(tx, id);
    if (before === null) throw notFound(id);
    const owner = await readOwner(tx, before.deployment_id);
    await change(ctx, tx, { before, after: withChanges(before, changes), owner, now });
  });
}

/** From the moment this is answered it tells of nothing. */
export async function deleteSla(ctx: OrchestratorContext, scope: Scope, id: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const sla = await lockSla(tx, id);
    if (sla === null) throw notFound(id);
    const owner = await readOwner(tx, sla.deployment_id);
    await removeSlaRow(tx, id);
    await emitResourceEvent(ctx, tx, slaEvent("deleted", { sla, owner }, now));
  });
}

/**
 * The deployment has these SLAs and no others afterwards; those of the same name are changed to
 * what is given.
 */
export async function applySlas(
  ctx: OrchestratorContext,
  scope: Scope,
  { resource, wanted }: { readonly resource: string; readonly wanted: readonly SlaCreate[] },
): Promise<SlaMerge> {
  const deploymentId = deploymentOf(resource);
  const now = ctx.clock.now();
  const fresh = wanted.map((body, index) => {
    const terms = termsOf(body, ["body", index]);
    return newRow(ctx, { deploymentId, body, terms, now });
  });
  refuseRepeated(wanted);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const owner = await holdOwner(tx, deploymentId);
    const present = new Map((await lockSlasOf(tx, deploymentId)).map((row) => [row.name, row]));
    const merged: Record<keyof SlaMerge, Sla[]> = { created: [], updated: [], deleted: [] };
    for (const row of fresh) {
      const before = present.get(row.name);
      present.delete(row.name);
      const { kind, seconds, severity, enabled } = row;
      if (before === undefined) await insert(ctx, tx, { row, owner });
      else
        await change(ctx, tx, {
          before,
          after: { ...before, kind, seconds, severity, enabled },
          owner,
          now,
        });
      const list = before === undefined ? merged.created : merged.updated;
      list.push(parsed(await findSla(tx, before?.id ?? row.id)));
    }
    for (const sla of present.values()) {
      merged.deleted.push(parsed(await findSla(tx, sla.id)));
      await removeSlaRow(tx, sla.id);
      await emitResourceEvent(ctx, tx, slaEvent("deleted", { sla, owner }, now));
    }
    return merged;
  });
}

function newRow(
  ctx: OrchestratorContext,
  {
    deploymentId,
    body,
    terms,
    now,
  }: {
    readonly deploymentId: string;
    readonly body: SlaCreate;
    readonly terms: SlaTerms;
    readonly now: string;
  },
): SlaRow {
  const enabled = body.enabled ?? true;
  return {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    deployment_id: deploymentId,
    name: body.name,
    ...terms,
    severity: body.severity ?? DEFAULT_SEVERITY,
    enabled,
    ...beginning({ ...terms, enabled }, now),
    violations: 0,
    last_violated: null,
    last_violated_flow_run_id: null,
    last_restored: null,
  };
}

async function insert(
  ctx: OrchestratorContext,
  tx: Transaction,
  { row, owner }: { readonly row: SlaRow; readonly owner: Owner },
): Promise<void> {
  if (!(await insertSla(tx, row))) throw nameTaken(row.name);
  await emitResourceEvent(ctx, tx, slaEvent("created", { sla: row, owner }, row.created));
}

interface Change {
  readonly before: SlaRow;
  readonly after: SlaRow;
  readonly owner: Owner;
  readonly now: string;
}

async function change(
  ctx: OrchestratorContext,
  tx: Transaction,
  { before, after, owner, now }: Change,
): Promise<void> {
  const differs = (key: keyof SlaRow): boolean => before[key] !== after[key];
  if (!FIELDS.some(differs)) return;
  const isAnew = TERMS.some(differs);
  if (isAnew) await removeWatchesOf(tx, before.id);
  const row = { ...after, updated: now, ...(isAnew ? beginning(after, now) : {}) };
  await updateSlaRow(tx, row).catch((error: unknown) => {
    throw isAppError(error, "conflict") ? nameTaken(after.name) : error;
  });
  await emitResourceEvent(ctx, tx, slaEvent("updated", { sla: row, owner }, now));
}

const TERMS = ["kind", "seconds", "enabled"] as const;
const FIELDS = [...TERMS, "name", "severity"] as const;

function withChanges(row: SlaRow, { name, severity, enabled, seconds }: SlaUpdate): SlaRow {
  return {
    ...row,
    name: name ?? row.name,
    severity: severity ?? row.severity,
    enabled: enabled ?? row.enabled,
    seconds: seconds ?? row.seconds,
  };
}

/** The deployment is held, so that it does not get more SLAs at the same time. */
async function holdOwner(tx: Transaction, deploymentId: string): Promise<Owner> {
  if ((await lockDeployment(tx, { id: deploymentId })) === null)
    throw deploymentNotFound({ id: deploymentId });
  return readOwner(tx, deploymentId);
}

async function readOwner(tx: Transaction, deploymentId: string): Promise<Owner> {
  const owner = await findOwner(tx, deploymentId);
  if (owner === null) throw deploymentNotFound({ id: deploymentId });
  return owner;
}

/** A resource id of either prefix, or the deployment's id alone. */
function deploymentOf(resource: string): string {
  const prefixes = RESOURCE_PREFIXES.map((prefix) => `${prefix}.deployment.`);
  const prefix = prefixes.find((own) => resource.startsWith(own)) ?? "";
  const id = normaliseUuid(resource.slice(prefix.length));
  if (id === undefined) throw new AppError("not_found", `${resource} is not a deployment`);
  return id;
}

type Place = readonly (string | number)[];

function termsOf(given: SlaCreate, place: Place): SlaTerms {
  const terms = readTerms(given);
  if (terms !== null) return terms;
  throw invalid(place, "give kind and seconds, or one of duration, within and stale_after");
}

function refuseRepeated(wanted: readonly SlaCreate[]): void {
  const names = wanted.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index !== -1) throw invalid(["body", index, "name"], "the name is given twice");
}

function invalid(loc: Place, problem: string): InvalidRequestError {
  const msg = `Value error, ${problem}`;
  return new InvalidRequestError([{ type: "value_error", loc, msg }]);
}

function present(json: JsonText<Sla> | null): JsonText<Sla> {
  if (json === null) throw new Error("The SLA that was just written is not there");
  return json;
}

function parsed(json: JsonText<Sla> | null): Sla {
  return JSON.parse(present(json)) as Sla;
}

function notFound(id: string): AppError {
  return new AppError("not_found", `SLA ${id} not found`);
}

function nameTaken(name: string): AppError {
  return new AppError("conflict", `The deployment has an SLA named ${name} already`);
}
