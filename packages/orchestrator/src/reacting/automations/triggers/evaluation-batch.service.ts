// How much of the log one transaction evaluates.

import type { LoggedEvent } from "@orchestrator/kernel/events";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import type { ExhaustedRoots } from "./chain-budgets.rules.ts";
import type { LiveCatalogue } from "./live-catalogue.service.ts";
import { canonical } from "./names.rules.ts";
import { isEcho, readTriggerEvent } from "./trigger-event.rules.ts";

/**
 * An event may make as many automations fire as there are; what one transaction does keeps
 * everybody else waiting.
 */
const MATCHES_AT_ONCE = 200;

/** What is known from one pass to the next. */
export interface EvaluationCaches {
  readonly live: LiveCatalogue;
  readonly exhausted: ExhaustedRoots;
}

/** Something else that each event of the log is to do once, in the transaction of the triggers. */
export interface EventHandler {
  /** How many of the events, from the first on, one transaction is to handle. */
  readonly takes: (events: readonly LoggedEvent[]) => number;
  readonly handle: (
    ctx: OrchestratorContext,
    tx: SystemTransaction,
    events: readonly LoggedEvent[],
  ) => Promise<void>;
}

/** How many of the events, from the first on, may be evaluated in one transaction. */
export function eventsAtOnce(
  {
    live,
    exhausted,
  }: Pick<EvaluationCaches, "exhausted"> & {
    readonly live: Pick<LiveCatalogue, "latest">;
  },
  events: readonly LoggedEvent[],
): number {
  let matches = 0;
  const tooMany = events.findIndex((event) => {
    if (isOfExhausted(exhausted, event)) return false;
    matches += live.latest().candidates(event.workspace_id, event.event).length;
    return matches > MATCHES_AT_ONCE;
  });
  return tooMany === -1 ? events.length : Math.max(1, tooMany);
}

/** Whether an event tells of a chain whose budget is exhausted. */
export function isOfExhausted(exhausted: ExhaustedRoots, event: LoggedEvent): boolean {
  if (exhausted.size === 0 || !isEcho(canonical(event.event))) return false;
  const { workspaceId, chain } = readTriggerEvent(event);
  return chain !== null && exhausted.has(workspaceId, chain);
}
