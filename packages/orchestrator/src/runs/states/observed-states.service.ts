import type { ObservedState, ObservedStatesQuery } from "@orchestrator/contract";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { listObservedStates } from "./observed-states.store.ts";

/**
 * The types and names of states that flow runs and task runs have been in, as far as they are kept.
 */
export async function readObservedStates(
  ctx: OrchestratorContext,
  scope: Scope,
  { query = "", order_by = "LAST_SEEN_DESC", limit = 200 }: ObservedStatesQuery,
): Promise<ObservedState[]> {
  const beginning = query.trim().toLowerCase();
  const isWanted = ({ state_type, state_name }: ObservedState): boolean =>
    [state_type, state_name].some((text) => text.toLowerCase().startsWith(beginning));
  const all = await listObservedStates(ctx.db.in(scope.workspaceId));
  const wanted = merged(all.filter(isWanted)).toSorted(byName);
  const sorted = order_by === "NAME_ASC" ? wanted : wanted.toSorted(byLastSeen);
  return sorted.slice(0, limit);
}

/** One of each type and name, with the times of both kinds of runs. */
function merged(states: readonly ObservedState[]): ObservedState[] {
  const all = new Map<string, ObservedState>();
  for (const state of states) {
    const key = `${state.state_type} ${state.state_name}`;
    const other = all.get(key) ?? state;
    all.set(key, {
      ...state,
      first_seen: other.first_seen < state.first_seen ? other.first_seen : state.first_seen,
      last_seen: other.last_seen > state.last_seen ? other.last_seen : state.last_seen,
    });
  }
  return [...all.values()];
}

function byName(a: ObservedState, b: ObservedState): number {
  return compare(a.state_type, b.state_type) || compare(a.state_name, b.state_name);
}

const byLastSeen = (a: ObservedState, b: ObservedState): number =>
  compare(b.last_seen, a.last_seen);

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
