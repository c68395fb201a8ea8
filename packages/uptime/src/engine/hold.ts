import type { UptimeContext } from "../context.ts";
import { renewSession } from "./shares.store.ts";

/** A process that has died is replaced after at most this long. */
export const HOLD_SECONDS = 10;

/** Nudged when monitors become free, or a check is asked for or done. */
export const ENGINE_TOPIC = "uptime-engine";

/** A process that has the database alone holds what it holds. */
export const isAlone = ({ db }: Pick<UptimeContext, "db">): boolean => !db.dialect.locksRows;

/**
 * Makes the hold on monitors last. Time is counted from before the question was asked, so this process knows that its hold
 * is gone before anyone else can take what it held; it then goes on under another name, and has nothing.
 */
export async function renewHold(ctx: UptimeContext, holdSeconds = HOLD_SECONDS): Promise<void> {
  const { runs } = ctx;
  if (isAlone(ctx)) return;
  if (runs.hasLapsed) {
    ctx.log.warn("The hold on monitors was lost; taking some anew");
    runs.startOver(ctx.ids.uuid4());
  }
  const { holder } = runs;
  if (runs.holdsForMs > (holdSeconds * 1000 * 2) / 3) return;
  const askedAt = performance.now();
  await ctx.db.writeSystem((tx) => renewSession(tx, { holder, ttl_seconds: holdSeconds }));
  if (runs.holder === holder) runs.held(askedAt, holdSeconds);
}
