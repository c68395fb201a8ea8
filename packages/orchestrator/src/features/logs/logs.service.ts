import type { LogCreate } from "@orchestrator/contract";
import type { Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { insertLogs } from "./logs.store.ts";

/** Whoever follows the logs listens for this topic. */
export const LOGS_TOPIC = "logs";

/** Stores all lines or none. The runs they belong to need not be known yet. */
export async function writeLogs(
  ctx: OrchestratorContext,
  scope: Scope,
  batch: readonly LogCreate[],
): Promise<void> {
  if (batch.length === 0) return;
  const created = ctx.clock.now();
  // Ids count up, so lines of one moment stay in the order they came in.
  const lines = JSON.stringify(
    batch.map(({ name, level, message, timestamp, flow_run_id, task_run_id }) => {
      const id = ctx.ids.uuid7();
      return { id, name, level, message, timestamp, flow_run_id, task_run_id };
    }),
  );
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await insertLogs(tx, { created, lines });
    tx.nudge(LOGS_TOPIC);
  });
}
