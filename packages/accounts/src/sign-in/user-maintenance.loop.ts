import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { AccountsContext } from "../context.ts";
import { deleteExpiredInvitations } from "../users/invitations/invitations.service.ts";
import { deleteOldAttempts } from "./oidc/oidc.service.ts";
import { deleteOverSessions } from "./sessions/sessions.service.ts";

const EVERY_MS = 600_000;

/**
 * Deletes what nobody can use any more: sessions, invitations, sign-ins that were never finished.
 */
export const userMaintenanceLoop = (ctx: AccountsContext): LoopDefinition => ({
  name: "user-care",
  everyMs: EVERY_MS,
  runs: "one",
  tick: async () => {
    await deleteOverSessions(ctx);
    await deleteExpiredInvitations(ctx);
    await deleteOldAttempts(ctx);
  },
});
