import type { LogCreate } from "@orchestrator/contract";
import { recordUnindexedRows } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { withoutMiddle } from "../../texts/without-middle.ts";
import { LOG_TEXTS } from "./logs.filter.ts";
import { insertLogs } from "./logs.store.ts";

/** Whoever follows the logs listens for this topic. */
export const LOGS_TOPIC = "logs";

/** One long line must not keep the others of its batch out: it is cut, not refused. */
const MAX_MESSAGE = 1_000_000;

/**
 * Stores all lines or none; those that were sent before are stored already. The runs they belong to
 * need not be known yet.
 */
export async function writeLogs(
  ctx: OrchestratorContext,
  scope: Scope,
  batch: readonly LogCreate[],
): Promise<void> {
  if (batch.length === 0) return;
  const created = ctx.clock.now();
  let mayBeKnown = false;
  // Ids count up, so lines of one moment stay in the order they came in.
  const lines = batch.map((line) => {
    const { name, level, timestamp, flow_run_id = null, task_run_id = null } = line;
    const message = withoutMiddle(line.message, MAX_MESSAGE);
    const id = line.id ?? ctx.ids.uuid7();
    mayBeKnown ||= line.id !== undefined;
    return { id, name, level, message, timestamp, flow_run_id, task_run_id };
  });
  const times = lines.map(({ timestamp }) => timestamp);
  await ctx.db.write(scope.workspaceId, async (tx) => {
    insertLogs(tx, { created, lines, mayBeKnown });
    recordUnindexedRows(tx, LOG_TEXTS.name, { now: created, times });
    tx.notify(LOGS_TOPIC);
  });
}
