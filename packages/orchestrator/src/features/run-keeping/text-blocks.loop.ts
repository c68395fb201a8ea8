import { createTextBlocks, EVENT_TEXTS } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { LOG_TEXTS } from "../logs/logs.filter.ts";

/** Keeps the blocks by which rare words in logs and events are found. */
export function createTextBlocksTick(
  ctx: Pick<OrchestratorContext, "db" | "clock">,
): (signal: AbortSignal) => Promise<void> {
  const keepers = [LOG_TEXTS, EVENT_TEXTS].map((source) => createTextBlocks(ctx, source));
  return async (signal) => {
    for (const keep of keepers) await keep(signal);
  };
}
