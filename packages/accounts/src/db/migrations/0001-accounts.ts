import type { Migration } from "@orchestrator/kernel/storage";

export const accountsMigration: Migration = {
  name: "accounts",
  up: (t) => `
    create table accounts (
      id ${t.id} primary key,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      handle ${t.text} not null unique
    );
    create table workspaces (
      id ${t.id} primary key,
      account_id ${t.id} not null references accounts (id),
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      handle ${t.text} not null,
      description ${t.text} not null,
      unique (account_id, handle)
    );
    create table users (
      id ${t.id} primary key,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null
    );
    create table account_members (
      account_id ${t.id} not null references accounts (id),
      user_id ${t.id} not null references users (id),
      created ${t.time} not null,
      role ${t.text} not null,
      primary key (account_id, user_id)
    );
    create table service_accounts (
      id ${t.id} primary key,
      account_id ${t.id} not null references accounts (id),
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      role ${t.text} not null,
      unique (account_id, name)
    );
    create table api_keys (
      id ${t.id} primary key,
      account_id ${t.id} not null references accounts (id),
      created ${t.time} not null,
      name ${t.text} not null,
      prefix ${t.text} not null,
      hash ${t.text} not null unique,
      user_id ${t.id} references users (id),
      service_account_id ${t.id} references service_accounts (id) on delete cascade,
      role ${t.text} not null,
      workspace_ids ${t.json},
      expires ${t.time},
      last_used ${t.time},
      requests_per_minute ${t.integer}
    );
    create index api_keys_by_account on api_keys (account_id, id);
    create index api_keys_by_service_account on api_keys (service_account_id);
    create table access_revision (
      id ${t.integer} primary key,
      revision ${t.integer} not null
    );
    insert into access_revision values (1, 0);`,
};
