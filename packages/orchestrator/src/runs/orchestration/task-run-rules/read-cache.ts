import { readJson } from "@orchestrator/exact-json";
import { ANY_OR_NONE, only, replace } from "../rule.ts";
import type { RunState } from "../run-state.ts";
import { findCachedState, isStateStored } from "../task-run-states.store.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** A task whose result is remembered under its key does not run. */
export const readCache: TaskRunRule = {
  name: "read-cache",
  from: ANY_OR_NONE,
  to: only("RUNNING"),
  before: async ({ ctx, tx, proposed, now }) => {
    const { cache_key, refresh_cache } = proposed.state_details;
    if (cache_key === null || refresh_cache === true) return;
    const found = await findCachedState(tx, { cache_key, now });
    if (found === null) return;
    const cached = readJson(found) as RunState;
    // Whoever deletes a run may do so to have its task done again.
    if (!(await isStateStored(tx, cached.id))) return;
    const state = { ...cached, id: ctx.ids.uuid7(), name: "Cached", timestamp: now };
    return replace(state, "The result of this task is remembered under its cache key");
  },
};
