import { ANY_OR_NONE, only, replace } from "../rule.ts";
import { storedState } from "../run-state.ts";
import { insertCachedState } from "../task-run-states.store.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

const MAX_KEY = 2000;

/** A result is remembered under the key its task gave. */
export const writeCache: TaskRunRule = {
  name: "write-cache",
  from: ANY_OR_NONE,
  to: only("COMPLETED"),
  before: ({ proposed }) => {
    const { cache_key } = proposed.state_details;
    if (cache_key === null || cache_key.length <= MAX_KEY) return;
    return replace(
      proposed,
      `The cache key has more than ${MAX_KEY} characters; the result is not remembered`,
    );
  },
  after: async ({ ctx, tx, now }, committed) => {
    const { cache_key, cache_expiration } = committed.state_details;
    if (cache_key === null || cache_key.length > MAX_KEY || committed.name === "Cached") return;
    await insertCachedState(tx, {
      id: ctx.ids.uuid7(),
      created: now,
      cache_key,
      expiration: cache_expiration,
      state: storedState(committed),
    });
  },
};
