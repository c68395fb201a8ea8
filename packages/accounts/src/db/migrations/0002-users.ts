import type { Migration } from "@orchestrator/kernel/storage";

/** Emails are kept in lower case. Tokens are kept as hashes, as keys are. */
export const usersMigration: Migration = {
  name: "users",
  up: (t) => `
    alter table users add column email ${t.text};
    alter table users add column password_hash ${t.text};
    create unique index users_by_email on users (email);
    create index account_members_by_user on account_members (user_id);
    create index api_keys_by_user on api_keys (user_id);
    create table user_identities (
      issuer ${t.text} not null,
      subject ${t.text} not null,
      user_id ${t.id} not null references users (id) on delete cascade,
      created ${t.time} not null,
      primary key (issuer, subject)
    );
    create index user_identities_by_user on user_identities (user_id);
    create table sessions (
      id ${t.id} primary key,
      user_id ${t.id} references users (id) on delete cascade,
      api_key_id ${t.id} references api_keys (id) on delete cascade,
      token_hash ${t.text} not null unique,
      created ${t.time} not null,
      last_used ${t.time} not null,
      ends ${t.time} not null,
      address ${t.text} not null,
      user_agent ${t.text} not null
    );
    create index sessions_by_user on sessions (user_id);
    create index sessions_by_api_key on sessions (api_key_id);
    create table invitations (
      id ${t.id} primary key,
      account_id ${t.id} not null references accounts (id) on delete cascade,
      created ${t.time} not null,
      expires ${t.time} not null,
      email ${t.text} not null,
      role ${t.text} not null,
      token_hash ${t.text} not null unique,
      unique (account_id, email)
    );
    create index invitations_by_email on invitations (email);
    create table oidc_attempts (
      state_hash ${t.text} primary key,
      browser_hash ${t.text} not null,
      expires ${t.time} not null,
      nonce ${t.text} not null,
      code_verifier ${t.text} not null,
      redirect_uri ${t.text} not null,
      return_to ${t.text} not null,
      session_id ${t.id} references sessions (id) on delete cascade
    );
    create index oidc_attempts_by_expiry on oidc_attempts (expires);`,
};
