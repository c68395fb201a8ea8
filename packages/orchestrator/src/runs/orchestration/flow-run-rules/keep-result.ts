import type { FlowRunRule } from "../flow-run-transition.ts";
import { only, rejectTransition, TERMINAL } from "../rule.ts";
import { hasPersistedData } from "../run-state.ts";

/** A completed run does not lose its result to a second completion that has none. */
export const keepResult = {
  name: "keep-result",
  from: only("COMPLETED"),
  to: TERMINAL,
  before: ({ initial, proposed }) => {
    if (initial?.type !== "COMPLETED" || proposed.type !== "COMPLETED") return;
    if (!hasPersistedData(initial) || hasPersistedData(proposed)) return;
    return rejectTransition("The run has completed, and its result is kept");
  },
} satisfies FlowRunRule;
