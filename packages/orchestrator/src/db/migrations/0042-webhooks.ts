import type { Migration } from "@orchestrator/kernel/storage";

export const webhooksMigration: Migration = {
  name: "webhooks",
  up: (t) => `
    create table webhooks (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      description ${t.text} not null,
      enabled ${t.flag} not null,
      template ${t.text},
      event ${t.text},
      resource ${t.json},
      accepts_get ${t.flag} not null,
      rate_limit ${t.integer} not null,
      signature_header ${t.text},
      delivery_header ${t.text},
      token_hash ${t.text} not null unique,
      secret ${t.text},
      sealed_with ${t.text},
      last_received ${t.time},
      last_status ${t.text},
      last_error ${t.text},
      unique (workspace_id, name)
    );
    create index webhooks_by_key on webhooks (sealed_with) where sealed_with is not null;`,
};
