import type { Migration } from "@orchestrator/kernel/storage";

// Messages to be sent are few at any time, and those that were sent are many: what the loop looks
// for is indexed only where it is set.

export const deliveriesMigration: Migration = {
  name: "deliveries",
  up: (t) => `
    create table deliveries (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      automation_id ${t.id} not null,
      automation_name ${t.text} not null,
      action_type ${t.text} not null,
      action_index ${t.integer} not null,
      block_document_id ${t.id} not null,
      block_document_name ${t.text} not null,
      block_type_slug ${t.text} not null,
      subject ${t.text},
      status ${t.text} not null,
      parts ${t.json} not null,
      attempts ${t.integer} not null,
      destination ${t.text},
      status_code ${t.integer},
      last_attempt ${t.time},
      last_error ${t.text},
      next_attempt ${t.time},
      give_up ${t.time} not null,
      settled ${t.time},
      claim ${t.id},
      held_until ${t.time},
      content ${t.json},
      firing ${t.json} not null,
      follows ${t.id} not null
    );
    create index deliveries_due on deliveries (next_attempt) where next_attempt is not null;
    create index deliveries_waiting on deliveries (block_document_id) where next_attempt is not null;
    create index deliveries_settled on deliveries (settled) where settled is not null;
    create index deliveries_by_created on deliveries (workspace_id, created);
    create index deliveries_by_automation on deliveries (workspace_id, automation_id, created);
    create index deliveries_by_status on deliveries (workspace_id, status, created);`,
};
