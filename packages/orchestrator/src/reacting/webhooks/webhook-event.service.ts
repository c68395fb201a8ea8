// From a request to an event. What cannot become one is told in a sentence.

import type { Event, JsonObject, WebhookEvent } from "@orchestrator/contract";
import { type Compute, OverBudgetError } from "@orchestrator/kernel/compute";
import type { AppendedEvent } from "@orchestrator/kernel/events";
import { type MessageReading, normaliseUuid } from "@orchestrator/kernel/http";
import { RESOURCE_PREFIXES } from "@orchestrator/kernel/pure";
import type { WebhookRow } from "../../db/tables/webhooks.table.ts";
import { idOfText } from "../../events/id-of-text.ts";
import { isProblem, receiveEvent } from "../../telemetry/events/events.rules.ts";
import { renderTemplate } from "../../templates/compute-templates.ts";
import { type WebhookRequest, withoutCredentialHeaders } from "./webhook-request.rules.ts";

type Source = Pick<WebhookRow, "id" | "template" | "event" | "resource" | "delivery_header">;

export interface EventMaking {
  readonly compute: Compute;
  /** Reads what a template has rendered. */
  readonly read: (bytes: Buffer) => MessageReading<WebhookEvent>;
  readonly now: string;
  /** The id of an event that nothing else names. */
  readonly freshId: string;
}

export async function webhookEventOf(
  source: Source,
  request: WebhookRequest,
  making: EventMaking,
): Promise<MessageReading<AppendedEvent>> {
  const made =
    source.template === null
      ? staticEvent(source, request)
      : await render(source.template, request, making);
  if ("problem" in made) return made;
  const { id, occurred, ...rest } = made.value;
  if (isReservedEventName(rest.event)) {
    return { problem: `The event's name ${rest.event} begins as only the server's own events do` };
  }
  const delivery = source.delivery_header?.toLowerCase();
  const delivered = delivery === undefined ? undefined : request.headers[delivery];
  const event: Event = {
    ...rest,
    id: chooseId(source.id, { id, delivered }) ?? making.freshId,
    occurred: occurred ?? making.now,
  };
  const received = receiveEvent(event, making.now);
  if (!isProblem(received)) return { value: received };
  return {
    problem: `The event is not complete: ${[...received.path, received.message].join(": ")}`,
  };
}

function staticEvent(
  { event, resource }: Source,
  request: WebhookRequest,
): MessageReading<WebhookEvent> {
  if (event === null || resource === null) return { problem: "The webhook makes no event" };
  const labels = JSON.parse(resource) as Event["resource"];
  return { value: { event, resource: labels, payload: payloadOf(request) } };
}

/** The body, in an object; where there is none, the query. */
function payloadOf({ body, query }: WebhookRequest): JsonObject {
  if (body === null) return query;
  const isObject = typeof body === "object" && !Array.isArray(body);
  return isObject ? (body as JsonObject) : { body };
}

async function render(
  template: string,
  { method, headers, query, body, isLarge }: WebhookRequest,
  { read, compute }: EventMaking,
): Promise<MessageReading<WebhookEvent>> {
  const context = { method, headers: withoutCredentialHeaders(headers), query, body };
  const rendering = await renderTemplate(compute, { template, context, isLarge }).catch(problemOf);
  if (typeof rendering === "string") return { problem: rendering };
  const { text, problem } = rendering;
  if (problem !== null) {
    return { problem: `The template fails on line ${problem.line}: ${problem.message}` };
  }
  const reading = read(Buffer.from(text, "utf8"));
  return "value" in reading
    ? reading
    : { problem: `What the template makes is not an event: ${reading.problem}` };
}

function problemOf(error: unknown): string {
  if (error instanceof OverBudgetError) return error.message;
  throw error;
}

/**
 * Clients' reports about runs are read from the log; what comes from outside must not pass for one.
 */
export function isReservedEventName(name: string): boolean {
  return RESOURCE_PREFIXES.some((prefix) => name.toLowerCase().startsWith(`${prefix}.`));
}

/**
 * An id is taken as it is; any other name, and that of a delivery, is good within the webhook and
 * makes the same id each time.
 */
function chooseId(
  webhookId: string,
  {
    id,
    delivered,
  }: { readonly id: string | null | undefined; readonly delivered: string | undefined },
): string | undefined {
  const given = id == null ? undefined : normaliseUuid(id);
  const name = id ?? delivered;
  if (given !== undefined || name === undefined) return given;
  return idOfText(`${webhookId} ${name}`);
}
