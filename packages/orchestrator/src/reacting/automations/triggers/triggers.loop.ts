import { createLogReader, readUnreadSince } from "@orchestrator/kernel/events";
import { sleep } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../../context.ts";
import { createChainPruning } from "./chain.service.ts";
import { ExhaustedRoots } from "./chain-budgets.rules.ts";
import { evaluateEvents, evaluateTime } from "./evaluate.service.ts";
import { type EventHandler, eventsAtOnce } from "./evaluation-batch.service.ts";
import { createLiveCatalogue } from "./live-catalogue.service.ts";
import { TRIGGERS } from "./triggers.rules.ts";

const BATCH = 200;
/** Every change in the database may bring an event; those of this long are read together. */
const PAUSE_MS = 50;

/**
 * Reads the event log for what triggers wait for, then looks at the windows that have ended. In
 * this order, so that no absence is told of an event that has come.
 */
export function createTriggerPass(
  ctx: OrchestratorContext,
  first?: EventHandler,
): (signal: AbortSignal) => Promise<void> {
  const live = createLiveCatalogue(ctx.dialect);
  const caches = { live, exhausted: new ExhaustedRoots() };
  const pruning = createChainPruning(ctx);
  const reader = createLogReader(ctx.db, ctx.clock, {
    name: TRIGGERS,
    batchSize: BATCH,
    takes: (events) =>
      Math.min(eventsAtOnce(caches, events), first?.takes(events) ?? events.length),
    async handle(tx, events) {
      await first?.handle(ctx, tx, events);
      await evaluateEvents(ctx, tx, { ...caches, events });
      // A backlog may take hours, in which chains go on growing.
      await pruning.prune(tx);
    },
  });
  return async (signal) => {
    // While nobody hears, events of this program may still come, but an absence says nothing.
    const isHearing = await ctx.hearing.listen();
    const now = ctx.clock.now();
    await live.refresh(ctx.db.system);
    await reader.drain(signal);
    live.keep();
    // What is committed may still wait to be read behind what is not; time goes on only up to
    // there.
    const unread = await readUnreadSince(ctx.db, TRIGGERS);
    const upTo = unread !== null && unread < now ? unread : now;
    while (isHearing && !signal.aborted && (await evaluateTime(ctx, { ...caches, now: upTo })));
    if (pruning.isDue()) await ctx.db.writeSystem(pruning.prune);
  };
}

/** A pass and a pause, so that nudges without end do not make it read event by event. */
export function createTriggerTick(
  ctx: OrchestratorContext,
  first?: EventHandler,
): (signal: AbortSignal) => Promise<void> {
  const pass = createTriggerPass(ctx, first);
  return async (signal) => {
    await pass(signal);
    await sleep(PAUSE_MS, signal);
  };
}
