import type { Migration } from "@orchestrator/kernel/storage";

// The ids of the transitions before the present state, so that one of them that is sent again is
// known by the row alone.

export const earlierTransitionsMigration: Migration = {
  name: "earlier-transitions",
  up: () => "alter table flow_runs add column earlier_transitions text;",
};
