import type { Migration } from "@orchestrator/kernel/storage";

// Firings that go back to one event from outside: the budget of its chain, over all generations and
// automations.

export const chainFiringsMigration: Migration = {
  name: "chain-firings",
  up: (t) => `
    alter table automation_caused_ids add column root ${t.id};
    create table automation_chain_firings (
      workspace_id ${t.id} not null,
      root ${t.id} not null,
      direct ${t.integer} not null,
      caused ${t.integer} not null,
      written ${t.time} not null,
      primary key (workspace_id, root)
    );
    create index automation_chain_firings_by_age on automation_chain_firings (written);`,
};
