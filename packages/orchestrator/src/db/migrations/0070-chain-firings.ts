import type { Migration } from "@orchestrator/kernel";

// How often others have made an automation fire for one event from outside: a bound over all generations of a chain.

export const chainFirings: Migration = {
  name: "chain-firings",
  up: (t) => `
    alter table automation_caused_ids add column root ${t.id};
    create table automation_chain_firings (
      workspace_id ${t.id} not null,
      root ${t.id} not null,
      automation_id ${t.id} not null,
      firings ${t.integer} not null,
      written ${t.time} not null,
      primary key (workspace_id, root, automation_id)
    );
    create index automation_chain_firings_by_age on automation_chain_firings (written);`,
};
