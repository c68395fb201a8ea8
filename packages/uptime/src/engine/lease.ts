import type { EngineContext } from "./engine-context.ts";
import { endSessions, listOtherSessions, renewSession } from "./shares.store.ts";

/** A process that has died is replaced after at most this long. */
export const LEASE_SECONDS = 10;

/** Nudged when monitors become free, or a check is asked for or done. */
export const ENGINE_TOPIC = "uptime-engine";

/** A process that has the database alone holds what it holds. */
export const isOnlyEngine = ({ db }: Pick<EngineContext, "db">): boolean => !db.dialect.locksRows;

/**
 * Makes the hold on monitors last. Time is counted from before the question was asked, so this
 * process knows that its hold is gone before anyone else can take what it held; it then goes on
 * under another name, and has nothing.
 */
export async function renewEngineLease(
  ctx: EngineContext,
  holdSeconds = LEASE_SECONDS,
): Promise<void> {
  const { runs } = ctx;
  if (isOnlyEngine(ctx)) return;
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

/**
 * Ends the sessions of processes that are gone, where this one is the only one that works with the
 * database: what they held is free at once. Whoever comes after the sessions were listed is not
 * among them. Should one of them live, because only its connection was lost, then its results are
 * refused as those of any lost hold, and it takes its share again.
 */
export async function endDeadSessions(ctx: EngineContext, holder: string): Promise<boolean> {
  const { db, log } = ctx;
  const others = await listOtherSessions(db, holder);
  if (others.length === 0 || !(await db.wakeUps.confirmAlone())) return false;
  await db.writeSystem((tx) => endSessions(tx, others));
  log.info({ sessions: others.length }, "Took over the monitors of processes that are gone");
  return true;
}
