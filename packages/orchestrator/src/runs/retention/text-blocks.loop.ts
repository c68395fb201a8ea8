import { EVENT_TEXTS } from "@orchestrator/kernel/events";
import { BLOCKS_PER_PASS, createTextBlocks } from "@orchestrator/kernel/lists";
import type { OrchestratorContext } from "../../context.ts";
import { LOG_TEXTS } from "../../telemetry/logs/logs.filter.ts";

/** Events of a busy server come quicker than one pass takes them in. */
const PASSES_WHEN_BEHIND = 8;

/** Keeps the blocks by which rare words in logs and events are found. */
export function createTextBlocksTick(
  ctx: Pick<OrchestratorContext, "db" | "clock">,
): (signal: AbortSignal) => Promise<void> {
  const keepers = [LOG_TEXTS, EVENT_TEXTS].map((source) => createTextBlocks(ctx, source));
  return async (signal) => {
    for (const keep of keepers)
      for (let pass = 0; pass < PASSES_WHEN_BEHIND && !signal.aborted; pass += 1)
        if ((await keep(signal)) < BLOCKS_PER_PASS) break;
  };
}
