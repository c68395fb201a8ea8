import { deleteExpiredEvents, type LoopDefinition } from "@orchestrator/kernel";
import type { OrchestratorContext } from "./context.ts";

const MINUTE_MS = 60_000;

/** Every background service, with its period and what it may change. */
export function orchestratorLoops(ctx: OrchestratorContext): LoopDefinition[] {
  return [
    {
      name: "event-retention",
      everyMs: 10 * MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const keepMs = ctx.settings.eventRetention;
        const deleted = await deleteExpiredEvents(ctx.db, ctx.clock, { keepMs, signal });
        if (deleted > 0) ctx.log.info({ deleted }, "Expired events deleted");
      },
    },
  ];
}
