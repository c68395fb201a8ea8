import type { OrchestratorClient } from "@orchestrator/client";
import type { SetFlowRunState, State, StateCreate } from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import { storableText } from "../report/storable-text.ts";
import { sleepOrAbort } from "../time.ts";

/** What became of a proposal. */
export type ProposalResult =
  | { readonly kind: "accepted"; readonly state: State }
  /** Another state was written, or the old one kept. */
  | { readonly kind: "rejected"; readonly state: State; readonly reason: string }
  | { readonly kind: "aborted"; readonly reason: string };

export interface Proposal {
  readonly flowRunId: string;
  readonly state: StateCreate;
  readonly force?: boolean;
  /** Reported with it. */
  readonly executor?: Pick<SetFlowRunState, "infrastructure_pid" | "heartbeat_interval_seconds">;
  /** How long a server that is away is waited for. */
  readonly patienceSeconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** A proposal with an id of its own, unless it has one: made twice, it is one. */
export function withTransition(state: StateCreate): StateCreate {
  const transition_id = state.state_details?.transition_id ?? newId();
  return {
    ...state,
    ...(state.message != null && { message: storableText(state.message) }),
    state_details: { ...state.state_details, transition_id },
  };
}

/** A proposal in the name of a claim, which the server does not take once the run is another's. */
export function withClaim(state: StateCreate, claimId: string | null): StateCreate {
  if (claimId === null) return state;
  return { ...state, state_details: { ...state.state_details, claim_id: claimId } };
}

/** Proposes a state until the server has decided; waits as long as the server says. */
export async function proposeState(
  client: OrchestratorClient,
  { flowRunId, state, force = false, executor, patienceSeconds, signal }: Proposal,
): Promise<ProposalResult> {
  const proposal = { state: withTransition(state), force, ...executor };
  for (;;) {
    const {
      status,
      state: current,
      details,
    } = await retryUntilAnswered(
      () => client.flowRuns.setState(flowRunId, proposal, { retries: 0 }),
      {
        seconds: patienceSeconds,
        signal,
      },
    );
    const reason = details.reason ?? "";
    if (status === "WAIT") await sleepOrAbort((details.delay_seconds ?? 1) * 1000, signal);
    else if (status === "ABORT" || current === null) return { kind: "aborted", reason };
    else if (status === "REJECT") return { kind: "rejected", state: current, reason };
    else return { kind: "accepted", state: current };
  }
}
