import type { UsedUp } from "@orchestrator/kernel/scope";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import { countActions } from "../actions/actions.store.ts";
import type { Firing } from "./evaluate.rules.ts";

/** That an action was begun, and how it ended. */
const EVENTS_OF_ACTION = 2;

/** The quota of events of one workspace, as far as a pass of the triggers has used it. */
export interface EventQuota {
  /** Null while there is room. */
  readonly usedUp: () => UsedUp | null;
  readonly take: (firing: Firing) => void;
}

/**
 * Reservation: firings count here with all events that will tell of them, as those of actions that
 * wait are only counted when they are carried out. Otherwise one pass could make any number of
 * firings out of little room.
 */
export async function openEventQuota(
  { quotas }: Pick<OrchestratorContext, "quotas">,
  tx: SystemTransaction,
  workspaceId: string,
): Promise<EventQuota> {
  const { left } = quotas.allowance(workspaceId, "events");
  if (left === Number.POSITIVE_INFINITY) return { usedUp: () => null, take: () => {} };
  const limit = Math.ceil(left / EVENTS_OF_ACTION);
  const waiting = await countActions(tx.inWorkspace(workspaceId), limit);
  let reserved = waiting * EVENTS_OF_ACTION;
  let found: UsedUp | null = null;
  return {
    usedUp: () => (found ??= quotas.allowance(workspaceId, "events", reserved).usedUp),
    take({ automation: { actions, actionsOnTrigger } }) {
      reserved += 1 + (actions.length + actionsOnTrigger.length) * EVENTS_OF_ACTION;
    },
  };
}
