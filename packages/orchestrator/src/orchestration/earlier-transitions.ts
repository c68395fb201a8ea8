// Which transitions a run has behind it, as its row tells: the ids of those that led to the states before the present
// one, the latest last. What is sent again is sent soon, so a few are enough.

import type { RunState } from "./run-state.ts";

const KEPT = 8;

/** What the row tells once the run leaves a state. */
export function leaveState(earlier: string | null, left: RunState | null): string | null {
  const id = left?.state_details.transition_id ?? null;
  if (id === null) return earlier;
  if (earlier === null) return id;
  const ids = earlier.split(" ");
  return [...ids.slice(-KEPT + 1), id].join(" ");
}

export function isEarlier(earlier: string | null, id: string | null): boolean {
  return earlier !== null && id !== null && earlier.includes(id);
}
