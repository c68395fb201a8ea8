// Which transitions a run has behind it, as its row tells: the ids of those that led to the states
// before the present one, the latest last. What is sent again is sent soon, so a few are enough.

import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Transaction } from "@orchestrator/kernel/storage";
import { listLastStates } from "../states/states.store.ts";
import { type RunState, storedData } from "./run-state.ts";

const KEPT = 8;

/** What the row tells once the run leaves a state. */
export function leftStateJson(earlier: string | null, left: RunState | null): string | null {
  const id = left?.state_details.transition_id ?? null;
  if (id === null) return earlier;
  if (earlier === null) return id;
  const ids = earlier.split(" ");
  return [...ids.slice(-KEPT + 1), id].join(" ");
}

export function isEarlier(earlier: string | null, id: string | null): boolean {
  return earlier !== null && id !== null && earlier.includes(id);
}

/** Whether what is forced is what has led to this state, as far as it says anything. */
export function isSameState(state: RunState, forced: RunState): boolean {
  // What runs nowhere is cancelled at once.
  if (forced.type === "CANCELLING" && state.type === "CANCELLED")
    return state.message === forced.message;
  const hasSameWords =
    state.type === forced.type && state.name === forced.name && state.message === forced.message;
  if (!hasSameWords || writeJson(storedData(state)) !== writeJson(storedData(forced))) return false;
  const details = givenDetails(forced);
  return Object.entries(details).every(([key, value]) => {
    const known = state.state_details[key as keyof typeof details];
    return writeJson(known) === writeJson(value);
  });
}

/** What is to begin at once has the time of the request, which is another each time. */
function givenDetails({ state_details, timestamp }: RunState): Partial<RunState["state_details"]> {
  const given = Object.entries(state_details).filter(
    ([key, value]) =>
      value !== null && value !== false && !(key === "scheduled_time" && value === timestamp),
  );
  return Object.fromEntries(given);
}

interface Sent {
  readonly of: "flow run" | "task run";
  readonly runId: string;
  readonly proposed: RunState;
}

/** The state that a proposal has led to, if it is one of the last that the run has been in. */
export async function stateItLedTo(
  tx: Transaction,
  { of, runId, proposed }: Sent,
): Promise<RunState | undefined> {
  const { transition_id } = proposed.state_details;
  const states = await listLastStates(tx, { of, runId });
  return states
    .map((state) => readJson(state) as RunState)
    .find(({ state_details }) => state_details.transition_id === transition_id);
}
