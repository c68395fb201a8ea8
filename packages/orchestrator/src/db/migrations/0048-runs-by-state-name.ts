import type { Migration } from "@orchestrator/kernel/storage";

// Who looks for late runs asks for the name of their state, and few have it: without an index all
// runs are gone through. The engine inside this process keeps count of the names (see the tallies),
// and finds them by their type.
export const runsByStateNameMigration: Migration = {
  name: "runs-by-state-name",
  up: (_, { isRemote }) =>
    isRemote
      ? "create index flow_runs_by_state_name on flow_runs (workspace_id, state_name, expected_start_time, id)"
      : "select 1",
};
