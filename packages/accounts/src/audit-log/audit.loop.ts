import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { AccountsContext } from "../context.ts";
import { deleteExpiredEntries } from "./audit.service.ts";

const FLUSH_MS = 1000;
const RETENTION_MS = 600_000;

export function auditLoops(ctx: AccountsContext): readonly LoopDefinition[] {
  return [
    {
      name: "audit-notes",
      everyMs: FLUSH_MS,
      runs: "each",
      tick: () => ctx.audit.flush(),
    },
    {
      name: "audit-retention",
      everyMs: RETENTION_MS,
      runs: "one",
      tick: async (signal) => {
        const deleted = await deleteExpiredEntries(ctx, signal);
        if (deleted > 0) ctx.log.info({ deleted }, "Expired audit entries deleted");
      },
    },
  ];
}
