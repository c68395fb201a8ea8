import type { Migration } from "@orchestrator/kernel/storage";

// Which states runs have been in: from one name to the next in an index, in place of all states
// there are.

export const observedStatesMigration: Migration = {
  name: "observed-states",
  up: () => `
    create index flow_run_states_by_name on flow_run_states (workspace_id, type, name, timestamp);
    create index task_run_states_by_name on task_run_states (workspace_id, type, name, timestamp);`,
};
