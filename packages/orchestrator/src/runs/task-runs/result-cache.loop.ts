// Results are remembered under their key as they come. Here those are forgotten that nobody will be
// given any more.

import { plusSeconds } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { replacing } from "./result-cache.rules.ts";
import {
  deleteOldCachedResults,
  FIRST_RESULT,
  findCachedResults,
  findOldestResult,
  removeExpiredResults,
  removeReplacedResults,
} from "./result-cache.store.ts";

const PAGE = 500;
const PAGES_PER_PASS = 40;
/** Results of one moment may be committed in another order than that of their ids. */
const SETTLING_SECONDS = 60;

/**
 * Forgets results that have expired, that were replaced by one that outlives them, and, where runs
 * are not kept for ever, that are older than runs are kept. What was remembered since the last pass
 * is looked at once; the first pass begins with the oldest.
 */
export function createResultCacheTick(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<number> {
  let after = FIRST_RESULT;
  return async (signal) => {
    const now = ctx.clock.now();
    let forgotten = await repeat(ctx, signal, (tx) => removeExpiredResults(tx, now));
    forgotten += await forgetOld(ctx, signal);
    const before = plusSeconds(now, -SETTLING_SECONDS);
    for (let page = 0; page < PAGES_PER_PASS && !signal.aborted; page += 1) {
      const results = await findCachedResults(ctx.db, { after, before, limit: PAGE });
      const last = results.at(-1);
      if (last === undefined) break;
      const ids = replacing(results);
      forgotten += await repeat(ctx, signal, (tx) => removeReplacedResults(tx, ids));
      if (!signal.aborted) after = last.id;
    }
    return forgotten;
  };
}

async function forgetOld(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const keepMs = ctx.settings.runRetention;
  if (keepMs === null) return 0;
  const before = plusSeconds(ctx.clock.now(), -keepMs / 1000);
  const oldest = await findOldestResult(ctx.db);
  if (oldest === null || oldest >= before) return 0;
  return repeat(ctx, signal, (tx) => deleteOldCachedResults(tx, before));
}

/** A transaction after another until one finds nothing to do. */
async function repeat(
  { db }: OrchestratorContext,
  signal: AbortSignal,
  remove: (tx: SystemTransaction) => Promise<number>,
): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const count = await db.writeSystem(remove);
    if (count === 0) break;
    removed += count;
  }
  return removed;
}
