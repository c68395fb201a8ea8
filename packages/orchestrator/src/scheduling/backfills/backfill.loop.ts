import { formatMicros } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { advanceBackfill } from "./advance-backfill.service.ts";
import { claimDueBackfills, hasDueBackfills } from "./backfills.store.ts";

/** Few, so that all of them are done long before the claim ends. */
const AT_ONCE = 10;
/** When a replica dies with backfills in its hands, others take them after this. */
const CLAIM_MICROS = 15_000_000;
/**
 * Longer than a claim, and than it is waited for room in a quota; clocks of replicas may differ.
 */
const LONGEST_WAIT_MICROS = 120_000_000;

/** Looks once at each backfill that is due, and tells how many runs that created. */
export async function advanceBackfills(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  const now = ctx.clock.now();
  // From the present time on, however long the pass takes: what it has put off itself is not due
  // again.
  const moment = () => ({ now, latest: formatMicros(ctx.clock.nowMicros() + LONGEST_WAIT_MICROS) });
  let created = 0;
  while (!signal.aborted && (await hasDueBackfills(ctx.db, moment()))) {
    const claim = formatMicros(ctx.clock.nowMicros() + CLAIM_MICROS);
    const due = await ctx.db.writeSystem((tx) =>
      claimDueBackfills(tx, { claim, limit: AT_ONCE, ...moment() }),
    );
    // Others are at work on what is left.
    if (due.length === 0) break;
    for (const backfill of due) {
      try {
        created += await advanceBackfill(ctx, { ...backfill, claim }, signal);
      } catch (error) {
        // One that cannot go on must not stop the others; it is tried again when its claim has
        // ended.
        ctx.log.error({ err: error, backfill: backfill.id }, "A backfill cannot go on");
      }
    }
  }
  return created;
}
