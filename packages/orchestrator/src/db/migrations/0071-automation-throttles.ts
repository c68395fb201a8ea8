import type { Migration } from "@orchestrator/kernel/storage";

// How often an automation has fired in its present minute, and how many matches a limit has kept
// from firing.

export const automationThrottlesMigration: Migration = {
  name: "automation-throttles",
  up: (t) => `
    create table automation_throttles (
      workspace_id ${t.id} not null,
      automation_id ${t.id} primary key,
      minute ${t.time} not null,
      firings ${t.integer} not null,
      reason ${t.text},
      since ${t.time},
      until ${t.time},
      matches ${t.integer} not null,
      message ${t.text}
    );`,
};
