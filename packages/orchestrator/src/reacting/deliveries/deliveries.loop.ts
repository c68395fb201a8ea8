// Sends what is due. A slow receiver keeps its own message waiting and no other: while some are
// under way, more are taken as soon as there are any.

import { setMaxListeners } from "node:events";
import type { DeliveryPart } from "@orchestrator/contract";
import { formatMicros, sleep } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { attemptDelivery, ClaimLost, type OwnDelivery } from "./attempt.service.ts";
import { MAX_ATTEMPTS } from "./back-off.rules.ts";
import { claimDeliveries, hasDueDeliveries, removeSettledDeliveries } from "./deliveries.store.ts";
import { DELIVERIES_TOPIC } from "./enqueue.service.ts";
import { persistently } from "./persistently.ts";
import { endDelivery } from "./settle.service.ts";
import { type DeliveryVerdict, DROPPED } from "./verdict.rules.ts";

const AT_ONCE = 20;
/** Each of those under way listens whether the server stops. */
const MOST_LISTENERS = AT_ONCE + 10;
/** A nudge that is lost costs no more than this. */
const LOOK_MS = 1000;
/** After this a pass ends as soon as nothing is under way, even if there is more to do. */
const PASS_MICROS = 120_000_000;

/** Sends what is due, and tells how many messages are settled by it. */
export async function deliverDue(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const until = ctx.clock.nowMicros() + PASS_MICROS;
  const underWay = new Set<Promise<void>>();
  let settled = 0;
  const start = (row: OwnDelivery): void => {
    const work = deliver(ctx, row, signal).then((isSettled) => {
      underWay.delete(work);
      if (isSettled) settled += 1;
    });
    underWay.add(work);
  };
  setMaxListeners(MOST_LISTENERS, signal);
  try {
    for (;;) {
      const isOpen = !signal.aborted;
      if (underWay.size === 0 && ctx.clock.nowMicros() >= until) return settled;
      if (isOpen) for (const row of await take(ctx, AT_ONCE - underWay.size)) start(row);
      if (underWay.size === 0) return settled;
      await oneOf(ctx, underWay, isOpen && underWay.size < AT_ONCE);
    }
  } finally {
    // Whoever ends the pass, and be it an error, is told when nothing is under way any more.
    await Promise.all(underWay);
  }
}

async function take(ctx: OrchestratorContext, limit: number): Promise<OwnDelivery[]> {
  const now = ctx.clock.now();
  if (limit === 0 || !(await hasDueDeliveries(ctx.db, now))) return [];
  const claim = ctx.ids.uuid4();
  const rows = await ctx.db.writeSystem((tx) => claimDeliveries(tx, { now, claim, limit }));
  return rows.map((row) => ({ ...row, claim }));
}

/** Waits until one is done, or there may be more to do. */
async function oneOf(
  ctx: OrchestratorContext,
  underWay: ReadonlySet<Promise<void>>,
  hasRoom: boolean,
): Promise<void> {
  if (!hasRoom) return Promise.race(underWay);
  const woken = new AbortController();
  const stopListening = ctx.db.wakeUps.on(DELIVERIES_TOPIC, () => woken.abort());
  try {
    await Promise.race([...underWay, sleep(LOOK_MS, woken.signal)]);
  } finally {
    stopListening();
    woken.abort();
  }
}

/** Tells whether the message is settled, one way or the other. Never rejects. */
async function deliver(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const attempted = await attemptUnlessHopeless(ctx, row, signal);
    return await persistently(() => endDelivery(ctx, row, attempted), signal);
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    // Perhaps the database is away; it is tried again when the claim has ended.
    ctx.log.error({ err: error, delivery: row.id }, "A message cannot be delivered");
    return false;
  }
}

const CUT_SHORT: DeliveryVerdict = {
  outcome: "failed",
  reason: "Every attempt was cut short",
  statusCode: null,
  details: {},
};

/**
 * What has brought down every server that took it is not taken for ever, and what was dropped is
 * not sent.
 */
async function attemptUnlessHopeless(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  signal: AbortSignal,
): ReturnType<typeof attemptDelivery> {
  const { content, destination } = row;
  if (content !== null && row.attempts <= MAX_ATTEMPTS) return attemptDelivery(ctx, row, signal);
  const verdict = content === null ? DROPPED : CUT_SHORT;
  const parts = JSON.parse(row.parts) as readonly DeliveryPart[];
  return { parts, content, destination, isInterrupted: false, verdict };
}

const DELETED_AT_ONCE = 500;

/** Deletes messages that were settled longer ago than events are kept, and tells how many. */
export async function deleteSettled(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  const before = formatMicros(ctx.clock.nowMicros() - ctx.settings.eventRetention * 1000);
  for (let deleted = 0; ; ) {
    const page = { before, limit: DELETED_AT_ONCE };
    const some = await ctx.db.writeSystem((tx) => removeSettledDeliveries(tx, page));
    deleted += some;
    if (some < DELETED_AT_ONCE || signal.aborted) return deleted;
  }
}
