// What a rule of a state machine is. A rule looks at a proposed transition and may refuse it, put
// another state in its place, or let it pass; policies are ordered lists of rules.

import { STATE_TYPES, type StateType, TERMINAL_STATE_TYPES } from "@orchestrator/contract";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { RunState } from "./run-state.ts";

/** A run that has no state yet comes from `null`. */
export type From = StateType | null;

/** What a rule has to say when it does not let the proposal pass as it is. */
export type RuleVerdict =
  /** Another state is committed in its place; with `null` the run stays as it is. */
  | { readonly status: "REJECT"; readonly state: RunState | null; readonly reason: string }
  /** Nothing is written, and the proposer should stop. */
  | { readonly status: "ABORT"; readonly reason: string }
  /** Nothing is written, and the proposer should ask again later. */
  | { readonly status: "WAIT"; readonly delaySeconds: number; readonly reason: string }
  /** It was answered before: nothing is written, and the proposer gets the answer it got then. */
  | {
      readonly status: "ANSWERED";
      readonly as: "ACCEPT" | "REJECT";
      readonly reason: string | null;
      readonly state: RunState;
    }
  /** The proposal goes on with other details or another name. Its type stays. */
  | { readonly status: "CHANGE"; readonly state: RunState };

/** What every rule may look at. `Run` is the locked row of the run. */
export interface Transition<Run> {
  readonly ctx: OrchestratorContext;
  readonly tx: Transaction;
  /** When the proposal arrived. */
  readonly now: string;
  readonly run: Run;
  readonly initial: RunState | null;
  /** The state as it stands after the rules so far. */
  readonly proposed: RunState;
}

export interface OrchestrationRule<Run, T extends Transition<Run> = Transition<Run>> {
  readonly name: string;
  readonly from: ReadonlySet<From>;
  readonly to: ReadonlySet<StateType>;
  readonly before?: (transition: T) => RuleVerdict | undefined | Promise<RuleVerdict | undefined>;
  /** Once a state of the proposed type is written. */
  readonly after?: (transition: T, committed: RunState) => void | Promise<void>;
  /**
   * Takes back what `before` did when a later rule refused the proposal or put a state of another
   * type in its place.
   */
  readonly cleanup?: (transition: T) => void | Promise<void>;
  /**
   * Once any state is written: `to` is then about what was written, be it proposed or put in its
   * place.
   */
  readonly written?: (transition: T, committed: RunState) => void | Promise<void>;
}

/** A rule for flow runs and task runs alike. */
export type RunRule = OrchestrationRule<unknown>;

export const ANY: ReadonlySet<StateType> = new Set(STATE_TYPES);
export const ANY_OR_NONE: ReadonlySet<From> = new Set<From>([...STATE_TYPES, null]);
export const TERMINAL: ReadonlySet<StateType> = TERMINAL_STATE_TYPES;

export function only<T extends From>(...types: readonly T[]): ReadonlySet<T> {
  return new Set(types);
}

/** Also from no state at all. */
export function fromAllExcept(...types: readonly StateType[]): ReadonlySet<From> {
  return new Set<From>([...allExcept(...types), null]);
}

export function allExcept(...types: readonly StateType[]): ReadonlySet<StateType> {
  return new Set(STATE_TYPES.filter((type) => !types.includes(type)));
}

export const rejectTransition = (reason: string): RuleVerdict => ({
  status: "REJECT",
  state: null,
  reason,
});
export const abort = (reason: string): RuleVerdict => ({ status: "ABORT", reason });
export const replace = (state: RunState, reason: string): RuleVerdict => ({
  status: "REJECT",
  state,
  reason,
});
/** To a proposal that has led to this state already. */
export const answered = (state: RunState, proposed: RunState): RuleVerdict =>
  state.type === proposed.type
    ? { status: "ANSWERED", as: "ACCEPT", reason: null, state }
    : {
        status: "ANSWERED",
        as: "REJECT",
        reason: "This transition was answered with another state already",
        state,
      };
export const change = (state: RunState): RuleVerdict => ({ status: "CHANGE", state });
