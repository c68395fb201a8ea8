import type { Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { MORE } from "../../db/in-pieces.ts";
import { releaseHolder } from "../concurrency-limits/slots.store.ts";
import { announceEnd } from "../work-pools/work-topics.rules.ts";
import {
  countBelow,
  findHoldingRuns,
  ROWS_AT_ONCE,
  removeRunRows,
  removeSomeBelow,
} from "./run-removal.store.ts";

/**
 * Deletes runs, all that belongs to them, and frees the slots they hold; tells how many there were. Where more belongs to
 * them than goes in one transaction, it deletes a piece of that, and the runs stay.
 */
export async function removeRuns(
  ctx: OrchestratorContext,
  tx: Transaction,
  ids: readonly string[],
): Promise<number | typeof MORE> {
  if (ids.length === 0) return 0;
  if ((await countBelow(tx, ids)) > ROWS_AT_ONCE) {
    await removeSomeBelow(tx, ids);
    return MORE;
  }
  const removed = await removeRunRows(tx, ids);
  if (removed.length === 0) return 0;
  for (const run of removed) announceEnd(tx, run);
  const holders = await findHoldingRuns(tx, ids);
  const now = ctx.clock.now();
  for (const id of holders) await releaseHolder(ctx, tx, { type: "flow_run", id, now });
  return removed.length;
}
