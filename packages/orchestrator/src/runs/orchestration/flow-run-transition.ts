import type { FlowRunPolicy } from "@orchestrator/contract";
import type { LockedFlowRun } from "./flow-run-states.store.ts";
import type { MindfulSchedule } from "./overlap.store.ts";
import type { OrchestrationRule, Transition } from "./rule.ts";

/**
 * The run's policy while its transition is decided. Rules change it; what is left in the end is
 * stored.
 */
export interface PolicyDraft {
  readonly current: () => FlowRunPolicy;
  readonly change: (changes: Partial<FlowRunPolicy>) => void;
}

export interface FlowRunTransition extends Transition<LockedFlowRun> {
  readonly policy: PolicyDraft;
  /** Held, where the run is claimed that it made and it minds that its runs overlap. */
  readonly schedule: MindfulSchedule | null;
  /** The version of the client that proposes, as far as it said so: `[3, 4, 11]`. */
  readonly clientVersion: readonly number[] | null;
}

export type FlowRunRule = OrchestrationRule<LockedFlowRun, FlowRunTransition>;

export function draftPolicy(
  stored: FlowRunPolicy,
): PolicyDraft & { readonly isChanged: () => boolean } {
  let current = stored;
  return {
    current: () => current,
    change: (changes) => {
      current = { ...current, ...changes };
    },
    isChanged: () => current !== stored,
  };
}
