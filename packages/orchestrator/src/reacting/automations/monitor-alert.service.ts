// "Tell me when a monitor goes down" in one request: the block to send through, and the automation
// that does.

import { createHash } from "node:crypto";
import type {
  Automation,
  BlockDocument,
  JsonObject,
  MonitorAlertCreate,
} from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import { createDocument, updateDocument } from "../../blocks/block-documents.service.ts";
import { findDocumentByName, lockDocument } from "../../blocks/documents/block-documents.store.ts";
import { findBlockTypeRow } from "../../blocks/types/block-types.store.ts";
import type { OrchestratorContext } from "../../context.ts";
import type { BlockTypeRow } from "../../db/tables/block-types.table.ts";
import { BlockFault } from "../deliveries/formats/format.rules.ts";
import { findFormat } from "../deliveries/formats/formats.rules.ts";
import { WEBHOOK_SLUG, webhookCall } from "../deliveries/formats/webhook.rules.ts";
import { joinedContext } from "./actions/joined-context.ts";
import { createAutomation, readAutomation, replaceAutomation } from "./automations.service.ts";
import { findRelated } from "./automations.store.ts";
import { alertAction, alertAutomation, alertOwner } from "./monitor-alert.rules.ts";
import { canonical } from "./triggers/names.rules.ts";

export interface AlertAnswer {
  readonly json: JsonText<Automation>;
  readonly isNew: boolean;
}

/**
 * Makes the block and the automation, or writes anew what the same request has made before: both,
 * or neither.
 */
export async function putMonitorAlert(
  ctx: OrchestratorContext,
  scope: Scope,
  body: MonitorAlertCreate,
): Promise<AlertAnswer> {
  const way = receiveWay(body);
  const put = (): Promise<AlertAnswer> =>
    ctx.db.writeSystem((system) =>
      writeAlert(joinedContext(ctx, system, []), scope, { body, way }),
    );
  try {
    return await put();
  } catch (error) {
    // The same was asked for at the same moment; by now it is there.
    if (isAppError(error, "conflict")) return put();
    throw error;
  }
}

type Way = { readonly blockId: string } | { readonly slug: string; readonly data: JsonObject };

function receiveWay({ monitor_id, tag, notify }: MonitorAlertCreate): Way {
  if (monitor_id != null && tag != null) throw refusal("tag", "not together with monitor_id");
  const { block_document_id, block_type, data } = notify;
  if ((block_document_id == null) === (block_type == null))
    throw refusal("notify", "either block_document_id or block_type is needed");
  if (block_document_id != null) {
    if (data != null) throw refusal("notify", "data belongs to a block_type");
    return { blockId: block_document_id };
  }
  return receiveData(block_type ?? "", data ?? {});
}

/** What makes no message is refused now, not when something is down. */
function receiveData(slug: string, data: JsonObject): Way {
  const format = findFormat(slug);
  if (slug !== WEBHOOK_SLUG && format === null)
    throw refusal("notify", `notifications cannot be sent through blocks of the type ${slug}`);
  try {
    const notice = { id: "", created: "2000-01-01T00:00:00.000000Z", subject: "", body: "" };
    if (format === null) webhookCall(data, "");
    else format.outgoing(data, notice);
  } catch (error) {
    if (error instanceof BlockFault) throw refusal("notify", error.message);
    throw error;
  }
  const isBare = slug === WEBHOOK_SLUG && data["headers"] === undefined;
  return {
    slug,
    data: isBare ? { ...data, headers: { "content-type": "application/json" } } : data,
  };
}

async function writeAlert(
  ctx: OrchestratorContext,
  scope: Scope,
  { body, way }: { readonly body: MonitorAlertCreate; readonly way: Way },
): Promise<AlertAnswer> {
  const key = body.key ?? ("blockId" in way ? way.blockId : way.slug);
  const owner = alertOwner(body, key);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    // Held, or made with a name that only one can have: the same request at the same time waits
    // here.
    const { blockId, isWebhook } =
      "blockId" in way
        ? await holdBlock(tx, way.blockId)
        : await putBlock(ctx, scope, { tx, way, owner });
    const automation = alertAutomation(body, alertAction(blockId, isWebhook));
    const known = (await findRelated(tx, canonical(owner))).find(({ is_owner }) => is_owner);
    if (known === undefined) {
      const json = await createAutomation(ctx, scope, { ...automation, owner_resource: owner });
      return { json, isNew: true };
    }
    const { automation_id: id } = known;
    await replaceAutomation(ctx, scope, { id, body: automation });
    return { json: await readAutomation(ctx, scope, id), isNew: false };
  });
}

interface Block {
  readonly blockId: string;
  readonly isWebhook: boolean;
}

async function holdBlock(tx: Transaction, id: string): Promise<Block> {
  const document = await lockDocument(tx, id);
  if (document === null) throw new AppError("not_found", `Block document ${id} not found`);
  const type = await findBlockTypeRow(tx, { id: document.block_type_id });
  return { blockId: id, isWebhook: type?.slug === WEBHOOK_SLUG };
}

interface NewBlock {
  readonly tx: Transaction;
  readonly way: { readonly slug: string; readonly data: JsonObject };
  readonly owner: string;
}

async function putBlock(
  ctx: OrchestratorContext,
  scope: Scope,
  { tx, way: { slug, data }, owner }: NewBlock,
): Promise<Block> {
  const type: BlockTypeRow | null = await findBlockTypeRow(tx, { slug });
  if (type === null) throw new AppError("not_found", `Block type ${slug} not found`);
  const name = `monitor-alert-${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`;
  const isWebhook = slug === WEBHOOK_SLUG;
  const known = await findDocumentByName(tx, { block_type_id: type.id, name });
  if (known === null) {
    const json = await createDocument(ctx, scope, { name, data, block_type_id: type.id });
    return { blockId: (JSON.parse(json) as BlockDocument).id, isWebhook };
  }
  const changes = { data, merge_existing_data: false };
  await updateDocument(ctx, scope, { id: known.id, changes });
  return { blockId: known.id, isWebhook };
}

function refusal(field: string, problem: string): InvalidRequestError {
  return new InvalidRequestError([
    { type: "value_error", loc: ["body", field], msg: `Value error, ${problem}` },
  ]);
}
