// A message is written down in the transaction that takes its action off the list: once, or not at
// all.

import type { ActionOf } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { findDocument } from "../../blocks/documents/block-documents.store.ts";
import { findBlockTypeRow } from "../../blocks/types/block-types.store.ts";
import type { OrchestratorContext } from "../../context.ts";
import type { DeliveryRow } from "../../db/tables/deliveries.table.ts";
import { emitResourceEvent, type RelatedResource } from "../../events/emit.ts";
import type { FiringFacts } from "../firings/action-events.rules.ts";
import { ActionFailed } from "../firings/action-failed.ts";
import type { Content } from "./content.ts";
import { insertDelivery } from "./deliveries.store.ts";
import { findFormat } from "./formats/formats.rules.ts";
import { WEBHOOK_SLUG } from "./formats/webhook.rules.ts";
import { tidy } from "./tidy-text.rules.ts";

/** Whoever delivers listens for this topic. */
export const DELIVERIES_TOPIC = "deliveries";
const MAX_SHOWN_SUBJECT = 500;
const MAX_CONTENT_BYTES = 1_048_576;

export interface NewDelivery {
  readonly action: ActionOf<"send-notification" | "call-webhook">;
  readonly index: number;
  readonly invocation: string;
  readonly firing: FiringFacts;
  readonly content: Content;
  /** The event that tells that the action was begun. */
  readonly follows: string;
}

/** Answers which block it goes through. */
export async function enqueueDelivery(
  ctx: OrchestratorContext,
  scope: Scope,
  delivery: NewDelivery,
): Promise<RelatedResource[]> {
  const { type, block_document_id } = delivery.action;
  const now = ctx.clock.now();
  const content = JSON.stringify(delivery.content);
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES)
    throw new ActionFailed(`The message takes more than ${MAX_CONTENT_BYTES} bytes`);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const document = await findDocument(tx, block_document_id);
    const blockType =
      document === null ? null : await findBlockTypeRow(tx, { id: document.block_type_id });
    if (document === null || blockType === null)
      throw new ActionFailed(`Block document ${block_document_id} not found`);
    const refusal = refusalOf(type, blockType);
    if (refusal !== null) throw new ActionFailed(refusal);
    const block = { id: document.id, name: document.name, block_type_slug: blockType.slug };
    const giveUp = ctx.clock.nowMicros() + ctx.settings.deliveriesGiveUpAfter * 1000;
    await insertDelivery(tx, newRow(delivery, { block, content, now, giveUp }));
    await emitResourceEvent(ctx, tx, {
      kind: "block-document",
      subject: `block.${blockType.slug}`,
      verb: "loaded",
      id: document.id,
      name: document.name,
      occurred: now,
      payload: "{}",
      related: [blockTypeResource(blockType.slug)],
    });
    tx.notify(DELIVERIES_TOPIC);
    return blockResources(block);
  });
}

interface Known {
  readonly block: Block;
  /** As JSON. */
  readonly content: string;
  readonly now: string;
  readonly giveUp: number;
}

function newRow(
  { action, index, invocation, firing, content, follows }: NewDelivery,
  { block, content: json, now, giveUp }: Known,
): DeliveryRow {
  return {
    id: invocation,
    created: now,
    updated: now,
    automation_id: firing.automation.id,
    automation_name: firing.automation.name,
    action_type: action.type,
    action_index: index,
    block_document_id: block.id,
    block_document_name: block.name,
    block_type_slug: block.block_type_slug,
    subject: content.type === "send-notification" ? tidy(content.subject, MAX_SHOWN_SUBJECT) : null,
    status: "PENDING",
    parts: "[]",
    attempts: 0,
    destination: null,
    status_code: null,
    last_attempt: null,
    last_error: null,
    next_attempt: now,
    give_up: formatMicros(giveUp),
    settled: null,
    claim: null,
    held_until: null,
    content: json,
    firing: writeJson(told(firing)),
    follows,
  };
}

interface Block {
  readonly id: string;
  readonly name: string;
  readonly block_type_slug: string;
}

/** The block that a message goes through, as its events name it. */
export function blockResources({ id, name, block_type_slug }: Block): RelatedResource[] {
  return [{ kind: "block-document", id, role: "block", name }, blockTypeResource(block_type_slug)];
}

const blockTypeResource = (slug: string): RelatedResource => ({
  kind: "block-type",
  id: slug,
  role: "block-type",
});

function refusalOf(
  type: NewDelivery["action"]["type"],
  { slug, name }: { readonly slug: string; readonly name: string },
): string | null {
  if (type === "call-webhook")
    return slug === WEBHOOK_SLUG ? null : `A block of the type ${name} is no webhook`;
  return findFormat(slug) === null
    ? `Notifications cannot be sent through blocks of the type ${name}`
    : null;
}

/** The event itself may be large, and is told of by its id. */
function told(firing: FiringFacts): FiringFacts {
  const { automation, trigger, triggered, triggered_event_id, depth, root, event } = firing;
  return {
    automation: { id: automation.id, name: automation.name },
    trigger: { type: trigger.type, posture: trigger.posture },
    triggered,
    triggered_event_id,
    ...(depth !== undefined && { depth }),
    ...(root !== undefined && { root }),
    event: event === null ? null : { id: event.id, occurred: event.occurred },
  };
}
