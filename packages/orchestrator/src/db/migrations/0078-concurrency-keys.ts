import type { Migration } from "@orchestrator/kernel/storage";

// The value of a run's concurrency key, and what happens when a run finds no free slot.

export const concurrencyKeysMigration: Migration = {
  name: "concurrency-keys",
  up: (t) => `
    alter table flow_runs add column concurrency_key ${t.text};
    alter table deployments add column on_collision ${t.text};
    create index deployments_on_collision on deployments (id) where on_collision is not null;`,
};
