import type { Migration } from "@orchestrator/kernel/storage";

// Whoever deletes an automation holds all others meanwhile, and does not go through what they wait
// to do.

export const actionsByAutomationMigration: Migration = {
  name: "actions-by-automation",
  up: () => "create index automation_actions_by_automation on automation_actions (automation_id);",
};
