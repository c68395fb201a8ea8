import type { Migration } from "@orchestrator/kernel/storage";

export const monitorsMigration: Migration = {
  name: "monitors",
  up: (t) => `
    create table monitors (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created_at ${t.time} not null,
      updated_at ${t.time} not null,
      name ${t.text} not null,
      url ${t.text} not null,
      pipeline ${t.json} not null,
      secrets ${t.text},
      sealed_with ${t.text},
      "interval" ${t.integer} not null,
      schedule ${t.text},
      timezone ${t.text} not null,
      enabled ${t.flag} not null,
      tags ${t.tags} not null,
      confirm_down ${t.integer} not null,
      confirm_up ${t.integer} not null,
      last_check ${t.time},
      last_status ${t.text},
      confirmed_status ${t.text},
      streak ${t.integer} not null,
      next_run ${t.time},
      run_holder ${t.text}
    );
    create index monitors_by_age on monitors (workspace_id, created_at, id);
    create index monitors_by_holder on monitors (run_holder, enabled, updated_at, id);
    create index monitors_by_key on monitors (sealed_with) where sealed_with is not null;`,
};
