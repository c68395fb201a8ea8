// A request from outside becomes an event, or is refused with what is wrong with it.

import type { WebhookReceipt, WebhookStatus } from "@orchestrator/contract";
import { WebhookEvent } from "@orchestrator/contract";
import { type AppendedEvent, appendEvent } from "@orchestrator/kernel/events";
import { createReader, type MessageReading } from "@orchestrator/kernel/http";
import { AppError, type ErrorCode } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import type { WebhookRow } from "../../db/tables/webhooks.table.ts";
import { writeBuffered } from "../../db/write-buffered.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { scopeOfService } from "../../service-scope.ts";
import { tidy } from "../deliveries/tidy-text.rules.ts";
import { openSecret } from "./sealed-secret.ts";
import { hashWebhookToken, isSigned } from "./token.rules.ts";
import { type EventMaking, webhookEventOf } from "./webhook-event.service.ts";
import { readBody, type WebhookRequest } from "./webhook-request.rules.ts";
import { type Reception, trafficOf } from "./webhook-traffic.ts";
import { webhookFailedEvent } from "./webhooks.events.ts";
import {
  type AddressedWebhook,
  findWebhookByToken,
  lockWebhook,
  recordReception,
} from "./webhooks.store.ts";

/** A request as it came in. */
export interface RawWebhookRequest extends Pick<WebhookRequest, "method" | "headers" | "query"> {
  readonly bytes: Buffer;
}

const MAX_ERROR = 500;
const MAX_INLINE_BYTES = 65_536;

const readJson = createReader(Type.Unknown());
const readEvent = createReader(WebhookEvent);

/**
 * Null where the request only asks whether there is a webhook. Resolves when the event is durable.
 */
export async function receiveWebhook(
  ctx: OrchestratorContext,
  token: string,
  request: RawWebhookRequest,
): Promise<WebhookReceipt | null> {
  const webhook = await findWebhookByToken(ctx.db, hashWebhookToken(token));
  if (webhook === null) throw new AppError("not_found", "Not Found");
  if (isProbe(webhook, request.method)) return null;
  refuseUnwanted(ctx, webhook);
  if (webhook.secret !== null) {
    const secret = openSecret(ctx.keyring, webhook.id, webhook.secret);
    if (!isSigned({ ...request, secret, header: webhook.signature_header })) {
      throw refusal(ctx, webhook, {
        status: "BAD_SIGNATURE",
        code: "unauthorized",
        message: "The signature is missing or is not that of the body",
      });
    }
  }
  const scope = scopeOfService(ctx, "webhooks", {
    operation: "POST /api/events",
    workspaceId: webhook.workspace_id,
    requestId: webhook.id,
  });
  const made = await makeEvent(ctx, scope, { webhook, request });
  if ("problem" in made) {
    throw refusal(ctx, webhook, { status: "INVALID", code: "invalid", message: made.problem });
  }
  await ctx.db.write(scope.workspaceId, (tx) => appendEvent(tx, made.value));
  trafficOf(ctx.db).note(webhook, { at: ctx.clock.now(), status: "ACCEPTED", error: null });
  return { id: made.value.id, event: made.value.event };
}

/** Services look whether somebody is there before they send anything. */
function isProbe({ accepts_get }: WebhookRow, method: string): boolean {
  return method === "HEAD" || (method === "GET" && !accepts_get);
}

function refuseUnwanted(ctx: OrchestratorContext, webhook: AddressedWebhook): void {
  if (!webhook.enabled) {
    const message = "The webhook is disabled";
    throw refusal(ctx, webhook, { status: "DISABLED", code: "forbidden", message });
  }
  const { usedUp } = ctx.quotas.allowance(webhook.workspace_id, "events");
  if (usedUp !== null)
    throw refusal(ctx, webhook, { status: "LIMITED", code: "forbidden", message: usedUp.words });
  const { id, rate_limit } = webhook;
  const retryAfterSeconds = trafficOf(ctx.db).take(id, rate_limit, ctx.clock.nowMicros());
  if (retryAfterSeconds === 0) return;
  const message = `The webhook takes ${rate_limit} requests a minute`;
  throw refusal(ctx, webhook, {
    status: "LIMITED",
    code: "too_many_requests",
    message,
    retryAfterSeconds,
  });
}

interface Refusal {
  readonly status: WebhookStatus;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

function refusal(
  ctx: OrchestratorContext,
  webhook: AddressedWebhook,
  { status, code, message, ...options }: Refusal,
): AppError {
  // It may quote what a sender wrote, and is kept and told.
  const error = tidy(message, MAX_ERROR);
  trafficOf(ctx.db).note(webhook, { at: ctx.clock.now(), status, error });
  return new AppError(code, error, options);
}

interface Received {
  readonly webhook: WebhookRow;
  readonly request: RawWebhookRequest;
}

async function makeEvent(
  ctx: OrchestratorContext,
  scope: Scope,
  { webhook, request: { method, headers, query, bytes } }: Received,
): Promise<MessageReading<AppendedEvent>> {
  const body = readBody(bytes, headers["content-type"], readJson.read);
  if ("problem" in body) return { problem: `The body cannot be read: ${body.problem}` };
  const isLarge = bytes.length > MAX_INLINE_BYTES;
  const request = { method, headers, query, body: body.value, isLarge };
  return webhookEventOf(webhook, request, eventMaking(ctx, scope));
}

export function eventMaking(ctx: OrchestratorContext, scope: Scope): EventMaking {
  return {
    compute: ctx.compute.for(scope),
    read: readEvent.read,
    now: ctx.clock.now(),
    freshId: ctx.ids.uuid7(),
  };
}

/**
 * Writes down what became of the last request to each webhook, and tells of those that fail anew.
 */
export async function flushReceptions(ctx: OrchestratorContext): Promise<void> {
  const traffic = trafficOf(ctx.db);
  await writeBuffered(traffic.takeReceptions(), {
    write: (workspaceId, receptions) =>
      ctx.db.write(workspaceId, (tx) => writeReceptions(ctx, tx, receptions)),
    giveBack: (workspaceId, receptions) => traffic.giveBack(workspaceId, receptions),
  });
}

async function writeReceptions(
  ctx: OrchestratorContext,
  tx: Transaction,
  receptions: ReadonlyMap<string, Reception>,
): Promise<void> {
  // In one order, so that two replicas do not wait for each other.
  for (const id of [...receptions.keys()].sort()) {
    const reception = receptions.get(id);
    const before = await lockWebhook(tx, id);
    if (reception === undefined || before === null) continue;
    const { at: last_received, status: last_status, error: last_error } = reception;
    if (before.last_received !== null && before.last_received > last_received) continue;
    const after = { ...before, last_received, last_status, last_error };
    await recordReception(tx, after);
    const isFailure = last_status === "INVALID" || last_status === "BAD_SIGNATURE";
    if (isFailure && before.last_error !== last_error)
      await emitResourceEvent(ctx, tx, webhookFailedEvent(after, last_received));
  }
}
