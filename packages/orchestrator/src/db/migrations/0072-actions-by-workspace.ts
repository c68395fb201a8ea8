import type { Migration } from "@orchestrator/kernel";

// What the actions of a workspace will still tell of is counted against its quota of events.

export const actionsByWorkspace: Migration = {
  name: "actions-by-workspace",
  up: () => "create index automation_actions_by_workspace on automation_actions (workspace_id);",
};
