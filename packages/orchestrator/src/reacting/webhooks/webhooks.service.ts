import { randomBytes } from "node:crypto";
import type {
  Webhook,
  WebhookCreate,
  WebhookSample,
  WebhookUpdate,
  WebhookWithToken,
} from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, isAppError, resourceLabel } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { WebhookRow } from "../../db/tables/webhooks.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { checkTemplate } from "../../templates/compute-templates.ts";
import { eventMaking } from "./receive-webhook.service.ts";
import { sealSecret } from "./sealed-secret.ts";
import { hashWebhookToken, TOKEN_BYTES, tokenOf } from "./token.rules.ts";
import { isReservedEventName, webhookEventOf } from "./webhook-event.service.ts";
import { plainHeaders } from "./webhook-request.rules.ts";
import { webhookEvent } from "./webhooks.events.ts";
import {
  findWebhook,
  findWebhookRow,
  insertWebhook,
  lockWebhook,
  removeWebhookRow,
  updateWebhookRow,
} from "./webhooks.store.ts";

const DEFAULT_RATE = 600;

export async function createWebhook(
  ctx: OrchestratorContext,
  scope: Scope,
  body: WebhookCreate,
): Promise<WebhookWithToken> {
  const now = ctx.clock.now();
  const id = ctx.ids.uuid7();
  const token = tokenOf(randomBytes(TOKEN_BYTES));
  const blank: WebhookRow = {
    id,
    created: now,
    updated: now,
    name: body.name,
    description: "",
    enabled: true,
    template: null,
    event: null,
    resource: null,
    accepts_get: false,
    rate_limit: DEFAULT_RATE,
    signature_header: null,
    delivery_header: null,
    token_hash: hashWebhookToken(token),
    secret: null,
    sealed_with: null,
    last_received: null,
    last_status: null,
    last_error: null,
  };
  const row = withChanges(ctx, blank, body);
  checkMode(row);
  if (row.template !== null) await refuseWrongTemplate(ctx, scope, row.template);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await insertWebhook(tx, row))) throw nameTaken(row.name);
    await emitResourceEvent(ctx, tx, webhookEvent("created", row, now));
    return withToken(await findWebhook(tx, id), token);
  });
}

export async function readWebhook(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Webhook>> {
  const webhook = await findWebhook(ctx.db.in(scope.workspaceId), id);
  if (webhook === null) throw notFound(id);
  return webhook;
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateWebhook(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: WebhookUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  if (changes.template != null) await refuseWrongTemplate(ctx, scope, changes.template);
  // Sealed once: a transaction may be run again.
  const sealed = changes.secret === undefined ? {} : sealSecret(ctx.keyring, id, changes.secret);
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockWebhook(tx, id);
    if (before === null) throw notFound(id);
    const after = { ...withFields(before, changes), ...sealed };
    checkMode(after);
    if (isSame(before, after)) return;
    await updateWebhookRow(tx, { ...after, updated: now }).catch((error: unknown) => {
      throw isAppError(error, "conflict") ? nameTaken(after.name) : error;
    });
    await emitResourceEvent(ctx, tx, webhookEvent("updated", after, now));
  });
}

/** Another token takes the place of the present one, which opens nothing from now on. */
export async function rotateToken(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<WebhookWithToken> {
  const now = ctx.clock.now();
  const token = tokenOf(randomBytes(TOKEN_BYTES));
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockWebhook(tx, id);
    if (before === null) throw notFound(id);
    await updateWebhookRow(tx, { ...before, updated: now, token_hash: hashWebhookToken(token) });
    await emitResourceEvent(ctx, tx, webhookEvent("rotated", before, now));
    return withToken(await findWebhook(tx, id), token);
  });
}

export async function deleteWebhook(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockWebhook(tx, id);
    if (row === null) throw notFound(id);
    await removeWebhookRow(tx, id);
    await emitResourceEvent(ctx, tx, webhookEvent("deleted", row, ctx.clock.now()));
  });
}

/** The event that a request would become. Nothing is stored. */
export async function previewWebhook(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, sample }: { readonly id: string; readonly sample: WebhookSample },
): Promise<JsonText<unknown>> {
  const row = await findWebhookRow(ctx.db.in(scope.workspaceId), id);
  if (row === null) throw notFound(id);
  const {
    method = "POST",
    headers = {},
    query = {},
    body = null,
    template = row.template,
  } = sample;
  // A preview may wait for a thread, so nobody measures its sample.
  const request = { method, headers: plainHeaders(headers), query, body, isLarge: true };
  const made = await webhookEventOf({ ...row, template }, request, eventMaking(ctx, scope));
  if ("problem" in made) throw new AppError("invalid", made.problem);
  return made.value.body;
}

function withChanges(
  ctx: OrchestratorContext,
  row: WebhookRow,
  changes: WebhookUpdate,
): WebhookRow {
  const sealed = sealSecret(ctx.keyring, row.id, changes.secret ?? null);
  return { ...withFields(row, changes), ...sealed };
}

/**
 * Giving a template takes away the static event, and the other way round, unless both are named.
 */
function withFields(row: WebhookRow, changes: WebhookUpdate): WebhookRow {
  const { template, event, resource } = changes;
  const isTemplated = template != null;
  const isStatic = event != null;
  return {
    ...row,
    name: changes.name ?? row.name,
    description: changes.description ?? row.description,
    enabled: changes.enabled ?? row.enabled,
    template: pick(template, isStatic ? null : row.template),
    event: pick(event, isTemplated ? null : row.event),
    resource: pick(
      resource == null ? resource : JSON.stringify(resource),
      isTemplated ? null : row.resource,
    ),
    accepts_get: changes.accepts_get ?? row.accepts_get,
    rate_limit: changes.rate_limit ?? row.rate_limit,
    signature_header: pick(changes.signature_header, row.signature_header),
    delivery_header: pick(changes.delivery_header, row.delivery_header),
  };
}

const pick = <T>(given: T | undefined, present: T): T => (given === undefined ? present : given);

/** Either a template or a static event, whole. */
function checkMode({ template, event, resource }: WebhookRow): void {
  if (template !== null && (event !== null || resource !== null))
    throw invalid(
      "template",
      "a template makes the whole event, so that event and resource are left out",
    );
  if (template !== null) return;
  if (event === null || resource === null)
    throw invalid("template", "either template, or event and resource must be given");
  if (isReservedEventName(event))
    throw invalid("event", "the name begins as only the server's own events do");
  if (!resourceLabel(JSON.parse(resource) as Record<string, string>, "resource.id"))
    throw invalid("resource", "the label resource.id is missing");
}

async function refuseWrongTemplate(
  { compute }: OrchestratorContext,
  scope: Scope,
  template: string,
): Promise<void> {
  const problem = await checkTemplate(compute.for(scope), template);
  if (problem !== null) throw invalid("template", `line ${problem.line}: ${problem.message}`);
}

function invalid(field: string, problem: string): InvalidRequestError {
  const msg = `Value error, ${problem}`;
  return new InvalidRequestError([{ type: "value_error", loc: ["body", field], msg }]);
}

function isSame(before: WebhookRow, after: WebhookRow): boolean {
  return (Object.keys(before) as (keyof WebhookRow)[]).every((key) => before[key] === after[key]);
}

function withToken(json: JsonText<Webhook> | null, token: string): WebhookWithToken {
  if (json === null) throw new Error("The webhook that was just written is not there");
  const webhook = JSON.parse(json) as Webhook;
  return { ...webhook, token, path: `/api/webhooks/${token}` };
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Webhook ${id} not found`);
}

function nameTaken(name: string): AppError {
  return new AppError("conflict", `A webhook named ${name} already exists`);
}
