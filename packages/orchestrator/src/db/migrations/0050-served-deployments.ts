import type { Migration } from "@orchestrator/kernel/storage";

// A deployment is polled also by whoever polls the queue that it is in, who is not offered all of
// its runs.

export const servedDeploymentsMigration: Migration = {
  name: "served-deployments",
  up: (t) => `alter table deployments add column last_served ${t.time};`,
};
