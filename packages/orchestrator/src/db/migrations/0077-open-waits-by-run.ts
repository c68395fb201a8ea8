import type { Migration } from "@orchestrator/kernel/storage";

// A flow that waits in a loop has many ended waits, and few open ones, which each wait counts.

export const openWaitsByRunMigration: Migration = {
  name: "open-waits-by-run",
  up: () => `
    create index flow_run_waits_open_by_run on flow_run_waits (flow_run_id) where outcome is null;`,
};
