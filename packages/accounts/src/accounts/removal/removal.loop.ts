import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { AccountsContext } from "../../context.ts";
import { deleteRemovedWorkspaceRows } from "./removal.service.ts";
import { REMOVALS_TOPIC } from "./removal.store.ts";

const EVERY_MS = 10_000;

export function removalLoop(ctx: AccountsContext): LoopDefinition {
  return {
    name: "workspace-removal",
    everyMs: EVERY_MS,
    wakeOn: [REMOVALS_TOPIC],
    runs: "one",
    tick: async (signal) => {
      const removed = await deleteRemovedWorkspaceRows(ctx, signal);
      if (removed > 0) ctx.log.info({ removed }, "Rows of deleted workspaces deleted");
    },
  };
}
