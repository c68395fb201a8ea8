import { formatMicros, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";
import { putCausedIds, removeOldCausedIds } from "./chain.store.ts";

const MINUTE = 60 * 1_000_000;
/** Triggers have long seen what is older than this. */
const KEPT_MICROS = 24 * 60 * MINUTE;
const PRUNED_EVERY = 10 * MINUTE;
const AT_ONCE = 1000;

/** Writes down what an action has brought about, in its own transaction. */
export async function noteCaused(
  ctx: Pick<OrchestratorContext, "clock">,
  tx: Transaction,
  { ids, depth }: { readonly ids: readonly string[]; readonly depth: number },
): Promise<void> {
  await putCausedIds(tx, { ids, depth, written: ctx.clock.now() });
}

/** Every ten minutes; in between it does nothing. */
export function createChainPruning(
  ctx: Pick<OrchestratorContext, "clock" | "db">,
): () => Promise<void> {
  let next = ctx.clock.nowMicros() + PRUNED_EVERY;
  return async () => {
    const now = ctx.clock.nowMicros();
    if (now < next) return;
    const before = formatMicros(now - KEPT_MICROS);
    const removed = await ctx.db.writeSystem((tx) =>
      removeOldCausedIds(tx, { before, limit: AT_ONCE }),
    );
    if (removed < AT_ONCE) next = now + PRUNED_EVERY;
  };
}
