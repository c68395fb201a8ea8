// How an attempt ends: the message is delivered, given up, or waits for another one; with the event
// that tells of it.

import type { DeliveryPart } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { actionExecuted, actionFailed, type FiringFacts } from "../firings/action-events.rules.ts";
import { type Attempted, type OwnDelivery, refusalIn } from "./attempt.service.ts";
import { nextAttemptMicros } from "./back-off.rules.ts";
import { endAttempt, postponeOthers } from "./deliveries.store.ts";
import { blockResources } from "./enqueue.service.ts";
import { type DeliveryVerdict, DROPPED } from "./verdict.rules.ts";

/** Those beyond it are tried, and each of them that fails postpones as many. */
const POSTPONED_AT_ONCE = 1000;

type Later = Extract<DeliveryVerdict, { outcome: "later" }>;
type Delivered = Extract<DeliveryVerdict, { outcome: "delivered" }>;

/** Tells whether the message is settled; false also when somebody else has it by now. */
export async function endDelivery(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  attempted: Attempted,
): Promise<boolean> {
  const { parts, verdict } = attempted;
  if (verdict.outcome === "later") {
    const next = nextTime(ctx, row, verdict);
    if (next !== null) return wait(ctx, row, { attempted, verdict, next });
  } else if (attempted.isInterrupted) {
    return wait(ctx, row, { attempted, verdict: INTERRUPTED, next: ctx.clock.now() });
  }
  const isDelivered = verdict.outcome === "delivered" && !parts.includes("failed");
  return ctx.db.write(row.workspace_id, (tx) => settle(ctx, tx, { row, attempted, isDelivered }));
}

const INTERRUPTED: Later = {
  outcome: "later",
  reason: "It was interrupted because the server stops",
  statusCode: null,
  details: {},
  retryAfterMicros: null,
  isDown: false,
};

function nextTime(ctx: OrchestratorContext, row: OwnDelivery, later: Later): string | null {
  const next = nextAttemptMicros({
    nowMicros: ctx.clock.nowMicros(),
    attempts: row.attempts,
    giveUpMicros: parseMicros(row.give_up),
    retryAfterMicros: later.retryAfterMicros,
    // The claim is random already.
    random: Number.parseInt(row.claim.slice(0, 8), 16) / 2 ** 32,
  });
  return next === null ? null : formatMicros(next);
}

async function wait(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  {
    attempted,
    verdict,
    next,
  }: { readonly attempted: Attempted; readonly verdict: Later; readonly next: string },
): Promise<boolean> {
  const now = ctx.clock.now();
  const { workspace_id, block_document_id, id, block_type_slug, attempts } = row;
  const { parts, destination, content } = attempted;
  const isSettled = await ctx.db.write(workspace_id, async (tx) => {
    const isWaiting = await endAttempt(tx, {
      ...keyOf(row),
      updated: now,
      status: "PENDING",
      parts: JSON.stringify(parts),
      destination,
      status_code: verdict.statusCode,
      last_error: verdict.reason,
      next_attempt: next,
      settled: null,
      content,
    });
    if (!isWaiting) {
      const dropped = { ...attempted, verdict: { ...DROPPED, statusCode: verdict.statusCode } };
      return settle(ctx, tx, { row, attempted: dropped, isDelivered: false });
    }
    if (verdict.isDown)
      await postponeOthers(tx, { block_document_id, now, until: next, limit: POSTPONED_AT_ONCE });
    return false;
  });
  if (isSettled) return true;
  ctx.log.warn(
    { delivery: id, block_type: block_type_slug, attempts, reason: verdict.reason },
    "A message was not taken and is sent again later",
  );
  return false;
}

async function settle(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    row,
    attempted: { parts, destination, verdict, content },
    isDelivered,
  }: { readonly row: OwnDelivery; readonly attempted: Attempted; readonly isDelivered: boolean },
): Promise<boolean> {
  const now = ctx.clock.now();
  const reason = isDelivered ? null : whyNot(row, parts, refused(verdict, content));
  const final = parts.map((part) => (part === "pending" ? "failed" : part));
  const isOwn = await endAttempt(tx, {
    ...keyOf(row),
    updated: now,
    status: isDelivered ? "DELIVERED" : "FAILED",
    parts: JSON.stringify(final),
    destination,
    status_code: verdict.statusCode,
    last_error: reason,
    next_attempt: null,
    settled: now,
    content: null,
  });
  if (!isOwn) return false;
  const told = tell(row, now);
  const details = { ...verdict.details, attempts: row.attempts };
  const { follows } = row;
  await emitResourceEvent(
    ctx,
    tx,
    reason === null
      ? actionExecuted(told, { follows, details })
      : actionFailed(told, { follows, reason, details }),
  );
  return true;
}

/** All that was left to send was taken, but somebody has refused it before. */
function refused(
  verdict: DeliveryVerdict,
  content: string | null,
): Exclude<DeliveryVerdict, Delivered> {
  if (verdict.outcome !== "delivered") return verdict;
  const reason = refusalIn(content) ?? "It was refused for some recipients";
  return { ...verdict, outcome: "failed", reason };
}

function whyNot(
  row: OwnDelivery,
  parts: readonly DeliveryPart[],
  verdict: Exclude<DeliveryVerdict, Delivered>,
): string {
  const { reason } = verdict;
  const served = parts.filter((part) => part === "delivered").length;
  const others = served === 0 ? "" : ` (${served} of ${parts.length} recipients have it)`;
  const given = verdict.outcome === "later" ? `Given up after ${row.attempts} attempts: ` : "";
  return `${given}${reason}${others}`;
}

function tell(row: OwnDelivery, now: string) {
  const { id, action_type: type, action_index: index, block_document_id, firing } = row;
  const related = blockResources({
    id: block_document_id,
    name: row.block_document_name,
    block_type_slug: row.block_type_slug,
  });
  return { type, index, invocation: id, firing: readJson(firing) as FiringFacts, related, now };
}

const keyOf = ({ id, claim }: OwnDelivery) => ({ id, claim });
