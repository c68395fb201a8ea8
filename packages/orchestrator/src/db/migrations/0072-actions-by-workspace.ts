import type { Migration } from "@orchestrator/kernel/storage";

// What the actions of a workspace will still tell of is counted against its quota of events. An
// index of workspaces alone would be taken for those of one automation, too.

export const actionsByWorkspaceMigration: Migration = {
  name: "actions-by-workspace",
  up: () => `
    drop index automation_actions_by_automation;
    create index automation_actions_by_workspace on automation_actions (workspace_id, automation_id);`,
};
