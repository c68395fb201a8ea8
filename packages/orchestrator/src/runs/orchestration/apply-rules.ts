// Runs the rules of a policy over one proposal, in order, and winds up afterwards in the opposite
// order.

import type { OrchestrationResult, OrchestrationStatus } from "@orchestrator/contract";
import type { OrchestrationRule, RuleVerdict, Transition } from "./rule.ts";
import { type RunState, withDetails } from "./run-state.ts";

/** What the rules made of a proposal. */
export interface RulesOutcome {
  readonly status: OrchestrationStatus;
  readonly reason: string | null;
  readonly delaySeconds: number;
  /** The state to write, or null when the run stays as it is. */
  readonly state: RunState | null;
  /** What the proposer was answered before, where it asks again. */
  readonly answer: RunState | null;
  /**
   * To be called before anything is written, as rules may still change the run's policy; inside the
   * same transaction.
   */
  readonly windUp: () => Promise<void>;
}

/**
 * A rule is asked only while the proposal is still of the type that was proposed: once a rule puts
 * another type in its place or refuses it, the later ones have nothing to say.
 */
export async function applyRules<Run, T extends Transition<Run>>(
  rules: readonly OrchestrationRule<Run, T>[],
  transition: T,
): Promise<RulesOutcome> {
  const from = transition.initial?.type ?? null;
  const to = transition.proposed.type;
  /** What each rule saw that let the proposal pass. */
  const asked = new Map<OrchestrationRule<Run, T>, T>();
  let current = transition;
  let verdict: Exclude<RuleVerdict, { status: "CHANGE" }> | undefined;
  for (const rule of rules) {
    if (!rule.from.has(from) || !rule.to.has(to)) continue;
    const answer = rule.before?.(current);
    // Most rules know at once, and a run goes through many.
    const said = answer instanceof Promise ? await answer : answer;
    if (said === undefined || said.status === "CHANGE") {
      if (said !== undefined) current = { ...current, proposed: said.state };
      asked.set(rule, current);
      continue;
    }
    verdict = said;
    break;
  }
  const state = stateToWrite(current.proposed, verdict);
  const windUp = async (): Promise<void> => {
    for (const rule of rules.toReversed()) {
      const seen = asked.get(rule);
      if (seen !== undefined) {
        const isAsProposed = state !== null && state.type === to;
        if (isAsProposed && rule.after) await rule.after(seen, state);
        if (!isAsProposed && rule.cleanup) await rule.cleanup(seen);
      }
      if (rule.written && state !== null && rule.from.has(from) && rule.to.has(state.type)) {
        await rule.written(current, state);
      }
    }
  };
  return {
    status: verdict?.status === "ANSWERED" ? verdict.as : (verdict?.status ?? "ACCEPT"),
    reason: verdict?.reason ?? null,
    delaySeconds: verdict?.status === "WAIT" ? verdict.delaySeconds : 0,
    state,
    answer: verdict?.status === "ANSWERED" ? verdict.state : null,
    windUp,
  };
}

function stateToWrite(
  proposed: RunState,
  verdict: Exclude<RuleVerdict, { status: "CHANGE" }> | undefined,
): RunState | null {
  if (verdict === undefined) return proposed;
  if (verdict.status !== "REJECT" || verdict.state === null) return null;
  // So that a request that is sent again finds out what it led to.
  const { transition_id } = proposed.state_details;
  return transition_id === null ? verdict.state : withDetails(verdict.state, { transition_id });
}

const DETAILS = {
  ACCEPT: "accept_details",
  REJECT: "reject_details",
  ABORT: "abort_details",
  WAIT: "wait_details",
} as const;

/** The answer to whoever proposed: `state` is what the run is in now. */
export function orchestrationResult(
  { status, reason, delaySeconds }: Pick<RulesOutcome, "status" | "reason" | "delaySeconds">,
  state: RunState | null,
): OrchestrationResult {
  const type = DETAILS[status];
  const details = {
    type,
    ...(status !== "ACCEPT" && { reason }),
    ...(status === "WAIT" && { delay_seconds: delaySeconds }),
  };
  return { state, status, details };
}

/** 201 when the answer holds a state that this request has made. */
export function answerStatus({ state }: OrchestrationResult, began: string): 200 | 201 {
  return state !== null && state.timestamp >= began ? 201 : 200;
}

/** The answer to a proposal that was meant for another state than the run is in by now. */
export function overtaken(state: RunState | null): OrchestrationResult {
  const reason = "The run is in another state by now";
  return orchestrationResult({ status: "ABORT", reason, delaySeconds: 0 }, state);
}
