import type { Migration } from "@orchestrator/kernel/storage";

// An event that was expected may come before the one that it is expected after.

export const heldEventsMigration: Migration = {
  name: "held-events",
  up: (t) => `alter table automation_buckets add column held ${t.json};`,
};
