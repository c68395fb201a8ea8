import type { Migration } from "@orchestrator/kernel/storage";

// A watch is one run under one SLA: until its bound passes, or while it is violated.

export const slasMigration: Migration = {
  name: "slas",
  up: (t) => `
    create table slas (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      deployment_id ${t.id} not null references deployments (id) on delete cascade,
      name ${t.text} not null,
      kind ${t.text} not null,
      seconds ${t.real} not null,
      severity ${t.text} not null,
      enabled ${t.flag} not null,
      since ${t.time},
      due ${t.time},
      violated ${t.time},
      violation_id ${t.id},
      violations ${t.integer} not null,
      last_violated ${t.time},
      last_violated_flow_run_id ${t.id},
      last_restored ${t.time},
      unique (deployment_id, name)
    );
    create index slas_by_name on slas (workspace_id, name);
    create index slas_due on slas (due) where due is not null;
    create table sla_watches (
      sla_id ${t.id} not null references slas (id) on delete cascade,
      flow_run_id ${t.id} not null references flow_runs (id) on delete cascade,
      workspace_id ${t.id} not null,
      since ${t.time} not null,
      due ${t.time},
      violated ${t.time},
      violation_id ${t.id},
      primary key (sla_id, flow_run_id)
    );
    create index sla_watches_by_run on sla_watches (flow_run_id);
    create index sla_watches_due on sla_watches (due) where due is not null;`,
};
